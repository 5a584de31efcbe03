#include "analysis/query/select.h"

#include <algorithm>

#include "analysis/blocks/frontier.h"
#include "analysis/expressions/resolve.h"
#include "analysis/inside_unit/first_rows.h"
#include "analysis/inside_unit/unit_groups.h"
#include "analysis/inside_unit/unit_query.h"
#include "analysis/joins/conditions.h"
#include "analysis/joins/join.h"
#include "analysis/joins/unit_equality.h"
#include "analysis/query/relation.h"
#include "analysis/query/stars.h"
#include "analysis/rules.h"
#include "analysis/subqueries/public_expression.h"
#include "analysis/subqueries/unit_subquery.h"
#include "analysis/texts/examples.h"
#include "sql/constants/fold.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

bool IsGrouped(const sql::QueryNode& node, const sql::Select& select) {
  if (select.distinct || !select.group_by.empty() || select.having) return true;
  for (const sql::SelectItem& item : select.items) {
    if (sql::HasAggregate(item.expression)) return true;
  }
  for (const sql::OrderItem& item : node.order_by) {
    if (sql::HasAggregate(item.expression)) return true;
  }
  return false;
}

Result<Done> FilterRows(Known& known, const Expression& where, ProtectedRows& input,
                        const Environment& environment) {
  for (const Expression& conjunct : sql::SplitConjuncts(where)) {
    TACIT_TRY(const Expression resolved, ResolveCondition(known, conjunct, input, environment));
    for (const Expression& part : sql::SplitConjuncts(resolved)) {
      if (sql::IsTrue(part)) continue;  // WHERE 1 = 1
      if (!HoldsByUnits(known, part)) input.rows.filters.push_back(part);
    }
  }
  NarrowByRowNumber(known, input.rows);
  return Done{};
}

Result<ProtectedRows> ProjectRows(Known& known, const sql::QueryNode& node,
                                  const sql::Select& select, const ProtectedRows& input,
                                  const Environment& environment) {
  if (node.limit || node.offset) {
    return Refuse(rules::kLimitBelow, (node.limit ? node.limit : node.offset)->position,
                  "LIMIT and OFFSET cannot choose among protected rows",
                  "aggregate all of them, and limit the groups of the answer where there are "
                  "groups: " +
                      ExampleCount(input.rows));
  }
  if (!select.distinct_on.empty()) return FirstOfUnit(known, node, select, input, environment);
  const bool has_window =
      std::any_of(select.items.begin(), select.items.end(),
                  [](const sql::SelectItem& item) { return sql::HasWindow(item.expression); });
  if (has_window && input.rows.unit) {
    return MakeUnitQuery(known, input, ExpandStars(select, input), {}, false, environment);
  }
  ProtectedRows output{.rows = input.rows, .columns = {}};
  for (const sql::SelectItem& item : select.items) {
    if (const auto* star = sql::As<sql::Star>(item.expression)) {
      for (const NamedColumn& column : input.columns) {
        if (column.merged || (!star->table.empty() && column.table != star->table)) continue;
        output.columns.push_back({"", column.name, column.expression, false});
      }
      continue;
    }
    TACIT_TRY(Expression resolved,
              ResolveOverRows(known, item.expression, input, environment, Use::kProjection));
    output.columns.push_back({"", sql::OutputName(item), std::move(resolved), false});
  }
  // An order below the frontier means nothing without LIMIT; its names must be right all the same.
  TACIT_TRY(const std::vector<sql::OrderItem> order,
            sql::ResolveOrderBy(node.order_by, select.items));
  for (const sql::OrderItem& item : order) {
    TACIT_CHECK(ResolveOverRows(known, item.expression, input, environment, Use::kProjection));
  }
  return output;
}

Result<sql::Query> RewritePublicSelect(Known& known, const sql::QueryNode& node, sql::Select select,
                                       std::vector<FromItem> from, const Environment& environment) {
  for (size_t i = 0; i < from.size(); ++i) {
    select.from[i] = std::get<PublicItem>(std::move(from[i])).relation;
  }
  for (sql::SelectItem& item : select.items) {
    if (item.alias.empty() && !sql::As<sql::Star>(item.expression)) {
      item.alias = sql::OutputName(item);
    }
    TACIT_TRY(item.expression, RewritePublic(known, item.expression, environment));
  }
  for (Expression& expression : select.distinct_on) {
    TACIT_TRY(expression, RewritePublic(known, expression, environment));
  }
  TACIT_TRY(select.where, RewritePublic(known, select.where, environment));
  for (Expression& key : select.group_by) {
    TACIT_TRY(key, RewritePublic(known, key, environment));
  }
  TACIT_TRY(select.having, RewritePublic(known, select.having, environment));
  sql::QueryNode rewritten = node;
  rewritten.body = std::move(select);
  TACIT_CHECK(RewritePublicOrder(known, rewritten.order_by, environment));
  TACIT_TRY(rewritten.limit, RewritePublic(known, node.limit, environment));
  TACIT_TRY(rewritten.offset, RewritePublic(known, node.offset, environment));
  return sql::Query(std::move(rewritten));
}

}  // namespace

Result<From> AnalyzeFrom(Known& known, const sql::Select& select, const Environment& environment) {
  std::vector<FromItem> from;
  std::optional<size_t> first;
  const std::vector<Expression> where = sql::SplitConjuncts(select.where);
  for (const sql::Relation& relation : select.from) {
    TACIT_TRY(FromItem item, AnalyzeRelation(known, relation, environment, where));
    if (!first && std::holds_alternative<ProtectedRows>(item)) first = from.size();
    from.push_back(std::move(item));
  }
  if (!first) return From(std::move(from));
  // Commas: the public items before the first protected one join it from the left.
  const sql::Join comma{sql::JoinKind::kCross, {}, {}, {}, {}};
  const auto written_at = [&](size_t i) {
    return WrittenJoin{comma, where, environment, select.from[i]->position};
  };
  FromItem joined = std::move(from[*first]);
  for (size_t i = *first; i > 0; --i) {
    TACIT_TRY(joined,
              JoinItems(known, written_at(i - 1), std::move(from[i - 1]), std::move(joined)));
  }
  for (size_t i = *first + 1; i < from.size(); ++i) {
    TACIT_TRY(joined, JoinItems(known, written_at(i), std::move(joined), std::move(from[i])));
  }
  return From(std::get<ProtectedRows>(std::move(joined)));
}

Result<Source> AnalyzeSelect(Known& known, const sql::QueryNode& node, const sql::Select& written,
                             const Environment& environment) {
  TACIT_TRY(auto from, AnalyzeFrom(known, written, environment));
  if (auto* items = std::get_if<std::vector<FromItem>>(&from)) {
    TACIT_TRY(sql::Query query,
              RewritePublicSelect(known, node, written, std::move(*items), environment));
    return Source(std::move(query));
  }
  ProtectedRows input = std::get<ProtectedRows>(std::move(from));
  TACIT_TRY(const sql::Select select, AttachUnitSubqueries(known, written, input, environment));
  TACIT_CHECK(FilterRows(known, select.where, input, environment));
  if (IsGrouped(node, select)) {
    if (select.grouping_sets.empty()) {
      TACIT_TRY(std::optional<ProtectedRows> per_unit,
                TryUnitGroups(known, node, select, input, environment));
      if (per_unit) return Source(std::move(*per_unit));
    }
    TACIT_TRY(sql::Query query, AnalyzeFrontier(known, node, select, input, environment));
    return Source(std::move(query));
  }
  TACIT_TRY(ProtectedRows rows, ProjectRows(known, node, select, input, environment));
  return Source(std::move(rows));
}

}  // namespace tacit::analysis
