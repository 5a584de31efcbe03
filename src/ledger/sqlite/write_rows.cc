// What is put into the tables.

#include "ledger/sqlite/connection.h"

namespace tacit::ledger {

Result<Done> SqliteConnection::Append(const Addition& addition) {
  if (addition.seal != 0) {
    TACIT_TRY(SqliteStatement update,
              database_->Prepare("UPDATE release SET sealed_by = ? WHERE sealed_by = 0"));
    TACIT_CHECK(update.Bind(addition.seal).Execute());
  }
  for (const PaymentRow& row : addition.payments) {
    TACIT_TRY(SqliteStatement insert,
              database_->Prepare("INSERT INTO payment (analyst, release_seq, ordinal, seq) "
                                 "VALUES (?, ?, ?, ?)"));
    insert.Bind(row.analyst).Bind(row.release.sequence);
    insert.Bind(static_cast<int64_t>(row.release.ordinal)).Bind(row.sequence);
    TACIT_CHECK(insert.Execute());
  }
  for (const RequestRow& row : addition.requests) {
    TACIT_TRY(SqliteStatement insert,
              database_->Prepare("INSERT INTO request (analyst, id, seq) VALUES (?, ?, ?)"));
    TACIT_CHECK(insert.Bind(row.analyst).Bind(row.id).Bind(row.sequence).Execute());
  }
  for (const StoredRecord& row : addition.records) {
    TACIT_TRY(SqliteStatement insert,
              database_->Prepare("INSERT INTO record (seq, body, hash) VALUES (?, ?, ?)"));
    TACIT_CHECK(insert.Bind(row.sequence).Bind(row.body).Bind(row.hash).Execute());
  }
  for (const auto& [analyst, entry] : addition.books.accounts) {
    TACIT_TRY(SqliteStatement save,
              database_->Prepare("INSERT OR REPLACE INTO book (analyst, entry) VALUES (?, ?)"));
    TACIT_CHECK(save.Bind(analyst).Bind(entry).Execute());
  }
  for (const auto& [name, text] : addition.books.declared) {
    TACIT_TRY(SqliteStatement save,
              database_->Prepare("INSERT OR REPLACE INTO declared (name, text) VALUES (?, ?)"));
    TACIT_CHECK(save.Bind(name).Bind(text).Execute());
  }
  return Done{};
}

Result<Done> SqliteConnection::InsertAnswer(const AnswerRow& answer, const std::string& bytes) {
  TACIT_TRY(SqliteStatement insert,
            database_->Prepare("INSERT INTO release (seq, ordinal, fingerprint, data_version, "
                               "sealed_by, hash) VALUES (?, ?, ?, ?, ?, ?)"));
  insert.Bind(answer.id.sequence).Bind(static_cast<int64_t>(answer.id.ordinal));
  insert.Bind(answer.fingerprint).Bind(answer.data_version).Bind(answer.sealed_by);
  TACIT_CHECK(insert.Bind(answer.hash).Execute());
  // In a table of their own: sealing must not write large answers again.
  TACIT_TRY(SqliteStatement kept, database_->Prepare("INSERT INTO answer (id, bytes) "
                                                     "VALUES (last_insert_rowid(), ?)"));
  return kept.BindBlob(bytes).Execute();
}

Result<Done> SqliteConnection::SaveAnswer(const AnswerRow& answer, const std::string& bytes) {
  TACIT_CHECK(database_->Run("SAVEPOINT answer"));
  half_written_ = true;
  Result<Done> saved = InsertAnswer(answer, bytes);
  if (!saved.ok()) TACIT_CHECK(database_->Run("ROLLBACK TO answer"));
  TACIT_CHECK(database_->Run("RELEASE answer"));
  half_written_ = false;
  return saved;
}

}  // namespace tacit::ledger
