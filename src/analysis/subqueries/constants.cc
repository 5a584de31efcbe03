#include "analysis/subqueries/constants.h"

#include <optional>
#include <set>

#include "analysis/deep_walk.h"
#include "analysis/rules.h"
#include "analysis/subqueries/membership.h"
#include "analysis/subqueries/public_expression.h"
#include "analysis/tables_above.h"
#include "sql/print/query.h"
#include "sql/bind/scope.h"

namespace tacit::analysis {
namespace {

// The refusal of a query that names a column of the protected row around it; nothing for others.
std::optional<Error> OuterColumnIn(const sql::Query& query, const Environment& environment) {
  std::optional<Error> error;
  ForEachColumn(query, [&](const sql::ColumnReference& reference, sql::Position position) {
    for (const Environment* at = &environment; at != nullptr && !error; at = at->outer) {
      if (at->rows == nullptr) continue;
      for (const NamedColumn& column : *at->rows) {
        if (!sql::FitsWithoutCase(column.name, reference.column)) continue;
        if (!reference.table.empty() && !sql::FitsWithoutCase(reference.table, column.table)) {
          continue;
        }
        error = Refuse(rules::kCorrelatedSubquery, position,
                       "the subquery uses " + reference.column + " of the protected row around it",
                       "let the subquery stand alone, without columns of the row around it");
      }
    }
  });
  return error;
}

// The query with the names of WITH that it uses, outermost first.
Result<sql::Query> WithCommonTables(const sql::Query& query, const Environment& environment,
                                    sql::Position position) {
  std::set<std::string> used = CommonTableNamesIn(query);
  std::vector<sql::CommonTable> hoisted;  // innermost first
  std::set<std::string> names;
  for (const sql::CommonTable& own : query->with) names.insert(own.name);
  for (const Environment* at = &environment; at != nullptr; at = at->outer) {
    for (auto table = at->with.rbegin(); table != at->with.rend(); ++table) {
      if (!table->rewritten || !used.contains(table->rewritten->name)) continue;
      if (!names.insert(table->rewritten->name).second) {
        return Refuse(rules::kAmbiguousName, position,
                      "the subquery sees two tables named " + table->rewritten->name,
                      "give the common tables different names");
      }
      used.merge(CommonTableNamesIn(table->rewritten->query));
      hoisted.push_back(*table->rewritten);
    }
  }
  sql::QueryNode node = *query;
  node.with.insert(node.with.begin(), hoisted.rbegin(), hoisted.rend());
  return sql::Query(std::move(node));
}

Result<sql::Type> TypeOf(const Known& known, const sql::Query& query) {
  TACIT_TRY(const std::vector<sql::TypedColumn> columns,
            sql::ColumnsOf(query, TablesAbove(known.facts)));
  if (columns.size() != 1) {
    return Refuse(rules::kWrongShape, query->position, "the subquery must give one column", "");
  }
  return columns.front().type;
}

}  // namespace

Result<Expression> ConstantOf(Known& known, const Expression& subquery,
                              const Environment& environment) {
  const sql::Position position = subquery->position;
  if (const auto* scalar = sql::As<sql::ScalarQuery>(subquery)) {
    TACIT_TRY(sql::Query inner, AnalyzeSubquery(known, scalar->query, position, environment));
    return AddConstant(known, std::move(inner), environment, position);
  }
  if (const auto* in = sql::As<sql::InQuery>(subquery)) {
    return MembershipOf(known, *in, environment, position);
  }
  TACIT_TRY(sql::Query inner,
            AnalyzeSubquery(known, sql::As<sql::Exists>(subquery)->query, position, environment));
  sql::Select select;
  select.items.push_back({MakeExpression(sql::Exists{std::move(inner)}, position), "exists"});
  return AddConstant(known,
                     sql::Query(sql::QueryNode{.with = {},
                                               .body = std::move(select),
                                               .order_by = {},
                                               .limit = {},
                                               .offset = {},
                                               .position = position}),
                     environment, position);
}

Result<Constant> CloseQuery(const Known& known, const sql::Query& query,
                            const Environment& environment, sql::Position position) {
  Constant closed;
  TACIT_TRY(closed.query, WithCommonTables(query, environment, position));
  Result<sql::Type> type = TypeOf(known, closed.query);
  if (!type.ok()) {
    // The query itself is public; if a name is missing, it may be one of the row around it.
    if (const auto outer = OuterColumnIn(closed.query, environment)) return *outer;
    return std::move(type).error();
  }
  closed.type = *type;
  return closed;
}

Result<Expression> AddConstant(Known& known, const sql::Query& query,
                               const Environment& environment, sql::Position position) {
  TACIT_TRY(Constant constant, CloseQuery(known, query, environment, position));
  known.constants.push_back(std::move(constant));
  const std::string name = "v" + std::to_string(known.constants.size());
  return MakeExpression(sql::ColumnReference{kConstantTable, name}, position);
}

}  // namespace tacit::analysis
