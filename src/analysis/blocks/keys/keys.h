#pragma once

#include "analysis/blocks/grouped_query.h"

namespace tacit::analysis {

// Adds what the query groups by. An expression without columns is no key: it is the same in every
// group.
Result<Done> AddKey(GroupedQuery& grouped, const Expression& written);

// After the last key: that there are not too many groups, which filters narrow the public keys, and
// what each key looks like in the released table.
Result<Done> FinishKeys(GroupedQuery& grouped);

}  // namespace tacit::analysis
