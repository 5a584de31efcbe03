#include "ledger/inspect.h"

#include <unistd.h>

#include "ledger/sqlite/decide.h"
#include "ledger/sqlite/files.h"
#include "ledger/sqlite/tables.h"

namespace tacit::ledger {
namespace {

// For reading only. A ledger on a read-only medium is still readable when its -shm can be made.
Result<std::unique_ptr<Database>> ConnectToRead(const std::string& path) {
  Database::Options how;
  how.flags = SQLITE_OPEN_READONLY;
  return Connect(path, how);
}

}  // namespace

Result<Done> ForEachRecord(const std::string& path,
                           const std::function<Result<Done>(const StoredRecord&)>& each) {
  TACIT_TRY(const std::unique_ptr<Database> database, ConnectToRead(path));
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*database, Transaction::Kind::kRead));
  TACIT_TRY(Statement query, database->Prepare("SELECT seq, body, hash FROM record ORDER BY seq"));
  while (true) {
    TACIT_TRY(const bool row, query.Step());
    if (!row) return Done{};
    TACIT_CHECK(each({.sequence = query.Int(0), .body = query.Text(1), .hash = query.Text(2)}));
  }
}

Result<std::vector<Account>> ReadAccounts(const std::string& path) {
  TACIT_TRY(const std::unique_ptr<Database> database, ConnectToRead(path));
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*database, Transaction::Kind::kRead));
  TACIT_TRY(const CheckedBooks checked, LoadBooks(*database));
  std::vector<Account> accounts;
  for (const auto& [analyst, entry] : checked.books->entries) {
    accounts.push_back({.analyst = analyst,
                        .spent = entry.spent,
                        .recorded_budget = entry.budget,
                        .charges = entry.charges});
  }
  return accounts;
}

Result<Done> CheckDeclarations(const std::string& path, const Declarations& declarations,
                               const std::vector<std::string>& public_tables) {
  TACIT_TRY(const std::unique_ptr<Database> database, ConnectToRead(path));
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*database, Transaction::Kind::kRead));
  TACIT_TRY(const CheckedBooks checked, LoadBooks(*database));
  TACIT_CHECK(NewDeclarations(declarations, public_tables, checked.books->declarations));
  return Done{};
}

Result<Head> AcceptRestored(const std::string& path, const std::string& reason) {
  if (reason.empty() || reason.size() > 1000) {
    return InvalidArgument("accepting a restored ledger needs a reason of at most 1000 bytes");
  }
  TACIT_TRY(const Verification whole, Verify(path));
  if (!whole.fault.empty()) {
    return Error{.code = ErrorCode::kUnavailable,
                 .public_message = "this ledger cannot be accepted: " + whole.fault,
                 .hint = "restore a copy that verifies",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
  const std::string head_path = HeadFile::PathOf(path);
  std::string head_before;
  if (const Result<HeadFile> known = HeadFile::Open(head_path); known.ok()) {
    if (const Result<Head> head = known->Read(); head.ok()) {
      head_before = std::to_string(head->records) + ":" + head->hash;
    }
  }
  TACIT_TRY(const std::unique_ptr<Database> database, Connect(path, {}));
  TACIT_TRY(Transaction transaction, Transaction::Begin(*database, Transaction::Kind::kWrite));
  TACIT_TRY(const CheckedBooks checked, LoadBooks(*database));
  const Books& before = *checked.books;
  Books after = before;
  Record record{.sequence = before.sequence + 1,
                .time = TimeText({}),
                .state = "",
                .act = RestoreAct{.reason = reason, .head_before = head_before}};
  TACIT_CHECK(Post(record, after));
  record.state = HashOf(after);
  TACIT_TRY(const std::string hash, AppendRecord(*database, record, checked.head_hash));
  TACIT_CHECK(SaveBooks(*database, before, after, record.state));
  TACIT_CHECK(transaction.Commit());
  const Head head{.records = record.sequence, .hash = hash};
  unlink(head_path.c_str());
  TACIT_CHECK(HeadFile::Create(head_path, head));
  return head;
}

}  // namespace tacit::ledger
