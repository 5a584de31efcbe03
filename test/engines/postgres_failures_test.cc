#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <thread>

#include "loaded_tables.h"
#include "meddling.h"
#include "world.h"

// What can go wrong between the gateway and a server: each has a fixed text and an end, and what
// could depend on a row keeps its charge.
namespace tacit::golden {
namespace {

using engine::postgres::PostgresEngine;
using engine::postgres::TimeLimits;
using neighbours::World;

constexpr TimeLimits kShort{.connect = std::chrono::milliseconds(500),
                            .catalog = std::chrono::milliseconds(1500),
                            .statement = std::chrono::milliseconds(1500),
                            .grace = std::chrono::milliseconds(500)};
constexpr char kChargeStands[] = "the engine did not finish the query; its charge stands";

gateway::Request Asking(const std::string& text) {
  return {.text = text, .analyst = "", .request_id = "", .wish = {}};
}

// A server that says what a test wants it to, or nothing.
class FalseServer {
 public:
  explicit FalseServer(std::string says) : says_(std::move(says)) {
    std::string pattern = (std::filesystem::path(::testing::TempDir()) / "pg-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = folder_ + "/.s.PGSQL.5432";
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    thread_ = std::thread([this] { Serve(); });
  }
  ~FalseServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
    std::filesystem::remove_all(folder_);
  }
  policy::PostgresSettings Settings() const {
    return {.dsn = "host=" + folder_ + " port=5432 dbname=clinic user=tacit",
            .password = "",
            .schema = "public"};
  }

 private:
  void Serve() {
    std::vector<int> open;
    for (;;) {
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) break;
      open.push_back(client);
      if (!says_.empty()) (void)::send(client, says_.data(), says_.size(), MSG_NOSIGNAL);
    }
    for (const int client : open) ::close(client);
  }

  std::string says_;
  std::string folder_;
  int listener_ = -1;
  std::thread thread_;
};

class PostgresFailures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TestServer("public")) GTEST_SKIP() << "run it by test/engines/with_postgres.py";
    world_ = World::Make("club", "");
    static int number = 0;
    schema_ = "failures_" + std::to_string(++number);
    LoadTables(*world_, schema_);
    engine_ = std::make_unique<PostgresEngine>(TestServer(schema_).value(), nullptr, kShort);
    ASSERT_TRUE(engine_->ReadSchema().ok());
  }

  World::Seen Ask(const std::string& text, engine::Engine* engine) {
    return world_->Ask(Asking(text), 7, engine);
  }
  std::string Ledger() const { return world_->Ledger(); }

  std::unique_ptr<World> world_;
  std::string schema_;
  std::unique_ptr<PostgresEngine> engine_;
};

void EndAllSessions() {
  RunAsOwner(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = "
      "'tacit' AND pid <> pg_backend_pid()");
}

// Of the one session that a question has open.
int PidOfSession() {
  Result<engine::postgres::Connection> opened =
      engine::postgres::Connection::Open(TestServer("public").value(), {});
  engine::postgres::Connection connection = std::move(opened).value();
  std::optional<engine::postgres::Reply> reply;
  const auto failure = connection.Query(
      "SELECT pid::text FROM pg_stat_activity WHERE state = 'idle in transaction'", {}, &reply);
  EXPECT_FALSE(failure);
  EXPECT_EQ(reply->rows(), 1u);
  return std::stoi(std::string(reply->Bytes(0, 0)));
}

TEST_F(PostgresFailures, ASessionThatWentIsFollowedByAnother) {
  ASSERT_TRUE(Ask("SELECT count(*) FROM member", engine_.get()).answered);
  EndAllSessions();
  EXPECT_TRUE(Ask("SELECT count(*) FROM member WHERE age > 30", engine_.get()).answered);
  // After the charge, before anything was run.
  Meddling meddling(*engine_, EndAllSessions);
  const World::Seen seen = Ask("SELECT count(*) FROM member WHERE age > 31", &meddling);
  EXPECT_TRUE(seen.answered) << (seen.error ? seen.error->private_detail : "");
}

TEST_F(PostgresFailures, ASessionThatGoesBetweenTwoReleasesKeepsTheCharge) {
  int runs = 0;
  Meddling meddling(*engine_, [&runs] {
    if (++runs == 2) EndAllSessions();
  });
  const std::string before = Ledger();
  const World::Seen seen = Ask(
      "SELECT (SELECT count(*) FROM member WHERE age > 20) AS a, (SELECT count(*) FROM ride) AS b",
      &meddling);
  ASSERT_FALSE(seen.answered);
  EXPECT_EQ(seen.error->public_message, kChargeStands);
  EXPECT_NE(Ledger(), before);
}

TEST_F(PostgresFailures, AStatementThatTakesTooLongEndsAndIsCharged) {
  RunAsOwner("INSERT INTO " + schema_ +
             ".ride SELECT 100000 + i, i % 40, i % 7, 'n', DATE '2024-02-01' FROM "
             "generate_series(1, 200000) AS i");
  TimeLimits hasty = kShort;
  hasty.statement = std::chrono::milliseconds(20);
  PostgresEngine engine(TestServer(schema_).value(), nullptr, hasty);
  const std::string before = Ledger();
  const World::Seen seen = Ask("SELECT count(*), sum(km) FROM ride", &engine);
  ASSERT_FALSE(seen.answered);
  EXPECT_EQ(seen.error->public_message, kChargeStands);
  EXPECT_EQ(seen.error->private_detail, "SQLSTATE 57014");
  EXPECT_NE(Ledger(), before);
}

TEST_F(PostgresFailures, AServerThatStopsInTheMiddleIsLeft) {
  int stopped = 0;
  Meddling meddling(*engine_, [&stopped] {
    stopped = PidOfSession();
    ASSERT_EQ(::kill(stopped, SIGSTOP), 0);
  });
  const std::string before = Ledger();
  const auto begun = std::chrono::steady_clock::now();
  const World::Seen seen = Ask("SELECT count(*) FROM member WHERE age > 40", &meddling);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
  ::kill(stopped, SIGCONT);
  ASSERT_FALSE(seen.answered);
  EXPECT_EQ(seen.error->public_message, kChargeStands);
  EXPECT_NE(Ledger(), before);
  EXPECT_TRUE(Ask("SELECT count(*) FROM member WHERE age > 41", engine_.get()).answered);
}

TEST_F(PostgresFailures, AServerThatIsSilentOrSpeaksGarbageIsLeft) {
  const std::string garbage = std::string("\x00\xff\x7f", 3) + std::string(5000, 'x');
  const std::string ready = std::string("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", 15);
  for (const std::string& says : {std::string(), garbage, ready}) {
    const FalseServer server(says);
    PostgresEngine engine(server.Settings(), nullptr, kShort);
    const std::string before = Ledger();
    const auto begun = std::chrono::steady_clock::now();
    const World::Seen seen = Ask("SELECT count(*) FROM member", &engine);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
    ASSERT_FALSE(seen.answered);
    EXPECT_EQ(seen.error->code, ErrorCode::kUnavailable);
    EXPECT_EQ(Ledger(), before);
  }
}

TEST_F(PostgresFailures, AnotherHostOfTheDsnIsTried) {
  const FalseServer silent("");
  policy::PostgresSettings settings = TestServer(schema_).value();
  const std::string here = settings.dsn.substr(0, settings.dsn.find(' ')).substr(5);
  const std::string away = silent.Settings().dsn.substr(5);
  const std::string port = settings.dsn.substr(settings.dsn.find("port="));
  settings.dsn = "host=/nowhere," + away.substr(0, away.find(' ')) + "," + here +
                 " port=5432,5432," + port.substr(5);
  PostgresEngine engine(settings, nullptr, kShort);
  const World::Seen seen = Ask("SELECT count(*) FROM member", &engine);
  EXPECT_TRUE(seen.answered) << (seen.error ? seen.error->private_detail : "");
}

TEST_F(PostgresFailures, WrongCredentialsSayNothingToAnAnalyst) {
  policy::PostgresSettings settings = TestServer(schema_).value();
  settings.dsn += " options=-csearch_path=x";
  const size_t user = settings.dsn.find("user=tacit");
  settings.dsn.replace(user, 10, "user=nobody_such");
  PostgresEngine engine(settings, nullptr, kShort);
  const std::string before = Ledger();
  const World::Seen seen = Ask("SELECT count(*) FROM member", &engine);
  ASSERT_FALSE(seen.answered);
  EXPECT_EQ(seen.error->public_message.find("nobody_such"), std::string::npos);
  EXPECT_NE(seen.error->private_detail.find("nobody_such"), std::string::npos);
  EXPECT_EQ(Ledger(), before);
}

TEST_F(PostgresFailures, ATableThatChangedOrVanishedIsRefusedBeforeTheCharge) {
  const std::string before = Ledger();
  RunAsOwner("ALTER TABLE " + schema_ + ".member ALTER COLUMN age TYPE bigint");
  World::Seen seen = Ask("SELECT count(*) FROM member", engine_.get());
  ASSERT_FALSE(seen.answered);
  EXPECT_NE(seen.error->public_message.find("the table member is not what it was"),
            std::string::npos);
  RunAsOwner("ALTER TABLE " + schema_ + ".member ALTER COLUMN age TYPE integer");
  EXPECT_TRUE(Ask("SELECT count(*) FROM member", engine_.get()).answered);
  RunAsOwner("ALTER TABLE " + schema_ + ".ride RENAME TO journey");
  const std::string charged = Ledger();
  seen = Ask("SELECT count(*) FROM member WHERE age > 2", engine_.get());
  ASSERT_FALSE(seen.answered);
  EXPECT_EQ(Ledger(), charged);
  EXPECT_NE(Ledger(), before);
}

// NaN and the largest number are two rows for the database, and one key as they are read.
TEST_F(PostgresFailures, KeysThatMayBeReadAsOneAreNotTrusted) {
  RunAsOwner("CREATE TABLE " + schema_ +
             ".parent (id numeric(4,0) PRIMARY KEY, code integer UNIQUE, name text UNIQUE); INSERT "
             "INTO " +
             schema_ + ".parent VALUES ('NaN', 1, 'a'), (9999, 2, 'b'); GRANT SELECT ON " +
             schema_ + ".parent TO PUBLIC");
  const auto catalog = engine::postgres::FindTables(TestServer(schema_).value(), {"parent"});
  ASSERT_TRUE(catalog.ok()) << catalog.error().private_detail;
  const engine::postgres::CatalogTable* parent = (*catalog)->Find("parent");
  ASSERT_NE(parent, nullptr);
  EXPECT_FALSE(parent->Find("id")->seen.unique);
  EXPECT_TRUE(parent->Find("code")->seen.unique);
  EXPECT_TRUE(parent->Find("name")->seen.unique);
}

}  // namespace
}  // namespace tacit::golden
