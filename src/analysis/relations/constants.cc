#include "analysis/analyzer.h"
#include "analysis/catalog.h"
#include "analysis/deep_walk.h"

namespace tacit::analysis {

// A subquery below the frontier reads releases and public tables only, so its value is known before
// the protected rows are read: it becomes a constant. Names that WITH declares go with it.
Result<Expression> Analyzer::ConstantOf(const Expression& subquery,
                                        const Environment& environment) {
  const sql::Position position = subquery->position;
  if (const auto* scalar = sql::As<sql::ScalarQuery>(subquery)) {
    TACIT_TRY(sql::Query inner, AnalyzeSubquery(scalar->query, position, environment));
    return AddConstant(std::move(inner), environment, position);
  }
  if (const auto* in = sql::As<sql::InQuery>(subquery)) {
    return MembershipOf(*in, environment, position);
  }
  TACIT_TRY(sql::Query inner,
            AnalyzeSubquery(sql::As<sql::Exists>(subquery)->query, position, environment));
  sql::Select select;
  select.items.push_back({MakeExpression(sql::Exists{std::move(inner)}, position), "exists"});
  return AddConstant(sql::Query(sql::QueryNode{.with = {},
                                               .body = std::move(select),
                                               .order_by = {},
                                               .limit = {},
                                               .offset = {},
                                               .position = position}),
                     environment, position);
}

Result<Expression> Analyzer::AddConstant(sql::Query query, const Environment& environment,
                                         sql::Position position) {
  Constant constant;
  TACIT_TRY(constant.query, WithCommonTables(query, environment, position));
  Result<sql::Type> type = TypeOfConstant(constant.query);
  if (!type.ok()) {
    // The query itself is public; if a name is missing, it may be one of the row around it.
    if (const auto outer = OuterColumnIn(constant.query, environment)) return *outer;
    return std::move(type).error();
  }
  constant.type = *type;
  constants_.push_back(std::move(constant));
  const std::string name = "v" + std::to_string(constants_.size());
  return MakeExpression(sql::ColumnReference{kConstantTable, name}, position);
}

std::optional<Error> Analyzer::OuterColumnIn(const sql::Query& query,
                                             const Environment& environment) const {
  std::optional<Error> error;
  ForEachColumn(query, [&](const sql::ColumnReference& reference, sql::Position position) {
    for (const Environment* at = &environment; at != nullptr && !error; at = at->outer) {
      if (at->rows == nullptr) continue;
      for (const NamedColumn& column : *at->rows) {
        if (column.name != reference.column) continue;
        if (!reference.table.empty() && reference.table != column.table) continue;
        error = Refuse(rules::kCorrelatedSubquery, position,
                       "the subquery uses " + reference.column + " of the protected row around it",
                       "let the subquery stand alone: WHERE age > (SELECT avg(age) FROM people)");
      }
    }
  });
  return error;
}

// The query with the names of WITH that it uses, outermost first.
Result<sql::Query> Analyzer::WithCommonTables(const sql::Query& query,
                                              const Environment& environment,
                                              sql::Position position) const {
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

}  // namespace tacit::analysis
