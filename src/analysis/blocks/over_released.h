#pragma once

#include "analysis/blocks/grouped_query.h"

namespace tacit::analysis {

// The expression as it stands over the released table: aggregates and keys replaced. A column that
// is left over is refused. The keys have to be finished.
Result<Expression> OverReleased(GroupedQuery& grouped, const Expression& written);

}  // namespace tacit::analysis
