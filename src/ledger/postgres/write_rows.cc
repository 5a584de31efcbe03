// What is put into the tables: remembered while a transaction goes on, and sent with its commit.

#include <algorithm>
#include <chrono>
#include <thread>

#include "ledger/postgres/connection.h"

namespace tacit::ledger {
namespace {

// Why 8 MiB: of records in one statement, when a whole ledger is imported.
constexpr size_t kStatementBytesMax = size_t{8} << 20;

void PutRow(std::vector<NamedText>& rows, const NamedText& row) {
  const auto at =
      std::lower_bound(rows.begin(), rows.end(), row,
                       [](const NamedText& a, const NamedText& b) { return a.first < b.first; });
  if (at != rows.end() && at->first == row.first) {
    at->second = row.second;
  } else {
    rows.insert(at, row);
  }
}

}  // namespace

Result<Done> PostgresConnection::Append(const Addition& addition) {
  if (addition.seal != 0) {
    if (pending_.seal != 0) QueuePending();
    pending_.seal = addition.seal;
    known_.unsealed.emplace();
  }
  for (const StoredRecord& record : addition.records) {
    pending_.records.push_back(record);
    known_.records.insert_or_assign(record.sequence, record);
    known_.last = record.sequence;
    last_added_ = record.sequence;
  }
  for (const RequestRow& row : addition.requests) {
    pending_.requests.push_back(row);
    known_.requests[{row.analyst, row.id}] = row.sequence;
  }
  for (const PaymentRow& row : addition.payments) {
    pending_.payments.push_back(row);
    // An answer that others had paid for is the analyst's own from here on. (One to a release of
    // this very record is not there yet.)
    if (row.release.sequence == row.sequence) continue;
    std::erase_if(known_.answers,
                  [&](const auto& known) { return std::get<2>(known.first) == row.analyst; });
  }
  for (const NamedText& row : addition.books.accounts) {
    pending_accounts_[row.first] = row.second;
    if (known_.books) PutRow(known_.books->accounts, row);
  }
  for (const NamedText& row : addition.books.declared) {
    pending_declared_[row.first] = row.second;
    if (known_.books) PutRow(known_.books->declared, row);
  }
  return Done{};
}

void PostgresConnection::QueueBooks(const char* name, std::map<std::string, std::string>& rows) {
  if (rows.empty()) return;
  PgArray names, texts;
  for (const auto& [key, text] : rows) {
    names.Add(key);
    texts.Add(text);
  }
  session_->Queue(name, {names.Take(), texts.Take()});
  rows.clear();
}

void PostgresConnection::QueuePending() {
  if (pending_.seal != 0) session_->Queue("seal", {pending_.seal});
  PgArray sequences, bodies, hashes;
  const auto queue_records = [&] {
    session_->Queue("add_records", {sequences.Take(), bodies.Take(), hashes.Take(), act_});
  };
  for (const StoredRecord& record : pending_.records) {
    sequences.Add(record.sequence);
    bodies.Add(record.body);
    hashes.Add(record.hash);
    if (bodies.size() > kStatementBytesMax) queue_records();
  }
  if (!sequences.empty()) queue_records();
  if (!pending_.requests.empty()) {
    PgArray analysts, ids, records;
    for (const RequestRow& row : pending_.requests) {
      analysts.Add(row.analyst);
      ids.Add(row.id);
      records.Add(row.sequence);
    }
    session_->Queue("add_requests", {analysts.Take(), ids.Take(), records.Take()});
  }
  if (!pending_.payments.empty()) {
    PgArray analysts, releases, ordinals, records;
    for (const PaymentRow& row : pending_.payments) {
      analysts.Add(row.analyst);
      releases.Add(row.release.sequence);
      ordinals.Add(static_cast<int64_t>(row.release.ordinal));
      records.Add(row.sequence);
    }
    session_->Queue("add_payments",
                    {analysts.Take(), releases.Take(), ordinals.Take(), records.Take()});
  }
  QueueBooks("set_accounts", pending_accounts_);
  QueueBooks("set_declared", pending_declared_);
  pending_ = {};
}

Result<Done> PostgresConnection::SaveAnswer(const AnswerRow& answer, const std::string& bytes) {
  known_.answers.clear();
  known_.unsealed.reset();
  TACIT_TRY(
      const PgRows saved,
      Ask("save", {answer.id.sequence, static_cast<int64_t>(answer.id.ordinal), answer.fingerprint,
                   answer.data_version, answer.sealed_by, answer.hash, PgValue::Bytes(bytes)}));
  if (saved.changed() == 1) return Done{};
  return PostgresUnavailable("the release has a stored answer already");
}

// proof: ledger/recovery.md#what-postgresql-promises-and-what-is-built-on-it
Result<Done> PostgresConnection::Commit() {
  const int64_t added = last_added_;
  const bool is_charge = *access_ == Access::kWrite && added != 0;
  QueuePending();
  session_->QueueText("COMMIT");
  const Result<Rows> done = Run();
  if (done.ok() && done->back().Tag() == "COMMIT") {
    access_.reset();
    Forget();
    return Done{};
  }
  const bool lost = session_->lost();
  RollBack();
  if (done.ok()) {
    return PostgresUnavailable("the database gave the transaction up instead of writing it");
  }
  // What the server refused is not there. What it did not answer, nobody knows yet.
  if (!lost || !is_charge) return done.error();
  return FindOut(added);
}

// The record, if it is there, bears this transaction's own mark: another gateway's charge may have
// the same place, and even the same bytes. The lock is had once the transaction that was cut off
// has ended, one way or the other.
// proof: ledger/recovery.md#a-commit-whose-word-was-lost
Result<Done> PostgresConnection::FindOut(int64_t sequence) {
  constexpr std::chrono::milliseconds kPause{100};
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(2 * options_.busy_timeout_ms);
  std::string why;
  do {
    const Result<std::optional<std::string>> act = ActOf(sequence);
    if (act.ok()) {
      if (*act == act_) return Done{};
      return PostgresUnavailable(
          "the connection to the ledger's database was lost before the charge was written",
          "nothing was charged: ask again");
    }
    why = act.error().private_detail;
    std::this_thread::sleep_for(kPause);
  } while (std::chrono::steady_clock::now() < until);
  return PostgresUnavailable(
      "the connection to the ledger's database was lost while a charge was written; whether it "
      "stands is not known yet",
      "ask again under the same request id when the database is back", why);
}

Result<std::optional<std::string>> PostgresConnection::ActOf(int64_t sequence) {
  if (session_ == nullptr || session_->lost()) TACIT_CHECK(Connect());
  session_->QueueText("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
  session_->Queue("lock");
  session_->Queue("act", {sequence});
  const Result<Rows> rows = Run();
  session_->Post("ROLLBACK");
  if (!rows.ok()) return rows.error();
  const PgRows& found = rows->back();
  return found.count() == 0 ? std::nullopt : std::optional(found.Text(0, 0));
}

}  // namespace tacit::ledger
