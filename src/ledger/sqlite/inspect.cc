#include "ledger/inspect.h"

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

}  // namespace tacit::ledger
