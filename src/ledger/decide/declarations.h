#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"

namespace tacit::ledger {

// What of the declarations is new; kRefused for what contradicts the fixed ones.
Result<std::optional<Declarations>> NewDeclarations(const Declarations& asked,
                                                    const std::vector<std::string>& public_tables,
                                                    const Declarations& fixed);

}  // namespace tacit::ledger
