#include "analysis/expressions/check_use.h"

#include "analysis/expressions/columns.h"
#include "analysis/expressions/infer.h"
#include "analysis/rules.h"
#include "analysis/texts/hidden_names.h"
#include "base/mutant.h"
#include "sql/walk.h"

namespace tacit::analysis {

Result<Done> CheckUse(const Known& known, const Expression& expression, Use use) {
  std::optional<Error> error;
  sql::Visit(expression, [&](const Expression& node) {
    const auto* reference = BareColumn(node);
    if (reference == nullptr || error || IsConstant(*reference)) return true;
    const RowColumn& column = ColumnOf(known, *reference);
    const std::string name = column.table + "." + column.column;
    const bool hidden_is_fine =
        use == Use::kProjection || (use == Use::kUnitCount && BareColumn(expression) != nullptr);
    if (column.hidden && !hidden_is_fine) {
      error = HiddenColumn(known, column, node->position);
    } else if (column.is_unit && use == Use::kKey) {
      error = Refuse(rules::kUnitAsKey, node->position,
                     "grouping by " + name + " would make a group of every person",
                     "group by what people have in common, or count them: count(DISTINCT " +
                         column.column + ")");
    } else if (column.type.kind == sql::TypeKind::kOpaque && use != Use::kProjection &&
               use != Use::kUnitCount) {
      error = OpaqueColumn(known, column, node->position);
    }
    return true;
  });
  if (error) return *error;
  if (use == Use::kProjection || use == Use::kUnitCount) return Done{};
  TACIT_TRY(const Inferred inferred, Infer(known, expression));
  const bool boolean = inferred.type.kind == sql::TypeKind::kBoolean ||
                       inferred.type.kind == sql::TypeKind::kUnknown;
  if (use == Use::kFilter && !boolean) {
    return Refuse(rules::kWrongType, expression->position, "a condition must be true or false",
                  "compare it with something: WHERE age > 18");
  }
  return Done{};
}

Result<Done> CheckNotHidden(const Known& known, const Expression& expression) {
  if (TACIT_MUTANT("hidden_keys_inside_unit")) return Done{};
  for (const sql::ColumnReference& reference : sql::ColumnsIn(expression)) {
    if (IsConstant(reference) || !ColumnOf(known, reference).hidden) continue;
    return HiddenColumn(known, ColumnOf(known, reference), expression->position);
  }
  return Done{};
}

}  // namespace tacit::analysis
