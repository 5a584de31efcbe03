#include "analysis/subqueries/correlation.h"

#include <algorithm>

#include "analysis/expressions/columns.h"
#include "analysis/expressions/infer.h"
#include "analysis/expressions/resolve.h"
#include "analysis/joins/conditions.h"
#include "analysis/joins/unit_equality.h"
#include "analysis/rules.h"
#include "sql/bind/scope.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

bool IsNamedIn(const Expression& expression, const std::vector<NamedColumn>& columns) {
  const auto* reference = BareColumn(expression);
  return reference != nullptr &&
         std::any_of(columns.begin(), columns.end(), [&](const NamedColumn& column) {
           return sql::FitsWithoutCase(column.name, reference->column) &&
                  (reference->table.empty() ||
                   sql::FitsWithoutCase(reference->table, column.table));
         });
}

// Two different values of the one type are never both equal to one value of the other: a row then
// meets one group at most. Doubles are left out for their zeros, and mixtures for their rounding.
bool MeetsOnce(const sql::Type& a, const sql::Type& b) {
  return (a.IsInteger() && b.IsInteger()) || (a == b && !a.IsFloat());
}

Error Correlated(sql::Position position) {
  return Refuse(
      rules::kCorrelatedSubquery, position,
      "the subquery depends on the protected row around it otherwise than by equalities",
      "equate columns of the two only, the units among them, or join the two tables on the "
      "unit");
}

}  // namespace

bool MayBeCorrelated(const sql::Select& select, const std::vector<NamedColumn>& outer) {
  for (const Expression& conjunct : sql::SplitConjuncts(select.where)) {
    const sql::Operator* equality = PlainEquality(conjunct);
    if (equality == nullptr) continue;
    if (IsNamedIn(equality->arguments[0], outer) || IsNamedIn(equality->arguments[1], outer)) {
      return true;
    }
  }
  return false;
}

Result<UnitEqualities> SplitCorrelation(Known& known, const sql::Select& select,
                                        const ProtectedRows& inner, const ProtectedRows& outer,
                                        const Environment& inside) {
  UnitEqualities split;
  for (const Expression& conjunct : sql::SplitConjuncts(select.where)) {
    const Result<Expression> own = ResolveCondition(known, conjunct, inner, inside);
    if (own.ok()) {
      for (const Expression& part : sql::SplitConjuncts(*own)) split.filters.push_back(part);
      continue;
    }
    if (own.error().rule != rules::kCorrelatedSubquery.name) return own.error();
    const sql::Operator* equality = PlainEquality(conjunct);
    if (equality == nullptr) return Correlated(conjunct->position);
    bool taken = false;
    for (const size_t i : {0u, 1u}) {
      const Result<Expression> a =
          ResolveOverRows(known, equality->arguments[i], inner, inside, Use::kProjection);
      const Result<Expression> b =
          ResolveOverRows(known, equality->arguments[1 - i], outer, inside, Use::kProjection);
      if (taken || !a.ok() || !b.ok()) continue;
      taken = true;
      const Expression both = MakeExpression(sql::Operator{"=", {*a, *b}}, conjunct->position);
      if (IsUnitEquality(known, both)) {
        split.on_unit = true;
        continue;
      }
      TACIT_CHECK(CheckUse(known, both, Use::kFilter));
      TACIT_TRY(const Inferred mine, Infer(known, *a));
      TACIT_TRY(const Inferred theirs, Infer(known, *b));
      if (!MeetsOnce(mine.type, theirs.type)) return Correlated(conjunct->position);
      split.others.emplace_back(*a, *b);
    }
    if (!taken) return Correlated(conjunct->position);
  }
  return split;
}

}  // namespace tacit::analysis
