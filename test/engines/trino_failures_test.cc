#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <sstream>

#include "cutting_server.h"
#include "meddling.h"
#include "trino_tables.h"

// What can go wrong between the gateway and a cluster: each has a fixed text and an end, and what
// could depend on a row keeps its charge.
namespace tacit::golden {
namespace {

using engine::trino::TimeLimits;
using engine::trino::TrinoEngine;
using neighbours::World;

constexpr TimeLimits kShort{.connect = std::chrono::milliseconds(500),
                            .catalog = std::chrono::milliseconds(20'000),
                            .statement = std::chrono::milliseconds(20'000),
                            .grace = std::chrono::milliseconds(500),
                            .silence = std::chrono::milliseconds(5000)};
constexpr char kChargeStands[] = "the engine did not finish the query; its charge stands";

gateway::Request Asking(const std::string& text) {
  return {.text = text, .analyst = "", .request_id = "", .wish = {}};
}

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

int PortOf(const std::string& url) { return std::stoi(url.substr(url.rfind(':') + 1)); }

// All of them on one copy of the tables: loading them takes longer than most tests.
class TrinoFailures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TestCluster("default")) GTEST_SKIP() << "run it by test/engines/with_trino.py";
    world_ = World::Make("club", "");
    static const policy::TrinoSettings loaded = LoadIntoTrino(*world_, "failures");
    settings_ = loaded;
    engine_ = std::make_unique<TrinoEngine>(settings_, nullptr, kShort);
    ASSERT_TRUE(engine_->ReadSchema().ok());
  }

  World::Seen Ask(const std::string& text, engine::Engine* engine) {
    return world_->Ask(Asking(text), 7, engine);
  }
  // Fails with nothing charged, in time, and says nothing of the cluster.
  void ExpectNothingCharged(const policy::TrinoSettings& settings, const std::string& what) {
    SCOPED_TRACE(what);
    TimeLimits hasty = kShort;
    hasty.catalog = hasty.silence = std::chrono::milliseconds(1500);
    TrinoEngine engine(settings, nullptr, hasty);
    const std::string before = world_->Ledger();
    const auto begun = std::chrono::steady_clock::now();
    // No other test asks it: a stored answer needs no cluster.
    const World::Seen seen = Ask("SELECT count(*) FROM member WHERE age > 1", &engine);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
    ASSERT_FALSE(seen.answered);
    EXPECT_EQ(seen.error->code, ErrorCode::kUnavailable);
    EXPECT_EQ(seen.error->public_message.find("127.0.0.1"), std::string::npos);
    EXPECT_NE(seen.error->private_detail, "");
    EXPECT_EQ(world_->Ledger(), before);
  }
  // Fails after the charge, which stands.
  void ExpectChargeStands(const std::string& text, engine::Engine& engine,
                          std::chrono::seconds within) {
    const std::string before = world_->Ledger();
    const auto begun = std::chrono::steady_clock::now();
    const World::Seen seen = Ask(text, &engine);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, within);
    ASSERT_FALSE(seen.answered);
    EXPECT_EQ(seen.error->public_message, kChargeStands);
    EXPECT_NE(world_->Ledger(), before);
    std::printf("%s\n", seen.error->private_detail.c_str());
  }
  void AddRides(int thousands) {
    RunInTrino("INSERT INTO memory." + schema_ +
               ".ride SELECT 100000 + i, i % 40, i % 7, 'n', DATE '2024-02-01' FROM (SELECT "
               "CAST(part * 1000 + one AS integer) AS i FROM UNNEST(sequence(1, " +
               std::to_string(thousands) +
               ")) AS parts(part) CROSS JOIN UNNEST(sequence(1, 1000)) AS ones(one)) AS numbers");
  }

  const std::string schema_ = "failures";
  std::unique_ptr<World> world_;
  policy::TrinoSettings settings_;
  std::unique_ptr<TrinoEngine> engine_;
};

TEST_F(TrinoFailures, APageThatIsLostIsFetchedAgain) {
  const World::Seen expected = world_->Ask(Asking("SELECT km, count(*) FROM ride GROUP BY km"), 9);
  CuttingServer between(PortOf(settings_.url), [](int answer) { return answer % 3 == 2; });
  policy::TrinoSettings settings = settings_;
  settings.url = between.Url();
  TrinoEngine engine(settings, nullptr, kShort);
  const auto fresh = World::Make("club", "");
  const World::Seen seen =
      fresh->Ask(Asking("SELECT km, count(*) FROM ride GROUP BY km"), 9, &engine);
  EXPECT_EQ(seen.said, expected.said) << (seen.error ? seen.error->private_detail : "");
  EXPECT_GT(between.answers(), 4);
}

TEST_F(TrinoFailures, AConnectionThatIsLostForGoodKeepsTheCharge) {
  CuttingServer between(PortOf(settings_.url), [](int) { return false; });
  policy::TrinoSettings settings = settings_;
  settings.url = between.Url();
  TimeLimits hasty = kShort;
  hasty.silence = std::chrono::milliseconds(1500);
  TrinoEngine real(settings, nullptr, hasty);
  Meddling meddling(real, [&between] { between.Shut(); });
  ExpectChargeStands("SELECT count(*) FROM member WHERE age > 40", meddling,
                     std::chrono::seconds(15));
}

TEST_F(TrinoFailures, AServerThatIsSilentOrSpeaksGarbageIsLeft) {
  const auto page = [](const std::string& body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  const std::vector<std::string> says = {
      "",
      std::string("\x00\xff\x7f", 3) + std::string(5000, 'x'),
      "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{",
      "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
      page("[]"),
      page("{\"id\": 1}"),
      page("{\"id\": \"q\", \"nextUri\": \"http://elsewhere.example/v1/1\"}"),
      page("{\"id\": \"q\", \"columns\": [{\"name\": \"a\", \"type\": \"b\"}], \"data\": [[1]]}"),
      page("{\"id\": \"q\", \"data\": [[1, 2]]}"),
      page("{\"id\": \"q\", \"error\": {\"errorName\": \"quotes 'a row'\"}}")};
  for (const std::string& text : says) {
    const LoopbackServer server([&text](int client) {
      while (!ReceiveSome(client).empty()) {
        if (!text.empty()) SendAll(client, text);
      }
    });
    policy::TrinoSettings settings = settings_;
    settings.url = server.Url();
    ExpectNothingCharged(settings, text.substr(0, 200));
  }
  policy::TrinoSettings nobody = settings_;
  nobody.url = "http://127.0.0.1:9";
  ExpectNothingCharged(nobody, "nobody is there");
}

TEST_F(TrinoFailures, AStatementThatTakesTooLongEndsAndIsCharged) {
  AddRides(600);
  TimeLimits hasty = kShort;
  hasty.statement = std::chrono::milliseconds(300);
  TrinoEngine engine(settings_, nullptr, hasty);
  ExpectChargeStands("SELECT count(*), sum(km) FROM ride", engine, std::chrono::seconds(30));
  // Nothing of ours goes on in the cluster.
  engine::trino::Connection connection =
      std::move(engine::trino::Connection::Open(settings_, kShort)).value();
  engine::trino::Reply reply;
  for (int i = 0; i < 50; ++i) {
    reply = {};
    ASSERT_FALSE(connection.Query(
        "SELECT count(*) FROM system.runtime.queries WHERE state NOT IN ('FAILED', 'FINISHED') AND "
        "query NOT LIKE '%system.runtime%'",
        kShort.catalog, reply));
    if (std::get<int64_t>(reply.rows[0][0]) == 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(std::get<int64_t>(reply.rows[0][0]), 0);
}

TEST_F(TrinoFailures, OverTlsAPasswordIsAskedForAndWrongOnesSayNothing) {
  policy::TrinoSettings settings = settings_;
  settings.url = FromEnvironment("TACIT_TRINO_HTTPS_URL");
  settings.authorities = FromEnvironment("TACIT_TRINO_CERTIFICATE");
  settings.password = FromEnvironment("TACIT_TRINO_PASSWORD");
  TrinoEngine engine(settings, nullptr, kShort);
  const World::Seen seen = Ask("SELECT count(*) FROM member", &engine);
  EXPECT_TRUE(seen.answered) << (seen.error ? seen.error->private_detail : "");
  policy::TrinoSettings wrong = settings;
  wrong.password = "battery staple";
  ExpectNothingCharged(wrong, "a wrong password");
  policy::TrinoSettings unknown = settings;
  unknown.user = "nobody_such";
  ExpectNothingCharged(unknown, "an unknown user");
  policy::TrinoSettings untrusted = settings;
  untrusted.authorities.clear();
  ExpectNothingCharged(untrusted, "nobody vouches for it");
}

TEST_F(TrinoFailures, ATableThatChangedOrVanishedIsRefusedBeforeTheCharge) {
  const std::string name = "memory." + schema_ + ".";
  RunInTrino("ALTER TABLE " + name + "member RENAME COLUMN age TO years");
  const std::string before = world_->Ledger();
  World::Seen seen = Ask("SELECT count(*) FROM member", engine_.get());
  ASSERT_FALSE(seen.answered);
  EXPECT_NE(seen.error->public_message.find("the table member is not what it was"),
            std::string::npos)
      << seen.error->public_message;
  RunInTrino("ALTER TABLE " + name + "member RENAME COLUMN years TO age");
  RunInTrino("ALTER TABLE " + name + "ride RENAME TO " + name + "journey");
  seen = Ask("SELECT count(*) FROM member WHERE age > 2", engine_.get());
  ASSERT_FALSE(seen.answered);
  EXPECT_EQ(world_->Ledger(), before);
  RunInTrino("ALTER TABLE " + name + "journey RENAME TO " + name + "ride");
}

TEST_F(TrinoFailures, AViewIsRefusedAndSoIsAKeyThatIsNone) {
  RunInTrino("CREATE VIEW memory." + schema_ + ".seen AS SELECT * FROM memory." + schema_ +
             ".member");
  const auto view = engine::trino::FindTables(settings_, {"seen"});
  ASSERT_FALSE(view.ok());
  EXPECT_NE(view.error().public_message.find("a view can mix people"), std::string::npos);
  policy::TrinoSettings settings = settings_;
  settings.unique.push_back({"ride", "km"});
  const auto doubled = engine::trino::FindTables(settings, {"ride"});
  ASSERT_FALSE(doubled.ok());
  EXPECT_NE(doubled.error().public_message.find("ride.km holds a value twice"), std::string::npos);
}

// The last: what the worker held of the tables goes with it.
TEST_F(TrinoFailures, AWorkerThatIsKilledInTheMiddleKeepsTheCharge) {
  AddRides(1500);
  std::stringstream pids(FromEnvironment("TACIT_TRINO_WORKERS"));
  int worker = 0;
  pids >> worker;
  ASSERT_GT(worker, 0);
  std::thread killer;
  Meddling meddling(*engine_, [&] {
    killer = std::thread([worker] {
      std::this_thread::sleep_for(std::chrono::milliseconds(700));
      ::kill(worker, SIGKILL);
    });
  });
  ExpectChargeStands("SELECT count(*), sum(km) FROM ride WHERE km > 1", meddling,
                     std::chrono::seconds(25));
  killer.join();
}

}  // namespace
}  // namespace tacit::golden
