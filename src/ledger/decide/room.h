#pragma once

#include "base/result.h"
#include "ledger/chain/books.h"

// Whether a charge fits what is left, and what is said when it does not.

namespace tacit::ledger {

// What the dataset (empty name) or an analyst has spent, and what the budget leaves.
Result<Balance> BalanceIn(const Books& books, const std::string& analyst, Accounting accounting,
                          const std::optional<Budget>& budget);
// The same under the limits that hold for whom it is.
Result<Balance> BalanceIn(const Books& books, const std::string& analyst, const Limits& limits);

// kBudgetExhausted when it does not fit. `own` is the asker's balance before. A quote to an analyst
// says nothing of the dataset's room.
Result<Done> CheckRoom(const ChargeRequest& request, const Books& books, const ChargeAct& charge,
                       const Balance& own, bool is_quote);

}  // namespace tacit::ledger
