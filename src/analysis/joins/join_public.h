#pragma once

#include "analysis/joins/conditions.h"

// Protected rows beside what is nobody's. `rows_first`: the protected side was written first.
namespace tacit::analysis {

// With a stored public table, or columns of one, by an equality with one of its columns.
Result<ProtectedRows> JoinPublic(Known& known, const WrittenJoin& written,
                                 const ProtectedRows& rows, const PublicItem& item,
                                 bool rows_first);

// With VALUES.
Result<ProtectedRows> JoinLiterals(Known& known, const WrittenJoin& written,
                                   const ProtectedRows& rows, const sql::DerivedTable& table,
                                   bool rows_first);

}  // namespace tacit::analysis
