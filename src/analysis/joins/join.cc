#include "analysis/joins/join.h"

#include "analysis/joins/join_computed.h"
#include "analysis/joins/join_public.h"
#include "analysis/joins/join_rows.h"
#include "analysis/relations/literals.h"
#include "analysis/rules.h"
#include "analysis/texts/examples.h"
#include "base/assert.h"

namespace tacit::analysis {
namespace {

Result<ProtectedRows> JoinAny(Known& known, const WrittenJoin& written, FromItem left,
                              FromItem right) {
  auto* left_rows = std::get_if<ProtectedRows>(&left);
  auto* right_rows = std::get_if<ProtectedRows>(&right);
  if (left_rows != nullptr && right_rows != nullptr) {
    return JoinRows(known, written, std::move(*left_rows), std::move(*right_rows));
  }
  TACIT_ASSERT(left_rows != nullptr || right_rows != nullptr);
  const bool rows_first = left_rows != nullptr;
  const PublicItem& item = std::get<PublicItem>(rows_first ? right : left);
  const ProtectedRows& rows = rows_first ? *left_rows : *right_rows;
  if (const auto literals = LiteralsOf(item, written.environment)) {
    return JoinLiterals(known, written, rows, *literals, rows_first);
  }
  if (!item.stored) {
    TACIT_TRY(std::optional<ProtectedRows> joined,
              JoinComputed(known, written, rows, item, rows_first));
    if (joined) return std::move(*joined);
    return Refuse(
        rules::kComputedTableJoin, written.position,
        "a released or computed table cannot be joined with protected rows",
        "aggregate the protected rows first and join the results: " + ExampleCount(rows.rows));
  }
  return JoinPublic(known, written, rows, item, rows_first);
}

}  // namespace

Result<FromItem> JoinItems(Known& known, const WrittenJoin& written, FromItem left,
                           FromItem right) {
  TACIT_TRY(ProtectedRows rows, JoinAny(known, written, std::move(left), std::move(right)));
  return FromItem(std::move(rows));
}

}  // namespace tacit::analysis
