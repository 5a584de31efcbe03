#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"
#include "ledger/record.h"
#include "ledger/sqlite/tables.h"

namespace tacit::ledger {

// A stored answer that serves a wish, and whether the analyst has to pay for it first.
struct StoredAnswer {
  PaidRelease release;
  std::string bytes;
  bool analyst_pays = false;
  int64_t paid_by = 0;  // the record that paid for it: the analyst's own if there is one
};

// The stored answer for `wish` that was made from exactly `made_from`: one the analyst may have for
// nothing before one to pay for, then the finest, then the oldest.
//
// An analyst who pays gets no answer finer than the price asked covers: the price asked is the
// price paid, and the analyst's budget has to bound what the analyst learned.
Result<std::optional<StoredAnswer>> FindStoredAnswer(Database& database,
                                                     const ChargeRequest& request,
                                                     const ReleaseWish& wish,
                                                     const std::vector<ReleaseId>& made_from);

}  // namespace tacit::ledger
