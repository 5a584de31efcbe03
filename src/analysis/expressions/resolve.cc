#include "analysis/expressions/resolve.h"

#include "analysis/expressions/columns.h"
#include "analysis/expressions/infer.h"
#include "analysis/rules.h"
#include "analysis/subqueries/constants.h"
#include "analysis/texts/examples.h"
#include "analysis/texts/nearest_name.h"
#include "sql/bind/scope.h"
#include "sql/print/quote.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

std::string Written(const sql::ColumnReference& reference) {
  const std::string column = sql::QuoteIdentifierIfNeeded(reference.column);
  return reference.table.empty() ? column
                                 : sql::QuoteIdentifierIfNeeded(reference.table) + "." + column;
}

Error CorrelatedSubquery(const sql::ColumnReference& reference, sql::Position position) {
  return Refuse(rules::kCorrelatedSubquery, position,
                "the subquery uses " + Written(reference) + " of the protected row around it",
                "let the subquery stand alone, without columns of the row around it");
}

// The column that a name means, or nothing.
Result<const NamedColumn*> FindColumn(const sql::ColumnReference& reference, sql::Position position,
                                      const std::vector<NamedColumn>& columns) {
  const NamedColumn* found = nullptr;
  for (const bool exactly : {true, false}) {
    const auto fits = [&](const std::string& written, const std::string& known) {
      return exactly ? written == known : sql::FitsWithoutCase(written, known);
    };
    for (const NamedColumn& column : columns) {
      if (!reference.table.empty() && !fits(reference.table, column.table)) continue;
      if (!fits(reference.column, column.name)) continue;
      if (reference.table.empty() && column.merged) continue;
      if (found != nullptr) {
        return Refuse(rules::kAmbiguousName, position,
                      "the name " + Written(reference) + " could mean more than one column",
                      "put the table's name before it");
      }
      found = &column;
    }
    if (found != nullptr) break;
  }
  return found;
}

bool IsOuterColumn(const sql::ColumnReference& reference, const Environment& environment) {
  for (const Environment* at = &environment; at != nullptr; at = at->outer) {
    if (at->rows == nullptr) continue;
    for (const NamedColumn& column : *at->rows) {
      const bool table_fits =
          reference.table.empty() || sql::FitsWithoutCase(reference.table, column.table);
      if (table_fits && sql::FitsWithoutCase(column.name, reference.column)) return true;
    }
  }
  return false;
}

Error UnknownColumn(const Known& known, const sql::ColumnReference& reference,
                    sql::Position position, const std::vector<NamedColumn>& columns) {
  std::vector<std::string> names;
  for (const NamedColumn& column : columns) {
    if (!UsesHidden(known, column.expression)) names.push_back(column.name);
  }
  // visit-day without quotes is visit minus day.
  for (const std::string& name : names) {
    const size_t minus = reference.column.size();
    if (name.size() > minus + 1 && name[minus] == '-' &&
        sql::FitsWithoutCase(reference.column, name.substr(0, minus))) {
      return Refuse(rules::kUnknownColumn, position, "there is no column " + Written(reference),
                    "did you mean " + sql::QuoteIdentifierIfNeeded(name) + "?");
    }
  }
  return Refuse(rules::kUnknownColumn, position, "there is no column " + Written(reference),
                NearestNameHint(reference.column, names));
}

}  // namespace

Result<Expression> ResolveOverRows(Known& known, const Expression& expression,
                                   const ProtectedRows& input, const Environment& environment,
                                   Use use) {
  std::optional<Error> error;
  const auto fail = [&](Error failure, const Expression& node) {
    if (!error) error = std::move(failure);
    return node;
  };
  Expression resolved = sql::Transform(expression, [&](const Expression& node) -> Expression {
    if (error) return node;  // what stands around an unknown name has unknown names inside
    const sql::Position position = node->position;
    if (const auto* reference = sql::As<sql::ColumnReference>(node)) {
      Result<const NamedColumn*> found = FindColumn(*reference, position, input.columns);
      if (!found.ok()) return fail(std::move(found).error(), node);
      if (*found != nullptr) {
        const Expression& meaning = (*found)->expression;
        // A bare column keeps the place where it was written.
        const auto* bare = BareColumn(meaning);
        return bare != nullptr ? MakeExpression(*bare, position) : meaning;
      }
      return fail(IsOuterColumn(*reference, environment)
                      ? CorrelatedSubquery(*reference, position)
                      : UnknownColumn(known, *reference, position, input.columns),
                  node);
    }
    if (sql::As<sql::ScalarQuery>(node) || sql::As<sql::Exists>(node) ||
        sql::As<sql::InQuery>(node)) {
      Environment inside{.outer = &environment, .with = {}, .rows = &input.columns};
      Result<Expression> constant = ConstantOf(known, node, inside);
      return constant.ok() ? *constant : fail(std::move(constant).error(), node);
    }
    if (sql::As<sql::AggregateCall>(node)) {
      return fail(Refuse(rules::kMisplacedAggregate, position,
                         "an aggregate cannot stand in WHERE, GROUP BY or FILTER",
                         "filter groups with HAVING"),
                  node);
    }
    if (sql::As<sql::WindowCall>(node)) {
      return fail(
          Refuse(rules::kWindowBelow, position, "a window function over protected rows has no rule",
                 "partition it by the unit in a subquery of its own, or aggregate first: " +
                     ExampleCount(input.rows)),
          node);
    }
    if (sql::As<sql::Parameter>(node)) {
      return fail(Refuse(rules::kParameter, position, "the query has a parameter without a value",
                         "write the value in its place"),
                  node);
    }
    if (sql::As<sql::Star>(node)) {
      return fail(Refuse(rules::kWrongShape, position, "* cannot stand here", "name the columns"),
                  node);
    }
    return node;
  });
  if (error) return *error;
  resolved = WithOneSpelling(known, resolved);
  TACIT_CHECK(CheckUse(known, resolved, use));
  return resolved;
}

}  // namespace tacit::analysis
