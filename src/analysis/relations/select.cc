#include <algorithm>

#include "analysis/analyzer.h"
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

Error LimitBelow(sql::Position position) {
  return Refuse(rules::kLimitBelow, position, "LIMIT and OFFSET cannot choose among protected rows",
                "limit the answer instead: SELECT k, count(*) FROM t GROUP BY k LIMIT 3");
}

}  // namespace

Result<Source> Analyzer::AnalyzeSelect(const sql::QueryNode& node, const sql::Select& select,
                                       const Environment& environment) {
  std::vector<FromItem> from;
  bool has_rows = false;
  const std::vector<Expression> where = sql::SplitConjuncts(select.where);
  for (const sql::Relation& relation : select.from) {
    TACIT_TRY(FromItem item, AnalyzeRelation(relation, environment, where));
    has_rows = has_rows || std::holds_alternative<ProtectedRows>(item);
    from.push_back(std::move(item));
  }
  if (!has_rows) {
    TACIT_TRY(sql::Query query, RewritePublicSelect(node, select, std::move(from), environment));
    return Source(std::move(query));
  }
  FromItem joined = std::move(from.front());
  for (size_t i = 1; i < from.size(); ++i) {
    const sql::Join comma{sql::JoinKind::kCross, {}, {}, {}, {}};
    TACIT_TRY(joined, JoinItems(comma, std::move(joined), std::move(from[i]), where, environment,
                                select.from[i]->position));
  }
  ProtectedRows input = std::get<ProtectedRows>(std::move(joined));
  TACIT_CHECK(FilterRows(select.where, input, environment));
  if (IsGrouped(node, select)) {
    TACIT_TRY(std::optional<ProtectedRows> per_unit,
              TryUnitGroups(node, select, input, environment));
    if (per_unit) return Source(std::move(*per_unit));
    TACIT_TRY(sql::Query query, AnalyzeFrontier(node, select, input, environment));
    return Source(std::move(query));
  }
  TACIT_TRY(ProtectedRows rows, ProjectRows(node, select, input, environment));
  return Source(std::move(rows));
}

Result<Done> Analyzer::FilterRows(const Expression& where, ProtectedRows& input,
                                  const Environment& environment) {
  for (const Expression& conjunct : sql::SplitConjuncts(where)) {
    TACIT_TRY(const Expression resolved, ResolveCondition(conjunct, input, environment));
    for (const Expression& part : sql::SplitConjuncts(resolved)) {
      input.rows.filters.push_back(part);
    }
  }
  return Done{};
}

Result<ProtectedRows> Analyzer::ProjectRows(const sql::QueryNode& node, const sql::Select& select,
                                            const ProtectedRows& input,
                                            const Environment& environment) {
  if (!select.distinct_on.empty()) {
    return Refuse(rules::kDistinctOn, select.distinct_on.front()->position,
                  "DISTINCT ON cannot choose among protected rows",
                  "group instead: SELECT k, count(*) FROM t GROUP BY k");
  }
  if (node.limit) return LimitBelow(node.limit->position);
  if (node.offset) return LimitBelow(node.offset->position);
  const bool has_window =
      std::any_of(select.items.begin(), select.items.end(),
                  [](const sql::SelectItem& item) { return sql::HasWindow(item.expression); });
  if (has_window && input.rows.unit) {
    return MakeUnitQuery(input, ExpandStars(select, input), {}, false, environment);
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
              ResolveOverRows(item.expression, input, environment, Use::kProjection));
    output.columns.push_back({"", sql::OutputName(item), std::move(resolved), false});
  }
  // An order below the frontier means nothing without LIMIT; its names must be right all the same.
  TACIT_TRY(const std::vector<sql::OrderItem> order,
            sql::ResolveOrderBy(node.order_by, select.items));
  for (const sql::OrderItem& item : order) {
    TACIT_CHECK(ResolveOverRows(item.expression, input, environment, Use::kProjection));
  }
  return output;
}

Result<sql::Query> Analyzer::RewritePublicSelect(const sql::QueryNode& node, sql::Select select,
                                                 std::vector<FromItem> from,
                                                 const Environment& environment) {
  for (size_t i = 0; i < from.size(); ++i) {
    select.from[i] = std::get<PublicItem>(std::move(from[i])).relation;
  }
  for (sql::SelectItem& item : select.items) {
    if (item.alias.empty() && !sql::As<sql::Star>(item.expression)) {
      item.alias = sql::OutputName(item);
    }
    TACIT_TRY(item.expression, RewritePublic(item.expression, environment));
  }
  for (Expression& expression : select.distinct_on) {
    TACIT_TRY(expression, RewritePublic(expression, environment));
  }
  TACIT_TRY(select.where, RewritePublic(select.where, environment));
  for (Expression& key : select.group_by) {
    TACIT_TRY(key, RewritePublic(key, environment));
  }
  TACIT_TRY(select.having, RewritePublic(select.having, environment));
  sql::QueryNode rewritten = node;
  rewritten.body = std::move(select);
  TACIT_CHECK(RewritePublicOrder(rewritten.order_by, environment));
  TACIT_TRY(rewritten.limit, RewritePublic(node.limit, environment));
  TACIT_TRY(rewritten.offset, RewritePublic(node.offset, environment));
  return sql::Query(std::move(rewritten));
}

}  // namespace tacit::analysis
