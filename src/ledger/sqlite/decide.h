#pragma once

#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"
#include "ledger/record.h"
#include "ledger/sqlite/tables.h"

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
Result<Decision> Decide(Database& database, const Books& books, const ChargeRequest& request,
                        const Occasion& occasion);

// What of the declarations is new; kRefused for what contradicts the fixed ones.
Result<std::optional<Declarations>> NewDeclarations(const Declarations& asked,
                                                    const std::vector<std::string>& public_tables,
                                                    const Declarations& fixed);

// Is the request well-formed? Checked before any transaction.
Result<Done> CheckRequest(const ChargeRequest& request);

inline constexpr size_t kNameBytesMax = 256;    // analysts, fingerprints, request ids
inline constexpr size_t kReleasesMax = 512;     // of one query
inline constexpr size_t kScalesMax = 32;        // of one release
inline constexpr size_t kNumberBytesMax = 512;  // as text: a sum stays readable
inline constexpr size_t kDeclarationsBytesMax = size_t{1} << 18;

}  // namespace tacit::ledger
