#pragma once

#include "analysis/known.h"
#include "analysis/query/sources.h"

namespace tacit::analysis {

// A stored public table as a scan beside protected rows. Its rows are nobody's.
ProtectedRows ScanPublicTable(Known& known, const sql::TableReference& reference);

}  // namespace tacit::analysis
