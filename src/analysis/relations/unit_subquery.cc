#include <algorithm>

#include "analysis/analyzer.h"
#include "analysis/relations/value_sources.h"
#include "sql/walk.h"

// EXISTS, IN and scalar subqueries over rows of the same person: the subquery is grouped by the
// unit, which leaves one row of each person at most, and joined from the side that may be missing.
// unit_subquery.md has the claim.
namespace tacit::analysis {
namespace {

// Columns that stand for a subquery are known under a qualifier that no query can write.
const std::string kSubqueryMarker{"\0subquery", 9};

const sql::Operator* PlainEquality(const Expression& conjunct) {
  const auto* equality = sql::As<sql::Operator>(conjunct);
  return equality != nullptr && equality->symbol == "=" && equality->arguments.size() == 2
             ? equality
             : nullptr;
}

bool IsNamedIn(const Expression& expression, const std::vector<NamedColumn>& columns) {
  const auto* reference = BareColumn(expression);
  return reference != nullptr &&
         std::any_of(columns.begin(), columns.end(), [&](const NamedColumn& column) {
           return column.name == reference->column &&
                  (reference->table.empty() || reference->table == column.table);
         });
}

// Whether a condition of the subquery may equate something with the row around it: a cheap test
// that keeps uncorrelated subqueries from being analysed twice.
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

bool IsPlainSelect(const sql::QueryNode& node, const sql::Select& select) {
  return node.with.empty() && !node.limit && !node.offset && !select.distinct &&
         select.distinct_on.empty() && select.group_by.empty() && !select.having;
}

// Two different values of the one type are never both equal to one value of the other: a row then
// meets one group at most. Doubles are left out for their zeros, and mixtures for their rounding.
bool MeetsOnce(const sql::Type& a, const sql::Type& b) {
  return (a.IsInteger() && b.IsInteger()) || (a == b && !a.IsFloat());
}

Error Correlated(sql::Position position) {
  return Refuse(rules::kCorrelatedSubquery, position,
                "the subquery depends on the protected row around it otherwise than by equalities",
                "equate columns only: WHERE EXISTS (SELECT 1 FROM b WHERE b.person = a.person AND "
                "b.amount > 10), or join the two tables on the unit");
}

}  // namespace

// What a subquery equates with the row around it.
struct Analyzer::UnitEqualities {
  bool on_unit = false;
  std::vector<std::pair<Expression, Expression>> others;  // inner, outer
  std::vector<Expression> filters;                        // of the inner rows alone
};

Result<Analyzer::UnitEqualities> Analyzer::SplitCorrelation(const sql::Select& select,
                                                            const ProtectedRows& inner,
                                                            const ProtectedRows& outer,
                                                            const Environment& inside) {
  UnitEqualities split;
  for (const Expression& conjunct : sql::SplitConjuncts(select.where)) {
    const Result<Expression> own = ResolveCondition(conjunct, inner, inside);
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
          ResolveOverRows(equality->arguments[i], inner, inside, Use::kProjection);
      const Result<Expression> b =
          ResolveOverRows(equality->arguments[1 - i], outer, inside, Use::kProjection);
      if (taken || !a.ok() || !b.ok()) continue;
      taken = true;
      const Expression both = MakeExpression(sql::Operator{"=", {*a, *b}}, conjunct->position);
      if (IsUnitEquality(both, nullptr, nullptr)) {
        split.on_unit = true;
        continue;
      }
      TACIT_CHECK(CheckUse(both, Use::kFilter));
      TACIT_TRY(const Inferred mine, Infer(*a));
      TACIT_TRY(const Inferred theirs, Infer(*b));
      if (!MeetsOnce(mine.type, theirs.type)) return Correlated(conjunct->position);
      split.others.emplace_back(*a, *b);
    }
    if (!taken) return Correlated(conjunct->position);
  }
  return split;
}

// Joins the inner rows, grouped by unit and equated columns, to `input`; the value of each group
// is the result's expression.
Result<Expression> Analyzer::AttachGroups(const Rows& inner, const UnitEqualities& equalities,
                                          const Expression& value, ProtectedRows& input) {
  UnitQuery query{.alias = "t" + std::to_string(++scans_),
                  .inner = inner,
                  .items = {},
                  .group_by = {},
                  .grouped = true};
  const auto add = [&](const Expression& item, RowColumn column) {
    query.items.push_back(item);
    const sql::ColumnReference reference{query.alias, "c" + std::to_string(query.items.size())};
    columns_.emplace(std::pair(reference.table, reference.column), std::move(column));
    return MakeExpression(reference);
  };
  std::vector<Expression> conditions;
  const Expression unit = MakeExpression(sql::ColumnReference{query.alias, kUnitColumn});
  columns_.emplace(std::pair(query.alias, std::string(kUnitColumn)),
                   ColumnOf(*BareColumn(inner.unit)));
  for (const auto& [mine, theirs] : equalities.others) {
    TACIT_TRY(const Inferred inferred, Infer(mine, inner.filters));
    RowColumn column;
    column.table = "the subquery";
    column.column = "key";
    column.type = inferred.type;
    query.group_by.push_back(mine);
    conditions.push_back(
        MakeExpression(sql::Operator{"=", {theirs, add(mine, std::move(column))}}));
  }
  RowColumn result;
  result.table = "the subquery";
  result.column = "value";
  TACIT_TRY(const Inferred inferred, InferInsideUnit(value, inner));
  result.type = inferred.type;
  result.range = inferred.range;
  for (const Expression& source : ValueSources(value)) {
    result.hidden = result.hidden || UsesHidden(source);
    result.is_unit = result.is_unit || UsesUnit(source);
  }
  const Expression found = add(value, std::move(result));
  nullable_.insert(query.alias);
  input.rows.source =
      RowSource(RowSourceNode{RowJoin{.kind = sql::JoinKind::kLeft,
                                      .left = input.rows.source,
                                      .right = RowSource(RowSourceNode{std::move(query)}),
                                      .left_unit = input.rows.unit,
                                      .right_unit = unit,
                                      .on = sql::JoinConjuncts(std::move(conditions))}});
  return found;
}

Result<std::optional<Expression>> Analyzer::TryAttachIn(const sql::InQuery& in,
                                                        ProtectedRows& input,
                                                        const Environment& environment,
                                                        sql::Position position) {
  using Nothing = std::optional<Expression>;
  const Result<Expression> operand =
      ResolveOverRows(in.operand, input, environment, Use::kProjection);
  if (!operand.ok() || !NamesUnit(*operand) || !input.rows.unit) return Nothing();
  const Facts facts_before = facts_;
  const Environment inside{.outer = &environment, .with = {}, .rows = &input.columns};
  const Result<Source> source = AnalyzeQuery(in.query, inside);
  const auto* inner = source.ok() ? std::get_if<ProtectedRows>(&*source) : nullptr;
  if (inner == nullptr || inner->columns.size() != 1 || !inner->rows.unit) {
    facts_ = facts_before;
    return Nothing();
  }
  const Expression equality =
      MakeExpression(sql::Operator{"=", {*operand, inner->columns[0].expression}}, position);
  if (!NamesUnit(inner->columns[0].expression) || !IsUnitEquality(equality, nullptr, nullptr)) {
    return Refuse(rules::kSubqueryOverRows, position,
                  "IN over protected rows must compare the unit with the unit of the subquery",
                  "ask for an aggregate instead, for example: " + ExampleCount(inner->rows));
  }
  const Expression truth =
      MakeExpression(sql::Literal{sql::LiteralKind::kBoolean, "true", {}}, position);
  TACIT_TRY(const Expression found, AttachGroups(inner->rows, {}, truth, input));
  return Nothing(MakeExpression(sql::IsNull{found, !in.negated}, position));
}

Result<std::optional<Expression>> Analyzer::TryAttachSelect(const sql::Query& query, bool exists,
                                                            ProtectedRows& input,
                                                            const Environment& environment,
                                                            sql::Position position) {
  using Nothing = std::optional<Expression>;
  const auto* written = sql::As<sql::Select>(query);
  if (written == nullptr || !IsPlainSelect(*query, *written) || !input.rows.unit ||
      !MayBeCorrelated(*written, input.columns)) {
    return Nothing();
  }
  const Facts facts_before = facts_;
  const Environment inside{.outer = &environment, .with = {}, .rows = &input.columns};
  std::optional<ProtectedRows> inner;
  if (auto from = AnalyzeFrom(*written, inside); from.ok()) {
    auto items = std::move(from).value();
    if (auto* rows = std::get_if<ProtectedRows>(&items)) inner = std::move(*rows);
  }
  if (!inner || !inner->rows.unit) {
    facts_ = facts_before;
    return Nothing();
  }
  TACIT_TRY(const sql::Select select, AttachUnitSubqueries(*written, *inner, inside));
  TACIT_TRY(const UnitEqualities equalities, SplitCorrelation(select, *inner, input, inside));
  if (!equalities.on_unit && equalities.others.empty()) {
    // Nothing of the row around it: a query of its own, whose release may be a constant here.
    facts_ = facts_before;
    return Nothing();
  }
  if (!equalities.on_unit) {
    return Refuse(
        rules::kSubqueryOverRows, position,
        "the subquery's rows must be of the same person as the row around it",
        "equate the units of both, or ask for an aggregate: " + ExampleCount(inner->rows));
  }
  for (const Expression& filter : equalities.filters) inner->rows.filters.push_back(filter);
  NarrowByRowNumber(inner->rows);
  if (exists) {
    const Expression truth =
        MakeExpression(sql::Literal{sql::LiteralKind::kBoolean, "true", {}}, position);
    TACIT_TRY(const Expression found, AttachGroups(inner->rows, equalities, truth, input));
    return Nothing(MakeExpression(sql::IsNull{found, true}, position));
  }
  const auto* call =
      select.items.size() == 1 ? sql::As<sql::AggregateCall>(select.items[0].expression) : nullptr;
  if (call == nullptr) {
    return Refuse(rules::kCorrelatedSubquery, position,
                  "a scalar subquery over one person's rows must be one aggregate",
                  "write count(*), sum(x), avg(x), min(x) or max(x) alone, or aggregate first: " +
                      ExampleCount(inner->rows));
  }
  TACIT_TRY(const Expression value, ResolveInsideUnit(select.items[0].expression, *inner, inside));
  TACIT_CHECK(CheckInsideUnit(value));
  TACIT_TRY(const Expression found, AttachGroups(inner->rows, equalities, value, input));
  if (call->name != "count") return Nothing(found);
  const Expression zero = MakeExpression(sql::Literal{sql::LiteralKind::kInteger, "0", {}});
  return Nothing(MakeExpression(sql::Call{"coalesce", {found, zero}}, position));
}

Result<std::optional<Expression>> Analyzer::TryAttach(const Expression& node, ProtectedRows& input,
                                                      const Environment& environment) {
  const sql::Position position = node->position;
  if (const auto* in = sql::As<sql::InQuery>(node)) {
    return TryAttachIn(*in, input, environment, position);
  }
  if (const auto* exists = sql::As<sql::Exists>(node)) {
    return TryAttachSelect(exists->query, true, input, environment, position);
  }
  if (const auto* scalar = sql::As<sql::ScalarQuery>(node)) {
    return TryAttachSelect(scalar->query, false, input, environment, position);
  }
  return std::optional<Expression>();
}

Result<sql::Select> Analyzer::AttachUnitSubqueries(const sql::Select& select, ProtectedRows& input,
                                                   const Environment& environment) {
  std::optional<Error> error;
  const auto attach = [&](Expression& place) {
    if (!place || !sql::HasSubquery(place)) return;
    place = sql::Transform(place, [&](const Expression& node) -> Expression {
      if (error) return node;
      Result<std::optional<Expression>> attached = TryAttach(node, input, environment);
      if (!attached.ok()) error = std::move(attached).error();
      if (error || !*attached) return node;
      const std::string table = kSubqueryMarker + std::to_string(scans_);
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
