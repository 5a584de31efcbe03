#include "analysis/subqueries/unit_subquery.h"

#include <optional>

#include "analysis/expressions/columns.h"
#include "analysis/expressions/resolve.h"
#include "analysis/inside_unit/first_rows.h"
#include "analysis/inside_unit/infer_inside.h"
#include "analysis/inside_unit/rules_inside.h"
#include "analysis/joins/unit_equality.h"
#include "analysis/query/query.h"
#include "analysis/query/select.h"
#include "analysis/rules.h"
#include "analysis/subqueries/attach_groups.h"
#include "analysis/texts/examples.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// Columns that stand for a subquery are known under a qualifier that no query can write.
const std::string kSubqueryMarker{"\0subquery", 9};

bool IsPlainSelect(const sql::QueryNode& node, const sql::Select& select) {
  return node.with.empty() && !node.limit && !node.offset && !select.distinct &&
         select.distinct_on.empty() && select.group_by.empty() && !select.having;
}

Expression TruthAt(sql::Position position) {
  return MakeExpression(sql::Literal{sql::LiteralKind::kBoolean, "true", {}}, position);
}

Result<std::optional<Expression>> TryAttachIn(Known& known, const sql::InQuery& in,
                                              ProtectedRows& input, const Environment& environment,
                                              sql::Position position) {
  using Attached = std::optional<Expression>;
  const Result<Expression> operand =
      ResolveOverRows(known, in.operand, input, environment, Use::kProjection);
  if (!operand.ok() || !NamesUnit(known, *operand) || !input.rows.unit) return Attached();
  const Facts facts_before = known.facts;
  const Environment inside{.outer = &environment, .with = {}, .rows = &input.columns};
  const Result<Source> source = AnalyzeQuery(known, in.query, inside);
  const auto* inner = source.ok() ? std::get_if<ProtectedRows>(&*source) : nullptr;
  if (inner == nullptr || inner->columns.size() != 1 || !inner->rows.unit) {
    known.facts = facts_before;
    return Attached();
  }
  const Expression equality =
      MakeExpression(sql::Operator{"=", {*operand, inner->columns[0].expression}}, position);
  if (!NamesUnit(known, inner->columns[0].expression) || !IsUnitEquality(known, equality)) {
    return Refuse(rules::kSubqueryOverRows, position,
                  "IN over protected rows must compare the unit with the unit of the subquery",
                  "ask for an aggregate instead, for example: " + ExampleCount(inner->rows));
  }
  TACIT_TRY(const Expression found, AttachGroups(known, inner->rows, {}, TruthAt(position), input));
  return Attached(MakeExpression(sql::IsNull{found, !in.negated}, position));
}

// proof: analysis/subqueries/unit_subquery.md#claim
Result<Expression> AttachExists(Known& known, const Rows& inner, const UnitEqualities& equalities,
                                ProtectedRows& input, sql::Position position) {
  TACIT_TRY(const Expression found,
            AttachGroups(known, inner, equalities, TruthAt(position), input));
  return MakeExpression(sql::IsNull{found, true}, position);
}

// proof: analysis/subqueries/unit_subquery.md#claim
Result<Expression> AttachScalar(Known& known, const sql::Select& select, const ProtectedRows& inner,
                                const UnitEqualities& equalities, ProtectedRows& input,
                                const Environment& inside, sql::Position position) {
  const auto* call =
      select.items.size() == 1 ? sql::As<sql::AggregateCall>(select.items[0].expression) : nullptr;
  if (call == nullptr) {
    return Refuse(
        rules::kCorrelatedSubquery, position,
        "a scalar subquery over one person's rows must be one aggregate",
        "it may be count(*), sum(x), avg(x), min(x) or max(x) alone; or aggregate first: " +
            ExampleCount(inner.rows));
  }
  TACIT_TRY(const Expression value,
            ResolveInsideUnit(known, select.items[0].expression, inner, inside));
  TACIT_CHECK(CheckGrouped(known, value, {}));
  TACIT_TRY(const Expression found, AttachGroups(known, inner.rows, equalities, value, input));
  if (call->name != "count") return found;
  const Expression zero = MakeExpression(sql::Literal{sql::LiteralKind::kInteger, "0", {}});
  return MakeExpression(sql::Call{"coalesce", {found, zero}}, position);
}

// What FROM gives, if that is protected rows with a unit.
std::optional<ProtectedRows> RowsOfFrom(Known& known, const sql::Select& select,
                                        const Environment& inside) {
  Result<From> from = AnalyzeFrom(known, select, inside);
  if (!from.ok()) return std::nullopt;
  From given = std::move(from).value();
  auto* rows = std::get_if<ProtectedRows>(&given);
  if (rows == nullptr || !rows->rows.unit) return std::nullopt;
  return std::move(*rows);
}

Result<std::optional<Expression>> TryAttachSelect(Known& known, const sql::Query& query,
                                                  bool exists, ProtectedRows& input,
                                                  const Environment& environment,
                                                  sql::Position position) {
  using Attached = std::optional<Expression>;
  const auto* written = sql::As<sql::Select>(query);
  if (written == nullptr || !IsPlainSelect(*query, *written) || !input.rows.unit ||
      !MayBeCorrelated(*written, input.columns)) {
    return Attached();
  }
  const Facts facts_before = known.facts;
  const Environment inside{.outer = &environment, .with = {}, .rows = &input.columns};
  std::optional<ProtectedRows> inner = RowsOfFrom(known, *written, inside);
  if (!inner) {
    known.facts = facts_before;
    return Attached();
  }
  TACIT_TRY(const sql::Select select, AttachUnitSubqueries(known, *written, *inner, inside));
  TACIT_TRY(const UnitEqualities equalities,
            SplitCorrelation(known, select, *inner, input, inside));
  if (!equalities.on_unit && equalities.others.empty()) {
    // Nothing of the row around it: a query of its own, whose release may be a constant here.
    known.facts = facts_before;
    return Attached();
  }
  if (!equalities.on_unit) {
    return Refuse(
        rules::kSubqueryOverRows, position,
        "the subquery's rows must be of the same person as the row around it",
        "equate the units of both, or ask for an aggregate: " + ExampleCount(inner->rows));
  }
  for (const Expression& filter : equalities.filters) inner->rows.filters.push_back(filter);
  NarrowByRowNumber(known, inner->rows);
  TACIT_TRY(Expression attached,
            exists ? AttachExists(known, inner->rows, equalities, input, position)
                   : AttachScalar(known, select, *inner, equalities, input, inside, position));
  return Attached(std::move(attached));
}

Result<std::optional<Expression>> TryAttach(Known& known, const Expression& node,
                                            ProtectedRows& input, const Environment& environment) {
  const sql::Position position = node->position;
  if (const auto* in = sql::As<sql::InQuery>(node)) {
    return TryAttachIn(known, *in, input, environment, position);
  }
  if (const auto* exists = sql::As<sql::Exists>(node)) {
    return TryAttachSelect(known, exists->query, true, input, environment, position);
  }
  if (const auto* scalar = sql::As<sql::ScalarQuery>(node)) {
    return TryAttachSelect(known, scalar->query, false, input, environment, position);
  }
  return std::optional<Expression>();
}

}  // namespace

Result<sql::Select> AttachUnitSubqueries(Known& known, const sql::Select& select,
                                         ProtectedRows& input, const Environment& environment) {
  std::optional<Error> error;
  const auto attach = [&](Expression& place) {
    if (!place || !sql::HasSubquery(place)) return;
    place = sql::Transform(place, [&](const Expression& node) -> Expression {
      if (error) return node;
      Result<std::optional<Expression>> attached = TryAttach(known, node, input, environment);
      if (!attached.ok()) error = std::move(attached).error();
      if (error || !*attached) return node;
      const std::string table = kSubqueryMarker + std::to_string(known.scans);
      input.columns.push_back({table, "value", **attached, true});
      return MakeExpression(sql::ColumnReference{table, "value"}, node->position);
    });
  };
  sql::Select changed = select;
  for (sql::SelectItem& item : changed.items) {
    const sql::SelectItem before = item;
    attach(item.expression);
    if (!(item.expression == before.expression)) item.alias = sql::OutputName(before);
  }
  attach(changed.where);
  for (Expression& key : changed.group_by) attach(key);
  attach(changed.having);
  if (error) return *error;
  return changed;
}

}  // namespace tacit::analysis
