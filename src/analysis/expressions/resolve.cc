#include <algorithm>

#include "analysis/analyzer.h"
#include "base/mutant.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

std::string Written(const sql::ColumnReference& reference) {
  return reference.table.empty() ? reference.column : reference.table + "." + reference.column;
}

Error CorrelatedSubquery(const sql::ColumnReference& reference, sql::Position position) {
  return Refuse(rules::kCorrelatedSubquery, position,
                "the subquery uses " + Written(reference) + " of the protected row around it",
                "let the subquery stand alone: WHERE age > (SELECT avg(age) FROM people)");
}

// The column that a name means, or nothing.
Result<const NamedColumn*> FindColumn(const sql::ColumnReference& reference, sql::Position position,
                                      const std::vector<NamedColumn>& columns) {
  const NamedColumn* found = nullptr;
  for (const NamedColumn& column : columns) {
    if (!reference.table.empty() && column.table != reference.table) continue;
    if (column.name != reference.column) continue;
    if (reference.table.empty() && column.merged) continue;
    if (found != nullptr) {
      return Refuse(rules::kAmbiguousName, position,
                    "the name " + Written(reference) + " could mean more than one column",
                    "put the table's name before it");
    }
    found = &column;
  }
  return found;
}

bool IsOuterColumn(const sql::ColumnReference& reference, const Environment& environment) {
  for (const Environment* at = &environment; at != nullptr; at = at->outer) {
    if (at->rows == nullptr) continue;
    for (const NamedColumn& column : *at->rows) {
      const bool table_fits = reference.table.empty() || reference.table == column.table;
      if (table_fits && column.name == reference.column) return true;
    }
  }
  return false;
}

}  // namespace

const sql::ColumnReference* BareColumn(const Expression& expression) {
  return sql::As<sql::ColumnReference>(expression);
}

const RowColumn& Analyzer::ColumnOf(const sql::ColumnReference& reference) const {
  const auto found = columns_.find(std::pair(reference.table, reference.column));
  TACIT_ASSERT(found != columns_.end());
  return found->second;
}

Error Analyzer::UnknownColumn(const sql::ColumnReference& reference, sql::Position position,
                              const std::vector<NamedColumn>& columns) const {
  std::vector<std::string> names;
  for (const NamedColumn& column : columns) {
    if (!UsesHidden(column.expression)) names.push_back(column.name);
  }
  return Refuse(rules::kUnknownColumn, position, "there is no column " + Written(reference),
                NearestNameHint(reference.column, names));
}

Result<Expression> Analyzer::ResolveOverRows(const Expression& expression,
                                             const ProtectedRows& input,
                                             const Environment& environment, Use use) {
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
                      : UnknownColumn(*reference, position, input.columns),
                  node);
    }
    if (sql::As<sql::ScalarQuery>(node) || sql::As<sql::Exists>(node) ||
        sql::As<sql::InQuery>(node)) {
      Environment inside{.outer = &environment, .with = {}, .rows = &input.columns};
      Result<Expression> constant = ConstantOf(node, inside);
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
  TACIT_CHECK(CheckUse(resolved, use));
  return resolved;
}

Result<Done> Analyzer::CheckNotHidden(const Expression& expression) const {
  if (TACIT_MUTANT("hidden_keys_inside_unit")) return Done{};
  for (const sql::ColumnReference& reference : sql::ColumnsIn(expression)) {
    if (IsConstant(reference) || !ColumnOf(reference).hidden) continue;
    return HiddenColumn(ColumnOf(reference), expression->position);
  }
  return Done{};
}

bool Analyzer::UsesHidden(const Expression& expression) const {
  const std::vector<sql::ColumnReference> columns = sql::ColumnsIn(expression);
  return std::any_of(columns.begin(), columns.end(), [&](const sql::ColumnReference& column) {
    return !IsConstant(column) && ColumnOf(column).hidden;
  });
}

bool Analyzer::UsesUnit(const Expression& expression) const {
  const std::vector<sql::ColumnReference> columns = sql::ColumnsIn(expression);
  return std::any_of(columns.begin(), columns.end(), [&](const sql::ColumnReference& column) {
    return !IsConstant(column) && ColumnOf(column).is_unit;
  });
}

Result<Done> Analyzer::CheckUse(const Expression& expression, Use use) const {
  std::optional<Error> error;
  sql::Visit(expression, [&](const Expression& node) {
    const auto* reference = BareColumn(node);
    if (reference == nullptr || error || IsConstant(*reference)) return true;
    const RowColumn& column = ColumnOf(*reference);
    const std::string name = column.table + "." + column.column;
    const bool hidden_is_fine =
        use == Use::kProjection || (use == Use::kUnitCount && BareColumn(expression) != nullptr);
    if (column.hidden && !hidden_is_fine) {
      error = HiddenColumn(column, node->position);
    } else if (column.is_unit && use == Use::kKey) {
      error = Refuse(rules::kUnitAsKey, node->position,
                     "grouping by " + name + " would make a group of every person",
                     "group by what people have in common, or count them: count(DISTINCT " +
                         column.column + ")");
    } else if (column.type.kind == sql::TypeKind::kOpaque && use != Use::kProjection &&
               use != Use::kUnitCount) {
      error = OpaqueColumn(column, node->position);
    }
    return true;
  });
  if (error) return *error;
  if (use == Use::kProjection || use == Use::kUnitCount) return Done{};
  TACIT_TRY(const Inferred inferred, Infer(expression));
  const bool boolean = inferred.type.kind == sql::TypeKind::kBoolean ||
                       inferred.type.kind == sql::TypeKind::kUnknown;
  if (use == Use::kFilter && !boolean) {
    return Refuse(rules::kWrongType, expression->position, "a condition must be true or false",
                  "compare it with something: WHERE age > 18");
  }
  return Done{};
}

}  // namespace tacit::analysis
