#include "ledger/postgres/connection.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "base/secrets/entropy.h"
#include "ledger/chain/chain.h"
#include "ledger/postgres/statements.h"
#include "ledger/postgres/tables.h"

namespace tacit::ledger {
namespace {

// "TCLG": with the schema's number, the advisory lock that everybody shares who has it open.
constexpr int64_t kAdvisoryLock = 0x54434c47;

// How long the last ones who had the ledger open may take to be gone.
constexpr int kAloneWaitMs = 2000;

std::string RandomAct() {
  char text[40];
  Entropy& entropy = Entropy::ForThisThread();
  std::snprintf(text, sizeof text, "%016llx%016llx",
                static_cast<unsigned long long>(entropy.NextWord()),
                static_cast<unsigned long long>(entropy.NextWord()));
  return text;
}

}  // namespace

Result<std::unique_ptr<PostgresConnection>> PostgresConnection::Open(const PostgresPlace& place,
                                                                     const Options& options) {
  std::unique_ptr<PostgresConnection> connection(new PostgresConnection(place, options));
  if (Result<Done> connected = connection->Connect(); !connected.ok()) {
    // Whoever opens a ledger hears what is wrong; a running gateway writes it to its log.
    Error error = std::move(connected).error();
    const std::string said = error.private_detail.substr(0, error.private_detail.find('\n'));
    if (!said.empty()) error.public_message += ": " + said;
    return error;
  }
  return connection;
}

Result<Done> PostgresConnection::Connect() {
  Result<Done> ready = MakeReady();
  if (!ready.ok()) session_.reset();
  return ready;
}

Result<Done> PostgresConnection::MakeReady() {
  // Beyond what the server itself allows a statement.
  TACIT_TRY(session_, PostgresSession::Connect(place_, options_.busy_timeout_ms + 10'000));
  session_mark_ = static_cast<int64_t>(Entropy::ForThisThread().NextWord());
  const std::string busy = std::to_string(options_.busy_timeout_ms);
  session_->QueueText("SET search_path = pg_catalog");
  session_->QueueText("SET lock_timeout = " + busy);
  session_->QueueText("SET statement_timeout = " + std::to_string(options_.busy_timeout_ms + 5000));
  // A gateway that fell silent in the middle of a charge: the others go on without it.
  session_->QueueText("SET idle_in_transaction_session_timeout = " +
                      std::to_string(std::max(1000, options_.busy_timeout_ms / 2)));
  session_->QueueText("SET bytea_output = 'hex'");
  // Rows are looked up by their keys, however few there were when the server planned it.
  for (const char* way : {"seqscan", "hashjoin", "mergejoin"}) {
    session_->QueueText(std::string("SET enable_") + way + " = off");
  }
  session_->QueueText("SET plan_cache_mode = force_generic_plan");
  session_->QueueText("SET jit = off");
  session_->QueueText(
      "SELECT current_setting('server_version_num')::bigint, current_setting('server_encoding'), "
      "current_setting('fsync'), pg_is_in_recovery() OR "
      "current_setting('default_transaction_read_only')::boolean, "
      "(SELECT oid::bigint FROM pg_namespace WHERE nspname = '" +
      place_.schema + "')");
  TACIT_TRY(const Rows rows, Run());
  TACIT_CHECK(CheckServer(rows.back()));
  TACIT_CHECK(HoldPlace(rows.back().Int(0, 4)));
  for (const PgStatement& statement : kPgStatements) {
    session_->Prepare(statement.name, InSchema(statement.sql, place_.schema));
  }
  session_->Queue("version");
  TACIT_TRY(const Rows prepared, Run());
  const PgRows& own = prepared.back();
  if (own.count() != 1) {
    return PostgresUnavailable("schema " + place_.schema +
                                   " holds the tables of a ledger without "
                                   "its own row",
                               "run: tacit ledger verify");
  }
  if (own.Int(0, 1) == kPostgresFormat) return Done{};
  return PostgresUnavailable("the ledger has format " + std::to_string(own.Int(0, 1)) +
                                 ", this program knows format " + std::to_string(kPostgresFormat),
                             "use the version of Tacit that wrote it, or a later one");
}

// proof: ledger/recovery.md#what-postgresql-promises-and-what-is-built-on-it
Result<Done> PostgresConnection::CheckServer(const PgRows& facts) const {
  if (facts.Int(0, 0) < kPostgresVersionMin) {
    return PostgresUnavailable(
        "the ledger's PostgreSQL is too old: version " + std::to_string(facts.Int(0, 0) / 10000),
        "use PostgreSQL " + std::to_string(kPostgresVersionMin / 10000) + " or later");
  }
  if (facts.Text(0, 1) != "UTF8") {
    return PostgresUnavailable("the ledger's database has the encoding " + facts.Text(0, 1),
                               "keep the ledger in a database made with ENCODING 'UTF8'");
  }
  if (facts.IsNull(0, 4)) {
    return PostgresUnavailable(
        "there is no ledger in schema " + place_.schema + " of that database",
        "a missing ledger is never replaced by a new one, because that would give the budget "
        "back; the first time, make it: tacit ledger create");
  }
  if (options_.sharing == Sharing::kReadOnly) return Done{};
  if (facts.IsTrue(0, 3)) {
    return PostgresUnavailable(
        "the ledger's database is read-only: it is a replica, or its role "
        "may only read",
        "name the server that takes writes in the ledger's dsn");
  }
  if (facts.Text(0, 2) == "on") return Done{};
  return PostgresUnavailable(
      "the ledger's PostgreSQL runs with fsync off: a power failure would give budget back",
      "set fsync = on in its postgresql.conf");
}

Result<Done> PostgresConnection::HoldPlace(int64_t schema) {
  const bool alone = options_.sharing == Sharing::kAlone;
  // The numbers of schemas have 32 bits without a sign, those of the lock have one.
  const std::string lock = std::string("SELECT pg_try_advisory_lock") + (alone ? "" : "_shared") +
                           "(" + std::to_string(kAdvisoryLock) + ", " +
                           std::to_string(static_cast<int32_t>(schema)) + ")";
  constexpr int kPauseMs = 50;
  for (int waited = 0;; waited += kPauseMs) {
    session_->QueueText(lock);
    TACIT_TRY(const Rows rows, Run());
    if (rows.back().IsTrue(0, 0)) return Done{};
    if (waited >= kAloneWaitMs) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(kPauseMs));
  }
  return PostgresUnavailable("another program has the ledger open",
                             alone ? "stop the server on every gateway, and whatever else uses "
                                     "this ledger, then run this again"
                                   : "stop the server or wait until tacit ledger accept, import or "
                                     "create is done, then run this again");
}

Result<PostgresConnection::Rows> PostgresConnection::Run() {
  Result<Rows> rows = session_->Run();
  if (!rows.ok() && session_->last_state().starts_with("XX00")) must_stop_ = true;
  return rows;
}

Result<PgRows> PostgresConnection::Ask(const char* name, const std::vector<PgValue>& values) {
  QueuePending();
  session_->Queue(name, values);
  TACIT_TRY(Rows rows, Run());
  return std::move(rows.back());
}

void PostgresConnection::Forget() noexcept {
  known_ = {};
  pending_ = {};
  pending_accounts_.clear();
  pending_declared_.clear();
  last_added_ = 0;
}

// A server that was started anew since the last transaction is connected to again: nothing was
// begun there.
// proof: ledger/recovery.md#what-postgresql-promises-and-what-is-built-on-it
Result<Done> PostgresConnection::Begin(Access access) {
  RollBack();
  const bool was_connected = session_ != nullptr && !session_->lost();
  Result<Done> begun = TryBegin(access);
  if (!begun.ok() && was_connected && (session_ == nullptr || session_->lost())) {
    begun = TryBegin(access);
  }
  expected_ = {};
  if (!begun.ok()) RollBack();
  return begun;
}

Result<Done> PostgresConnection::TryBegin(Access access) {
  if (session_ == nullptr || session_->lost()) TACIT_CHECK(Connect());
  access_ = access;
  if (access == Access::kRead) {
    session_->QueueText("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    QueueStart(access);
    TACIT_TRY(const Rows rows, Run());
    TakeStart(rows, 1);
    return Done{};
  }
  act_ = RandomAct();
  // What stands behind the lock is read when the lock is held: each statement sees what was
  // committed before it.
  session_->QueueText("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
  session_->QueueText(access == Access::kWrite ? "SET LOCAL synchronous_commit = on"
                                               : "SET LOCAL synchronous_commit = off");
  session_->Queue("lock");
  QueueStart(access);
  TACIT_TRY(const Rows rows, Run());
  TACIT_CHECK(CheckLock(rows[2], access));
  TakeStart(rows, 3);
  return Done{};
}

Result<Done> PostgresConnection::CheckLock(const PgRows& rows, Access access) const {
  if (rows.count() != 1) return Damaged("the row that writers lock is missing");
  if (rows.Int(0, 0) != kPostgresFormat) return Damaged("its format changed under this program");
  if (access == Access::kWrite && rows.Text(0, 1) != "on") {
    return PostgresUnavailable(
        "the database does not wait for its disk: synchronous_commit is " + rows.Text(0, 1),
        "let the ledger's role set synchronous_commit");
  }
  return Done{};
}

void PostgresConnection::RollBack() noexcept {
  if (access_ && session_ != nullptr) session_->Post("ROLLBACK");
  access_.reset();
  Forget();
}

Result<int64_t> PostgresConnection::Version() {
  const bool was_connected = session_ != nullptr && !session_->lost();
  if (!was_connected) TACIT_CHECK(Connect());
  Result<PgRows> rows = Ask("version");
  if (!rows.ok() && was_connected && session_->lost()) {
    TACIT_CHECK(Connect());
    rows = Ask("version");
  }
  if (!rows.ok()) return std::move(rows).error();
  if (rows->count() != 1) return Damaged("the row that writers lock is missing");
  return rows->Int(0, 0) ^ session_mark_;
}

}  // namespace tacit::ledger
