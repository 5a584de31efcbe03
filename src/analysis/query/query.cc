#include "analysis/query/query.h"

#include <algorithm>
#include <set>

#include "analysis/deep_walk.h"
#include "analysis/query/recursive.h"
#include "analysis/query/select.h"
#include "analysis/relations/union_all.h"
#include "analysis/rules.h"
#include "analysis/subqueries/public_expression.h"
#include "analysis/texts/examples.h"
#include "sql/constants/series.h"
#include "sql/functions/own_functions.h"

namespace tacit::analysis {
namespace {

// The names of WITH that the query's body uses, directly or through each other.
std::set<std::string> UsedCommonTables(const sql::QueryNode& node) {
  sql::QueryNode body = node;
  body.with.clear();
  std::set<std::string> used = CommonTableNamesIn(sql::Query(std::move(body)));
  for (auto table = node.with.rbegin(); table != node.with.rend(); ++table) {
    if (used.contains(table->name)) used.merge(CommonTableNamesIn(table->query));
  }
  return used;
}

Error ReservedName(const sql::CommonTable& table) {
  return Refuse(rules::kAmbiguousName, table.position,
                "the name " + table.name + " is reserved: released tables have names like it",
                "choose a name that does not begin with tacit_");
}

Result<Environment> DeclareCommonTables(Known& known, const sql::QueryNode& node,
                                        const Environment& outer) {
  Environment environment{.outer = &outer, .with = {}, .rows = nullptr};
  const std::set<std::string> used = UsedCommonTables(node);
  for (const sql::CommonTable& written : node.with) {
    if (written.name.starts_with("tacit_")) return ReservedName(written);
    // What nothing uses is checked, and then neither run nor paid for.
    const Facts facts_before = known.facts;
    if (written.recursive) {
      const size_t declared = environment.with.size();
      TACIT_CHECK(DeclareRecursive(known, written, environment));
      if (!used.contains(written.name)) {
        known.facts = facts_before;
        environment.with.resize(declared);
      }
      continue;
    }
    TACIT_TRY(Source source, AnalyzeQuery(known, written.query, environment));
    CommonTable table{.written = &written, .rewritten = std::nullopt};
    if (!used.contains(written.name)) {
      known.facts = facts_before;
      continue;
    }
    if (auto* query = std::get_if<sql::Query>(&source)) {
      table.rewritten = sql::CommonTable{written.name, written.columns, *query, written.position};
    }
    environment.with.push_back(std::move(table));
  }
  return environment;
}

Result<Source> AnalyzeSetOperation(Known& known, const sql::QueryNode& node,
                                   const sql::SetOperation& operation,
                                   const Environment& environment) {
  TACIT_TRY(const Source left, AnalyzeQuery(known, operation.left, environment));
  TACIT_TRY(const Source right, AnalyzeQuery(known, operation.right, environment));
  const auto* left_query = std::get_if<sql::Query>(&left);
  const auto* right_query = std::get_if<sql::Query>(&right);
  const bool union_all = operation.set_operator == sql::SetOperator::kUnion && operation.all;
  if (left_query == nullptr && right_query == nullptr && union_all && !node.limit && !node.offset) {
    TACIT_TRY(ProtectedRows rows,
              UniteRows(known, std::get<ProtectedRows>(left), std::get<ProtectedRows>(right),
                        operation.right->position));
    return Source(std::move(rows));
  }
  if (left_query == nullptr || right_query == nullptr) {
    const sql::Query& rows = left_query == nullptr ? operation.left : operation.right;
    const auto& part = std::get<ProtectedRows>(left_query == nullptr ? left : right);
    const std::string instead = ExampleForSets(known, operation, left, right);
    return Refuse(
        rules::kSetOperationBelow, rows->position,
        "a set operation over protected rows has no rule, but UNION ALL of two such parts",
        instead.empty() ? "aggregate each part first: " + ExampleCount(part.rows)
                        : "write " + instead);
  }
  sql::QueryNode rewritten = node;
  rewritten.body =
      sql::SetOperation{operation.set_operator, operation.all, *left_query, *right_query};
  TACIT_CHECK(RewritePublicOrder(known, rewritten.order_by, environment));
  TACIT_TRY(rewritten.limit, RewritePublic(known, node.limit, environment));
  TACIT_TRY(rewritten.offset, RewritePublic(known, node.offset, environment));
  return Source(sql::Query(std::move(rewritten)));
}

// generate_series and unnest were written out before, where they could be.
bool IsUnwritten(const Expression& value) {
  const auto* cast = sql::As<sql::Cast>(value);
  const auto* call = sql::As<sql::Call>(cast != nullptr ? cast->operand : value);
  return call != nullptr &&
         (call->name == sql::kSeriesFunction || call->name == sql::kElementsFunction);
}

Error UnwrittenSeries(const Expression& value) {
  const sql::Position position = value->position;
  const auto* cast = sql::As<sql::Cast>(value);
  const auto* call = sql::As<sql::Call>(cast != nullptr ? cast->operand : value);
  const bool literals = std::all_of(
      call->arguments.begin(), call->arguments.end(),
      [](const Expression& argument) { return sql::As<sql::Literal>(argument) != nullptr; });
  if (literals) {
    return Refuse(rules::kFunctionWithoutRule, position,
                  "this table has no row, or more than " + std::to_string(sql::kSeriesRowsMax) +
                      ", or its steps lead nowhere",
                  "take a larger step or a nearer end, or write the rows with VALUES");
  }
  return Refuse(rules::kFunctionWithoutRule, position,
                "generate_series and unnest in FROM take literals, and make 1 to " +
                    std::to_string(sql::kSeriesRowsMax) + " rows",
                "write generate_series(1, 10), generate_series(DATE '2024-01-01', DATE "
                "'2024-12-01', INTERVAL '1 month') or unnest(ARRAY['a', 'b'])");
}

Result<sql::Query> AnalyzeValues(Known& known, const sql::QueryNode& node,
                                 const sql::Values& values, const Environment& environment) {
  sql::QueryNode rewritten = node;
  sql::Values body = values;
  for (auto& row : body.rows) {
    for (Expression& value : row) {
      if (IsUnwritten(value)) return UnwrittenSeries(value);
      TACIT_TRY(value, RewritePublic(known, value, environment));
    }
  }
  rewritten.body = std::move(body);
  return sql::Query(std::move(rewritten));
}

}  // namespace

Result<Source> AnalyzeQuery(Known& known, const sql::Query& query, const Environment& outer) {
  TACIT_TRY(const Environment environment, DeclareCommonTables(known, *query, outer));
  sql::QueryNode node;
  if (const auto* select = sql::As<sql::Select>(query)) {
    TACIT_TRY(Source source, AnalyzeSelect(known, *query, *select, environment));
    if (std::holds_alternative<ProtectedRows>(source)) return source;
    node = *std::get<sql::Query>(source);
  } else if (const auto* operation = sql::As<sql::SetOperation>(query)) {
    TACIT_TRY(Source source, AnalyzeSetOperation(known, *query, *operation, environment));
    if (std::holds_alternative<ProtectedRows>(source)) return source;
    node = *std::get<sql::Query>(source);
  } else {
    TACIT_TRY(const sql::Query values,
              AnalyzeValues(known, *query, *sql::As<sql::Values>(query), environment));
    node = *values;
  }
  node.with.clear();
  for (const CommonTable& table : environment.with) {
    if (table.rewritten) node.with.push_back(*table.rewritten);
  }
  return Source(sql::Query(std::move(node)));
}

}  // namespace tacit::analysis
