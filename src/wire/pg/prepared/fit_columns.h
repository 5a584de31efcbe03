#pragma once

#include <vector>

#include "wire/pg/state/table.h"

namespace tacit::wire::pg {

// Whether what a client was told holds but for names and modifiers.
bool HaveSameTypes(const std::vector<OidColumn>& told, const std::vector<OidColumn>& given);

// Gives an answer the columns that its client was told: the same values under other names, with
// other modifiers and, where every value is one of theirs, of other types. kInvalidArgument, and
// `table` as it was, when the values do not fit.
Result<Done> FitColumns(const std::vector<OidColumn>& told, Table& table);

}  // namespace tacit::wire::pg
