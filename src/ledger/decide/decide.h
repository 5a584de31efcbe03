#pragma once

#include <vector>

#include "base/result.h"
#include "ledger/chain/chain.h"

// Decides, inside the caller's transaction and without writing, what a request means: which stored
// answers serve, what is to be paid by whom, and whether it fits.

namespace tacit::ledger {

struct Decision {
  // What the charge would write, in order; empty when the request is free. The last is the charge.
  // Those of a quote have no place and no state.
  std::vector<Record> records;
  Books books;      // after them
  Receipt receipt;  // complete for a free request; a charge adds its hash
};

struct Occasion {
  std::string time;
  bool is_quote = false;  // nothing will be written: an analyst is not told of the dataset's room
};

// `books` are those of the transaction. The errors of Ledger::Charge.
Result<Decision> Decide(Chain& chain, const Books& books, const ChargeRequest& request,
                        const Occasion& occasion);

}  // namespace tacit::ledger
