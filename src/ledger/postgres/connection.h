#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ledger/postgres/session.h"
#include "ledger/storage.h"

// The ledger's rows in the tables of one schema (tables.h).
//
// Every wait for the server is time in which nobody else may write. So what a transaction is sure
// to need comes with its Begin, what the caller expects to look for as well, and what it adds is
// sent with its Commit: two waits for a transaction of many charges. What was fetched or added is
// remembered until the transaction ends, and no longer.

namespace tacit::ledger {

class PostgresConnection final : public StorageConnection {
 public:
  enum class Sharing {
    kShared,
    kReadOnly,  // never writes: a replica will do
    kAlone,     // nobody else has the ledger open, and nobody can open it meanwhile
  };
  struct Options {
    Sharing sharing = Sharing::kShared;
    int busy_timeout_ms = 10000;
  };

  // kUnavailable where the server, its settings or its tables are not what a ledger needs.
  static Result<std::unique_ptr<PostgresConnection>> Open(const PostgresPlace& place,
                                                          const Options& options);

  void Expect(Expected expected) override { expected_ = std::move(expected); }
  Result<Done> Begin(Access access) override;
  Result<Done> Commit() override;
  void RollBack() noexcept override;
  bool MustStop() const override { return must_stop_; }

  Result<std::optional<StoredRecord>> FindRecord(int64_t sequence) override;
  Result<std::vector<StoredRecord>> FindRecords(const std::vector<int64_t>& sequences) override;
  Result<std::vector<StoredRecord>> RecordsAfter(int64_t sequence, int64_t count_max) override;
  Result<std::optional<StoredRecord>> LastRecord() override;
  Result<BookRows> ReadBooks() override;
  Result<std::optional<int64_t>> FindRequest(const std::string& analyst,
                                             const std::string& request_id) override;
  Result<std::optional<int64_t>> FindPayment(const std::string& analyst,
                                             const ReleaseId& release) override;
  Result<PayingRecords> FindPaying(const std::string& analyst, int64_t newest_max) override;
  Result<std::vector<int64_t>> FindPayingAfter(const std::string& analyst, int64_t after,
                                               int64_t newest_max) override;
  Result<std::vector<ReleaseId>> FindAnswers(const AnswerSearch& search,
                                             int64_t count_max) override;
  Result<std::optional<AnswerBytes>> FindAnswer(const ReleaseId& id) override;
  Result<std::vector<AnswerHash>> AnswersSealedBy(int64_t sequence) override;

  Result<Done> Append(const Addition& addition) override;
  Result<Done> SaveAnswer(const AnswerRow& answer, const std::string& bytes) override;
  // Every transaction that writes changes a row of its own, and its commit waits for the disk.
  Result<Done> WriteMark() override { return Done{}; }

  Result<Done> ForEachRecord(const Each<StoredRecord>& each) override;
  Result<Done> ForEachRequest(const Each<RequestRow>& each) override;
  Result<Done> ForEachPayment(const Each<PaymentRow>& each) override;
  Result<Done> ForEachAnswer(const Each<AnswerRow>& each) override;
  // The server looks after its pages; verifying reads every row.
  Result<std::string> FindFault() override { return std::string(); }

  Result<int64_t> Version() override;
  Result<Done> TidyUp(bool) override { return Done{}; }

 private:
  using Rows = std::vector<PgRows>;
  // One question's stored answers; without an analyst: whoever paid for them.
  using Question = std::tuple<std::string, int64_t, std::optional<std::string>>;

  // Of one transaction.
  struct Known {
    std::map<int64_t, StoredRecord> records;
    std::optional<int64_t> last;  // the last record's sequence; 0: there is none
    std::optional<BookRows> books;
    std::optional<std::vector<AnswerHash>> unsealed;
    std::map<std::pair<std::string, std::string>, std::optional<int64_t>> requests;
    std::map<Question, std::vector<ReleaseId>> answers;
  };

  PostgresConnection(PostgresPlace place, const Options& options)
      : place_(std::move(place)), options_(options) {}

  // A session that is ready for this ledger.
  Result<Done> Connect();
  Result<Done> MakeReady();
  Result<Done> CheckServer(const PgRows& facts) const;
  Result<Done> HoldPlace(int64_t schema);
  // Whatever is queued, run; after a failure the transaction cannot go on.
  Result<Rows> Run();
  // One statement that reads.
  Result<PgRows> Ask(const char* name, const std::vector<PgValue>& values = {});

  Result<Done> TryBegin(Access access);
  Result<Done> CheckLock(const PgRows& rows, Access access) const;
  void Forget() noexcept;
  // read_ahead.cc
  // The last records and the books: what nearly every transaction needs.
  void QueueState();
  void TakeState(const Rows& rows, size_t& next);
  Result<Done> ReadState();
  // Queues what a transaction is sure to need, and what is expected; takes it from the results.
  void QueueStart(Access access);
  void TakeStart(const Rows& rows, size_t next);
  void QueueExpected();
  void QueueAnswers(const std::vector<Question>& questions, int64_t count_max);
  void TakeExpected(const Rows& rows, size_t& next);
  void KeepRecords(const PgRows& rows);

  // write_rows.cc
  void QueuePending();
  void QueueBooks(const char* name, std::map<std::string, std::string>& rows);
  // After a commit whose word was lost.
  Result<Done> FindOut(int64_t sequence);
  Result<std::optional<std::string>> ActOf(int64_t sequence);

  PostgresPlace place_;
  Options options_;
  std::unique_ptr<PostgresSession> session_;  // null, or lost: connected when needed
  // Drawn for each session: a server that was started anew may have lost the last answers, and
  // counts on from before them.
  int64_t session_mark_ = 0;
  bool must_stop_ = false;

  std::optional<Access> access_;  // of the transaction that is open
  Expected expected_;
  std::vector<Question> asked_;  // of the expected ones, in the order of their parameters
  std::vector<Question> asked_own_;
  Known known_;

  // Added, and not yet sent.
  Addition pending_;
  std::map<std::string, std::string> pending_accounts_;
  std::map<std::string, std::string> pending_declared_;
  std::string act_;         // names this transaction's records
  int64_t last_added_ = 0;  // the last of them; 0: none
};

}  // namespace tacit::ledger
