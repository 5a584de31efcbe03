// What comes with the beginning of a transaction: what it is sure to need, and what is expected.

#include <algorithm>

#include "ledger/postgres/connection.h"
#include "ledger/postgres/rows.h"

namespace tacit::ledger {
namespace {

// Of records that were written meanwhile: more are fetched when they are asked for.
constexpr int64_t kFetchedBehindMax = 1024;
constexpr size_t kRecordsKept = 4096;

}  // namespace

void PostgresConnection::KeepRecords(const PgRows& rows) {
  // Who reads all of a long ledger must not hold all of it.
  if (access_ == Access::kRead && known_.records.size() > kRecordsKept) known_.records.clear();
  for (int row = 0; row < rows.count(); ++row) {
    StoredRecord record = RecordAt(rows, row);
    const int64_t sequence = record.sequence;
    known_.records.insert_or_assign(sequence, std::move(record));
  }
}

void PostgresConnection::QueueState() {
  session_->Queue("newest");
  session_->Queue("accounts");
  session_->Queue("declared");
}

void PostgresConnection::TakeState(const Rows& rows, size_t& next) {
  const PgRows& newest = rows[next++];
  KeepRecords(newest);
  known_.last = FirstIntOf(newest).value_or(0);
  BookRows books;
  books.accounts = NamedTextsOf(rows[next++]);
  books.declared = NamedTextsOf(rows[next++]);
  known_.books = std::move(books);
}

// Who reads without saying what (an analyst's own charges) is given nothing of others unasked: not
// even the time that it takes.
void PostgresConnection::QueueStart(Access access) {
  if (access == Access::kWrite) session_->Queue("sealed", {int64_t{0}});
  if (access == Access::kWrite || (access == Access::kRead && !expected_.empty())) QueueState();
  QueueExpected();
}

void PostgresConnection::TakeStart(const Rows& rows, size_t next) {
  const Access access = *access_;
  if (access == Access::kWrite) known_.unsealed = AnswerHashesOf(rows[next++]);
  if (access == Access::kWrite || (access == Access::kRead && !expected_.empty())) {
    TakeState(rows, next);
  }
  TakeExpected(rows, next);
}

void PostgresConnection::QueueExpected() {
  asked_.clear();
  asked_own_.clear();
  if (!expected_.records.empty()) {
    session_->Queue("several", {WithThoseBefore(expected_.records)});
  }
  if (expected_.records_after)
    session_->Queue("behind", {*expected_.records_after, kFetchedBehindMax});
  PgArray analysts, ids;
  for (const ExpectedLookup& lookup : expected_.lookups) {
    if (!lookup.request_id.empty()) {
      analysts.Add(lookup.analyst);
      ids.Add(lookup.request_id);
    }
    for (const std::string& fingerprint : lookup.fingerprints) {
      asked_.emplace_back(fingerprint, lookup.data_version, std::nullopt);
      if (lookup.analyst.empty()) continue;
      asked_own_.emplace_back(fingerprint, lookup.data_version, lookup.analyst);
    }
  }
  if (!ids.empty()) session_->Queue("requests", {analysts.Take(), ids.Take()});
  for (std::vector<Question>* questions : {&asked_, &asked_own_}) {
    std::sort(questions->begin(), questions->end());
    questions->erase(std::unique(questions->begin(), questions->end()), questions->end());
    if (!questions->empty()) QueueAnswers(*questions, kAnswerCandidatesMax);
  }
}

void PostgresConnection::QueueAnswers(const std::vector<Question>& questions, int64_t count_max) {
  PgArray fingerprints, versions, analysts;
  for (const auto& [fingerprint, data_version, analyst] : questions) {
    fingerprints.Add(fingerprint);
    versions.Add(data_version);
    if (analyst) analysts.Add(*analyst);
  }
  std::vector<PgValue> values = {fingerprints.Take(), versions.Take(), count_max};
  const bool own = !analysts.empty();
  if (own) values.emplace_back(analysts.Take());
  session_->Queue(own ? "own_answers" : "answers", values);
}

void PostgresConnection::TakeExpected(const Rows& rows, size_t& next) {
  if (!expected_.records.empty()) KeepRecords(rows[next++]);
  if (expected_.records_after) KeepRecords(rows[next++]);
  bool asks = false;
  for (const ExpectedLookup& lookup : expected_.lookups) {
    if (lookup.request_id.empty()) continue;
    asks = true;
    known_.requests.emplace(std::pair(lookup.analyst, lookup.request_id), std::nullopt);
  }
  if (asks) {
    const PgRows& found = rows[next++];
    for (int row = 0; row < found.count(); ++row) {
      known_.requests[{found.Text(row, 0), found.Text(row, 1)}] = found.Int(row, 2);
    }
  }
  for (const std::vector<Question>* questions : {&asked_, &asked_own_}) {
    if (questions->empty()) continue;
    for (const Question& question : *questions) known_.answers[question];
    const PgRows& found = rows[next++];
    for (int row = 0; row < found.count(); ++row) {
      const size_t number = static_cast<size_t>(found.Int(row, 0));
      known_.answers[questions->at(number - 1)].push_back(ReleaseAt(found, row, 1));
    }
  }
}

}  // namespace tacit::ledger
