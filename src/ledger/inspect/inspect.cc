#include "ledger/inspect.h"

#include <algorithm>

#include "ledger/chain/checked_books.h"
#include "ledger/decide/declarations.h"
#include "ledger/storage.h"

namespace tacit::ledger {

Result<Done> ForEachRecord(Storage& storage,
                           const std::function<Result<Done>(const StoredRecord&)>& each) {
  TACIT_TRY(const std::unique_ptr<Chain> chain, Chain::Connect(storage, OwnerKey()));
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*chain, Transaction::Access::kRead));
  return chain->rows->ForEachRecord(each);
}

Result<Done> ForEachChargeOf(
    Storage& storage, const std::string& analyst, int64_t newest_max,
    const std::function<Result<Done>(int64_t number, const StoredRecord&)>& each) {
  TACIT_TRY(const std::unique_ptr<Chain> chain, Chain::Connect(storage, OwnerKey()));
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*chain, Transaction::Access::kRead));
  // Every charge of an analyst pays for something: payments are kept by analyst, records are not.
  TACIT_TRY(const PayingRecords paying, chain->rows->FindPaying(analyst, newest_max));
  int64_t number = paying.count - static_cast<int64_t>(paying.newest.size());
  // Why 500: records may have a megabyte each, and most have one kilobyte.
  constexpr size_t kAtOnce = 500;
  for (size_t next = 0; next < paying.newest.size(); next += kAtOnce) {
    const auto first = paying.newest.begin() + static_cast<std::ptrdiff_t>(next);
    const auto count = static_cast<std::ptrdiff_t>(std::min(kAtOnce, paying.newest.size() - next));
    TACIT_TRY(const std::vector<StoredRecord> records,
              chain->rows->FindRecords({first, first + count}));
    auto found = records.begin();
    for (auto sequence = first; sequence != first + count; ++sequence) {
      ++number;
      if (found == records.end() || found->sequence != *sequence) continue;
      TACIT_CHECK(each(number, *found++));
    }
  }
  return Done{};
}

Result<std::vector<Account>> ReadAccounts(Storage& storage) {
  TACIT_TRY(const std::unique_ptr<Chain> chain, Chain::Connect(storage, OwnerKey()));
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*chain, Transaction::Access::kRead));
  TACIT_TRY(const CheckedBooks checked, LoadBooks(*chain));
  std::vector<Account> accounts;
  for (const auto& [analyst, entry] : checked.books->entries) {
    accounts.push_back({.analyst = analyst,
                        .spent = entry.spent,
                        .recorded_budget = entry.budget,
                        .charges = entry.charges});
  }
  return accounts;
}

Result<Done> CheckDeclarations(Storage& storage, const Declarations& declarations,
                               const std::vector<std::string>& public_tables) {
  TACIT_TRY(const std::unique_ptr<Chain> chain, Chain::Connect(storage, OwnerKey()));
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*chain, Transaction::Access::kRead));
  TACIT_TRY(const CheckedBooks checked, LoadBooks(*chain));
  TACIT_CHECK(NewDeclarations(declarations, public_tables, checked.books->declarations));
  return Done{};
}

}  // namespace tacit::ledger
