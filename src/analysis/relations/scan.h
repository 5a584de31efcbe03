#pragma once

#include <string>

#include "analysis/known.h"
#include "analysis/query/sources.h"
#include "base/result.h"

namespace tacit::analysis {

// The rows of a protected table as its policy lets them through, known under `qualifier`. Refused
// where nothing vouches for whose each row is. scan.md has the claim.
Result<ProtectedRows> ScanTable(Known& known, const policy::Table& table,
                                const std::string& qualifier, sql::Position position);

}  // namespace tacit::analysis
