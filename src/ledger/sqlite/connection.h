#pragma once

#include <memory>
#include <string>

#include "ledger/sqlite/database.h"
#include "ledger/storage.h"

// The ledger's rows in the tables of one SQLite file (docs/ledger_format.md).

namespace tacit::ledger {

class SqliteConnection final : public StorageConnection {
 public:
  explicit SqliteConnection(std::unique_ptr<SqliteDatabase> database)
      : database_(std::move(database)) {}

  // In a new, empty file, inside a transaction.
  Result<Done> MakeTables();
  // The file is a ledger of this format. A newer one is refused by name.
  Result<Done> CheckFormat();

  Result<Done> Begin(Access access) override;
  Result<Done> Commit() override;
  void RollBack() noexcept override;
  bool MustStop() const override;

  Result<std::optional<StoredRecord>> FindRecord(int64_t sequence) override;
  Result<std::optional<StoredRecord>> LastRecord() override;
  Result<BookRows> ReadBooks() override;
  Result<std::optional<int64_t>> FindRequest(const std::string& analyst,
                                             const std::string& request_id) override;
  Result<PayingRecords> FindPaying(const std::string& analyst, int64_t newest_max) override;
  Result<std::vector<int64_t>> FindPayingAfter(const std::string& analyst, int64_t after,
                                               int64_t newest_max) override;
  Result<std::optional<int64_t>> FindPayment(const std::string& analyst,
                                             const ReleaseId& release) override;
  Result<std::vector<ReleaseId>> FindAnswers(const AnswerSearch& search,
                                             int64_t count_max) override;
  Result<std::optional<AnswerBytes>> FindAnswer(const ReleaseId& id) override;
  Result<std::vector<AnswerHash>> AnswersSealedBy(int64_t sequence) override;

  Result<Done> Append(const Addition& addition) override;
  Result<Done> SaveAnswer(const AnswerRow& answer, const std::string& bytes) override;
  Result<Done> WriteMark() override;

  Result<Done> ForEachRecord(const Each<StoredRecord>& each) override;
  Result<Done> ForEachRequest(const Each<RequestRow>& each) override;
  Result<Done> ForEachPayment(const Each<PaymentRow>& each) override;
  Result<Done> ForEachAnswer(const Each<AnswerRow>& each) override;
  Result<std::string> FindFault() override;

  Result<int64_t> Version() override;
  Result<Done> TidyUp(bool somebody_waits) override;

  SqliteDatabase& database() { return *database_; }

 private:
  Result<Done> InsertAnswer(const AnswerRow& answer, const std::string& bytes);

  std::unique_ptr<SqliteDatabase> database_;
  bool half_written_ = false;  // an answer that could not be taken back alone: nothing is committed
};

}  // namespace tacit::ledger
