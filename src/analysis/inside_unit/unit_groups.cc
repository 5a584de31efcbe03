#include "analysis/inside_unit/unit_groups.h"

#include <algorithm>

#include "analysis/expressions/columns.h"
#include "analysis/expressions/resolve.h"
#include "analysis/inside_unit/unit_query.h"
#include "analysis/rules.h"
#include "analysis/texts/examples.h"
#include "sql/walk.h"

namespace tacit::analysis {

// proof: analysis/inside_unit/unit_query.md#claim
Result<std::optional<ProtectedRows>> TryUnitGroups(Known& known, const sql::QueryNode& node,
                                                   const sql::Select& select,
                                                   const ProtectedRows& input,
                                                   const Environment& environment) {
  if (!input.rows.unit || !select.distinct_on.empty()) return std::optional<ProtectedRows>();
  const sql::InputColumnTest test{[&](const std::string& name) {
    return std::any_of(input.columns.begin(), input.columns.end(),
                       [&](const NamedColumn& column) { return column.name == name; });
  }};
  TACIT_TRY(std::vector<Expression> keys, sql::ResolveGroupBy(select, test));
  const bool distinct = select.distinct && keys.empty() && !select.having;
  if (distinct) {
    for (const sql::SelectItem& item : select.items) {
      if (sql::As<sql::Star>(item.expression)) return std::optional<ProtectedRows>();
      keys.push_back(item.expression);
    }
  }
  for (Expression& key : keys) {
    TACIT_TRY(key, ResolveOverRows(known, key, input, environment, Use::kProjection));
  }
  const bool by_unit = std::any_of(keys.begin(), keys.end(),
                                   [&](const Expression& key) { return NamesUnit(known, key); });
  if (!by_unit || (select.distinct && !distinct)) return std::optional<ProtectedRows>();
  // How many groups a person has tells what is in a hidden key.
  for (const Expression& key : keys) {
    if (!NamesUnit(known, key)) TACIT_CHECK(CheckNotHidden(known, key));
  }
  if (node.limit || node.offset) {
    return Refuse(rules::kLimitBelow, (node.limit ? node.limit : node.offset)->position,
                  "LIMIT and OFFSET cannot choose among people",
                  "aggregate all of them: " + ExampleCount(input.rows));
  }
  std::vector<sql::SelectItem> items = select.items;
  if (select.having) items.push_back({select.having, "having"});
  TACIT_TRY(ProtectedRows rows, MakeUnitQuery(known, input, items, keys, true, environment));
  if (select.having) {
    rows.rows.filters.push_back(rows.columns.back().expression);
    rows.columns.pop_back();
    TACIT_CHECK(CheckUse(known, rows.rows.filters.back(), Use::kFilter));
  }
  return std::optional<ProtectedRows>(std::move(rows));
}

}  // namespace tacit::analysis
