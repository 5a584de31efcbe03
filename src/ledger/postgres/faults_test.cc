// What a ledger in PostgreSQL makes of connections that break at any message, servers that are
// killed, and of what others do to its tables.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <atomic>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "ledger/postgres/connection.h"
#include "ledger/record/record.h"
#include "ledger/testing/cutting_proxy.h"
#include "ledger/testing/ledger_site.h"

namespace tacit::ledger {
namespace {

using testing::CuttingProxy;
using testing::Folder;
using testing::Kept;
using testing::LedgerSite;
using testing::Number;
using testing::PostgresServer;
using testing::Sample;
using testing::SampleBy;

// By the analyst ana, who has budget enough for all of them.
ChargeRequest Cheap(const std::string& id) {
  ChargeRequest request = SampleBy("ana", "question " + id, "0.0001");
  request.request_id = id;
  request.limits.dataset.epsilon = Number("1000");
  request.limits.analyst->epsilon = Number("1000");
  return request;
}

std::map<std::string, int> ChargesById(const Place& place) {
  std::map<std::string, int> charges;
  const Result<Done> read = ForEachRecord(place, [&](const StoredRecord& stored) -> Result<Done> {
    TACIT_TRY(const Record record, ReadRecord(stored.body));
    if (const auto* charge = std::get_if<ChargeAct>(&record.act)) ++charges[charge->request_id];
    return Done{};
  });
  TACIT_ASSERT(read.ok());
  return charges;
}

std::string TextOf(const Error& error) {
  return error.public_message + " / " + error.hint + " / " + error.private_detail;
}

class CutAt : public ::testing::TestWithParam<CuttingProxy::Counted> {};
INSTANTIATE_TEST_SUITE_P(LedgerInPostgres, CutAt,
                         ::testing::Values(CuttingProxy::Counted::kFromClient,
                                           CuttingProxy::Counted::kFromServer));

TEST_P(CutAt, EveryMessageOfAChargeItIsChargedOnceOrNotAtAllAndThatIsKnown) {
  const LedgerSite site(Kept::kInPostgres);
  ASSERT_TRUE(site.Create().ok());
  const Folder folder;
  CuttingProxy proxy(folder.path(), PostgresServer::Shared().SocketPath());
  Place place = site.place();
  place.server->dsn = "host=" + folder.path() + " port=5432 user=tacit dbname=ledger";
  Ledger ledger = Ledger::Open(place).value();
  ASSERT_TRUE(ledger.Charge(Cheap("first")).ok());
  int refused = 0, received = 0;
  int64_t n = 0;
  for (; n < 1000; ++n) {
    const std::string id = "id " + std::to_string(n);
    proxy.Arm(GetParam(), n);
    const Result<Receipt> receipt = ledger.Charge(Cheap(id));
    if (!proxy.Disarm()) break;
    if (receipt.ok()) {
      ++received;
      ASSERT_TRUE(ledger.Store(*receipt, 0, "answer").ok()) << "n = " << n;
    } else {
      ++refused;
      EXPECT_EQ(receipt.error().code, ErrorCode::kUnavailable);
      EXPECT_NE(TextOf(receipt.error()).find("nothing was charged"), std::string::npos)
          << "n = " << n << ": " << TextOf(receipt.error());
      EXPECT_EQ(ChargesById(site.place())[id], 0) << "n = " << n;
    }
    const Result<Receipt> again = ledger.Charge(Cheap(id));
    ASSERT_TRUE(again.ok()) << "n = " << n << ": " << TextOf(again.error());
    if (receipt.ok()) {
      EXPECT_EQ(again->hash, receipt->hash) << "n = " << n;
      EXPECT_EQ(again->releases[0].bytes, "answer") << "n = " << n;
    }
    EXPECT_EQ(ChargesById(site.place())[id], 1) << "n = " << n;
  }
  EXPECT_GT(n, 20) << "the cuts never reached the commit";
  EXPECT_LT(n, 1000);
  EXPECT_GT(received, 0);
  if (GetParam() == CuttingProxy::Counted::kFromClient) {
    EXPECT_GT(refused, 0);
  }
  EXPECT_EQ(site.Fault(), "");
}

TEST(LedgerInPostgres, IsInOrderAfterEveryKillOfTheServer) {
  PostgresServer server;
  const Folder folder;
  const Place place = server.NewPlace(folder.File("ledger"));
  ASSERT_TRUE(Ledger::Create(place).ok());
  std::atomic<bool> stops = false;
  std::mutex mutex;
  std::map<std::string, std::string> receipts;
  int unknown = 0;
  const auto charge = [&](int gateway, int thread, Ledger& ledger) {
    for (int i = 0; !stops; ++i) {
      const std::string id =
          std::to_string(gateway) + "." + std::to_string(thread) + "." + std::to_string(i);
      for (int tries = 0; tries < 100; ++tries) {
        const Result<Receipt> receipt = ledger.Charge(Cheap(id));
        const std::lock_guard lock(mutex);
        if (receipt.ok()) {
          receipts[id] = receipt->hash;
          break;
        }
        if (receipt.error().public_message.find("still being computed") != std::string::npos) {
          ++unknown;
          break;
        }
      }
    }
  };
  std::vector<std::thread> gateways;
  for (int gateway = 0; gateway < 2; ++gateway) {
    gateways.emplace_back([&, gateway] {
      Ledger ledger = Ledger::Open(place).value();
      std::vector<std::thread> threads;
      for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] { charge(gateway, thread, ledger); });
      }
      for (std::thread& thread : threads) thread.join();
    });
  }
  for (int kills = 0; kills < 4; ++kills) {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    server.Kill();
    server.Start();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  stops = true;
  for (std::thread& gateway : gateways) gateway.join();

  EXPECT_EQ(Verify(place)->fault, "");
  const std::map<std::string, int> charges = ChargesById(place);
  std::set<std::string> hashes;
  ASSERT_TRUE(ForEachRecord(place, [&](const StoredRecord& stored) -> Result<Done> {
                hashes.insert(stored.hash);
                return Done{};
              }).ok());
  EXPECT_GT(receipts.size(), 100u);
  for (const auto& [id, hash] : receipts) {
    EXPECT_TRUE(hashes.contains(hash)) << id << " was acknowledged and is lost";
    EXPECT_EQ(charges.contains(id) ? charges.at(id) : 0, 1) << id;
  }
  EXPECT_EQ(unknown, 0) << "the server was back before anybody gave up looking";
}

TEST(LedgerInPostgres, ADatabaseThatWentBackIsRefusedByWhoeverHadALaterCharge) {
  const LedgerSite site(Kept::kInPostgres);
  const std::string schema = site.place().server->schema;
  PostgresServer& server = PostgresServer::Shared();
  Ledger ledger = site.Make();
  ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
  for (const char* table : {"record", "book"}) {
    server.Sql("CREATE TABLE public.old_" + schema + table + " AS TABLE " + schema + "." + table);
  }
  ASSERT_TRUE(ledger.Charge(Sample("r")).ok());
  for (const char* table : {"record", "book"}) {
    server.Sql("DELETE FROM " + schema + "." + table);
    server.Sql("INSERT INTO " + schema + "." + table + " TABLE public.old_" + schema + table);
  }
  const Result<Receipt> refused = ledger.Charge(Sample("s"));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().public_message.find("went back"), std::string::npos)
      << TextOf(refused.error());
  EXPECT_FALSE(site.Open().ok());
}

TEST(LedgerInPostgres, WhatOthersDidToItsTablesIsFoundAtTheNextCharge) {
  const auto edits = {"UPDATE @.record SET body = body || ' ' WHERE seq = 5",
                      "UPDATE @.record SET hash = reverse(hash) WHERE seq = 4",
                      "UPDATE @.book SET entry = replace(entry, '0.1', '0.0') WHERE analyst = ''",
                      "DELETE FROM @.book WHERE analyst = 'ana'",
                      "DELETE FROM @.record WHERE seq = 4",
                      "DELETE FROM @.ledger",
                      "UPDATE @.ledger SET format = 2",
                      "DROP TABLE @.record",
                      "ALTER TABLE @.record RENAME body TO text",
                      "DROP SCHEMA @ CASCADE"};
  for (const std::string edit : edits) {
    const LedgerSite site(Kept::kInPostgres);
    Ledger ledger = site.Make();
    ASSERT_TRUE(ledger.Charge(SampleBy("ana", "q")).ok());
    std::string sql = edit;
    for (size_t at = sql.find('@'); at != std::string::npos; at = sql.find('@')) {
      sql.replace(at, 1, site.place().server->schema);
    }
    PostgresServer::Shared().Sql(sql);
    const Result<Receipt> refused = ledger.Charge(SampleBy("ana", "r"));
    ASSERT_FALSE(refused.ok()) << edit;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable) << edit;
    EXPECT_FALSE(site.Open().ok()) << edit;
  }
}

std::string WhyNotOpened(const Place& place) {
  const Result<Ledger> opened = Ledger::Open(place);
  if (opened.ok()) return "it was opened";
  EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable);
  return TextOf(opened.error());
}

TEST(LedgerInPostgres, SaysWhatKeepsItFromBeingOpened) {
  const LedgerSite site(Kept::kInPostgres);
  ASSERT_TRUE(site.Create().ok());
  PostgresServer& server = PostgresServer::Shared();
  const auto with_dsn = [&](const std::string& dsn) {
    Place place = site.place();
    place.server->dsn = dsn;
    return place;
  };
  EXPECT_THAT(WhyNotOpened(with_dsn("host=/nowhere dbname=ledger")),
              ::testing::HasSubstr("cannot be reached"));
  EXPECT_THAT(WhyNotOpened(with_dsn(server.Dsn() + " user=nobody_here")),
              ::testing::HasSubstr("nobody_here"));
  Place elsewhere = site.place();
  elsewhere.server->schema = "nothing_here";
  EXPECT_THAT(WhyNotOpened(elsewhere), ::testing::HasSubstr("tacit ledger create"));

  server.Sql("CREATE ROLE reader LOGIN");
  EXPECT_THAT(WhyNotOpened(with_dsn(server.Dsn() + " user=reader")),
              ::testing::HasSubstr("may not read or write"));
  server.Sql("ALTER ROLE reader SET default_transaction_read_only = on");
  EXPECT_THAT(WhyNotOpened(with_dsn(server.Dsn() + " user=reader")),
              ::testing::HasSubstr("read-only"));
  server.Sql(
      "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' "
      "LC_CTYPE 'C'");
  EXPECT_THAT(WhyNotOpened(with_dsn(server.Dsn() + " dbname=latin")),
              ::testing::HasSubstr("LATIN1"));

  PostgresServer careless("-c fsync=off");
  const Folder folder;
  const Place unsafe = careless.NewPlace(folder.File("ledger"));
  const Result<Done> made = Ledger::Create(unsafe);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(TextOf(made.error()), ::testing::HasSubstr("fsync"));
}

// The role that the gateways use needs no more than what is printed for it, and cannot take a
// record away.
TEST(LedgerInPostgres, NeedsNoMoreRightsThanThoseItPrints) {
  const LedgerSite site(Kept::kInPostgres);
  const std::string schema = site.place().server->schema;
  PostgresServer& server = PostgresServer::Shared();
  ASSERT_TRUE(site.Create().ok());
  const std::string role = "gateway_of_" + schema;
  server.Sql("CREATE ROLE " + role + " LOGIN");
  const std::string all = SqlToCreate(site.place(), role);
  for (size_t start = all.find("GRANT"); start != std::string::npos;) {
    server.Sql(all.substr(start, all.find(';', start) - start));
    start = all.find("GRANT", start + 1);
  }
  Place place = site.place();
  place.server->dsn += " user=" + role;
  Ledger ledger = Ledger::Open(place).value();
  for (const char* question : {"q", "r", "q"}) {
    const Result<Receipt> receipt = ledger.Charge(SampleBy("ana", question));
    ASSERT_TRUE(receipt.ok()) << TextOf(receipt.error());
    if (receipt->releases[0].bytes) continue;
    ASSERT_TRUE(ledger.Store(*receipt, 0, "answer").ok());
  }
  ASSERT_TRUE(ledger.TryToWrite().ok());
  EXPECT_EQ(Verify(place)->fault, "");
  EXPECT_FALSE(Ledger::Create(place).ok());
  for (const char* statement : {"DELETE FROM @.record", "UPDATE @.record SET body = ''",
                                "TRUNCATE @.record", "DROP TABLE @.record"}) {
    std::string sql = statement;
    sql.replace(sql.find('@'), 1, schema);
    const auto session = PostgresSession::Connect(*place.server, 10'000).value();
    session->QueueText(sql);
    EXPECT_FALSE(session->Run().ok()) << sql;
    EXPECT_EQ(session->last_state(), "42501") << sql;
  }
}

// A server that takes the connection and never says a word.
TEST(LedgerInPostgres, ASilentServerIsWaitedForOnlySoLong) {
  const Folder folder;
  const int silent = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s/.s.PGSQL.5432",
                folder.path().c_str());
  ASSERT_EQ(::bind(silent, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(silent, 8), 0);
  const Place place(PostgresPlace{.dsn = "host=" + folder.path() + " connect_timeout=2"},
                    folder.File("ledger"));
  EXPECT_THAT(WhyNotOpened(place), ::testing::HasSubstr("cannot be reached"));
  ::close(silent);
}

// Another gateway that holds the lock and says nothing is ended by the server; the others go on.
TEST(LedgerInPostgres, AGatewayThatFellSilentInTheMiddleOfAChargeIsPassedOver) {
  const LedgerSite site(Kept::kInPostgres);
  OpenOptions options;
  options.busy_timeout_ms = 4000;
  Ledger ledger = site.Make(options);
  const auto connection =
      PostgresConnection::Open(*site.place().server, {.busy_timeout_ms = 2000}).value();
  ASSERT_TRUE(connection->Begin(StorageConnection::Access::kWrite).ok());
  const Result<Receipt> receipt = ledger.Charge(Sample("q"));
  EXPECT_TRUE(receipt.ok()) << TextOf(receipt.error());
  EXPECT_FALSE(connection->Commit().ok());
  EXPECT_EQ(site.Fault(), "");
}

TEST(LedgerInPostgres, AnotherGatewayJoinsByAHeadThatTheLedgerHas) {
  const LedgerSite site(Kept::kInPostgres);
  OpenOptions keyed;
  keyed.key = "our key";
  Ledger first = site.Make(keyed);
  ASSERT_TRUE(first.Charge(Sample("q")).ok());
  const Folder folder;
  const Place second(*site.place().server, folder.File("ledger"));
  EXPECT_FALSE(Ledger::Open(second, keyed).ok()) << "it has no head yet";
  EXPECT_FALSE(Ledger::Create(second, keyed).ok()) << "there is one already";
  const Head head = first.ReadHead().value();
  EXPECT_FALSE(Join(second, {.records = head.records + 1, .hash = head.hash}, keyed.key).ok());
  EXPECT_FALSE(Join(second, {.records = 2, .hash = std::string(64, '0')}, keyed.key).ok());
  EXPECT_FALSE(Join(second, head, "their key").ok());
  ASSERT_TRUE(Join(second, head, keyed.key).ok());
  Ledger other = Ledger::Open(second, keyed).value();
  ASSERT_TRUE(other.Charge(Sample("r")).ok());
  ASSERT_TRUE(first.Charge(Sample("s")).ok());
  EXPECT_EQ(site.Fault(keyed.key), "");
}

TEST(LedgerInPostgres, TakesTheChainOfALedgerInAFileAlong) {
  const LedgerSite file(Kept::kInFile);
  OpenOptions keyed;
  keyed.key = "our key";
  std::string exported;
  {
    Ledger ledger = file.Make(keyed);
    ChargeRequest request = Sample("q");
    request.request_id = "id";
    ASSERT_TRUE(ledger.Charge(request).ok());
    ASSERT_TRUE(ledger.Charge(SampleBy("ana", "r \"quoted\" \\ {,} \u00e9")).ok());
  }
  const std::vector<StoredRecord> records = file.Records();
  for (const StoredRecord& record : records) {
    exported += R"({"hash":")" + record.hash + R"(","record":)" + record.body + "}\n";
  }
  const LedgerSite site(Kept::kInPostgres);
  std::istringstream lines(exported);
  const Result<Head> head = ImportRecords(site.place(), lines, "to several gateways", keyed.key);
  ASSERT_TRUE(head.ok()) << TextOf(head.error());
  const std::vector<StoredRecord> taken = site.Records();
  ASSERT_EQ(taken.size(), records.size() + 1);
  for (size_t i = 0; i < records.size(); ++i) EXPECT_EQ(taken[i].hash, records[i].hash);
  EXPECT_EQ(site.Fault(keyed.key), "");
  EXPECT_EQ(site.Spent(), Number("0.2"));
  Ledger ledger = site.Open(keyed).value();
  EXPECT_TRUE(ledger.Charge(Sample("s")).ok());
  std::istringstream once_more(exported);
  EXPECT_FALSE(ImportRecords(site.place(), once_more, "again", keyed.key).ok());
}

}  // namespace
}  // namespace tacit::ledger
