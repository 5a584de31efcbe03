#include <algorithm>
#include <array>

#include "analysis/analyzer.h"
#include "analysis/blocks/block_map.h"
#include "analysis/relations/value_sources.h"
#include "base/mutant.h"
#include "sql/walk.h"

// Queries that stay inside one person: grouped by the unit, or with windows partitioned by it.
// Their rows still belong to one person each, so anything exact may be computed there.
// unit_query.md has the claim.
namespace tacit::analysis {
namespace {

// Aggregates whose value does not depend on the order of rows.
constexpr std::array<const char*, 13> kUnitAggregates = {
    "count",    "sum",    "avg",        "min",         "max",      "var_pop", "var_samp",
    "variance", "stddev", "stddev_pop", "stddev_samp", "bool_and", "bool_or"};
constexpr std::array<const char*, 8> kUnitWindows = {
    "row_number", "rank", "dense_rank", "lag", "lead", "first_value", "last_value", "ntile"};

template <class Names>
bool Has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Error WithoutRule(const std::string& name, sql::Position position) {
  return Refuse(rules::kAggregateWithoutRule, position,
                name + " has no rule inside one person's rows",
                "count, sum, avg, min, max, var_pop and stddev_pop have one");
}

// Below an aggregate anything goes; outside, group keys only.
Result<Done> CheckGrouped(const Expression& item, const std::vector<Expression>& keys,
                          const Analyzer& analyzer) {
  std::optional<Error> error;
  sql::Visit(item, [&](const Expression& node) {
    if (error || std::find(keys.begin(), keys.end(), node) != keys.end()) return false;
    if (const auto* call = sql::As<sql::AggregateCall>(node)) {
      if (!Has(kUnitAggregates, call->name) || call->within_group || !call->order_by.empty()) {
        error = WithoutRule(call->name, node->position);
      }
      for (const Expression& argument : call->arguments) {
        if (sql::HasAggregate(argument)) {
          error = Refuse(rules::kNestedAggregate, node->position, "aggregates cannot be nested",
                         "aggregate in two steps, one query inside the other");
        }
      }
      return false;
    }
    const auto* reference = BareColumn(node);
    if (reference != nullptr && !IsConstant(*reference)) {
      const RowColumn& column = analyzer.ColumnOf(*reference);
      error = Refuse(rules::kUngroupedColumn, node->position,
                     (analyzer.MayName(column) ? "the column " + column.column
                                               : std::string("a hidden column")) +
                         " is neither a group key nor inside an aggregate",
                     "add it to GROUP BY, or aggregate it");
    }
    return true;
  });
  if (error) return *error;
  return Done{};
}

bool IsRowNumberOfUnit(const Expression& item, const Analyzer& analyzer) {
  const auto* call = sql::As<sql::WindowCall>(item);
  if (call == nullptr || call->function.name != "row_number") return false;
  const std::vector<Expression>& partition = call->window.partition_by;
  return !partition.empty() && std::all_of(partition.begin(), partition.end(),
                                           [&](const auto& e) { return analyzer.NamesUnit(e); });
}

void AddValueSources(const Expression& node, std::vector<Expression>& sources);

void AddCallSources(const sql::AggregateCall& call, std::vector<Expression>& sources) {
  for (const Expression& argument : call.arguments) {
    const bool only_counted = call.name == "count" && BareColumn(argument) != nullptr;
    if (!only_counted) sources.push_back(argument);
  }
  if (call.filter) sources.push_back(call.filter);
  for (const sql::OrderItem& item : call.order_by) sources.push_back(item.expression);
}

void AddValueSources(const Expression& node, std::vector<Expression>& sources) {
  if (const auto* call = sql::As<sql::AggregateCall>(node)) return AddCallSources(*call, sources);
  if (const auto* call = sql::As<sql::WindowCall>(node)) {
    // What the window is partitioned by, beside the unit, and ordered by shows in ranks.
    AddCallSources(call->function, sources);
    for (const Expression& part : call->window.partition_by) sources.push_back(part);
    for (const sql::OrderItem& item : call->window.order_by) sources.push_back(item.expression);
    return;
  }
  if (BareColumn(node) != nullptr) sources.push_back(node);
  for (const Expression& child : sql::Children(node)) AddValueSources(child, sources);
}

}  // namespace

std::vector<Expression> ValueSources(const Expression& item) {
  std::vector<Expression> sources;
  AddValueSources(item, sources);
  return sources;
}

bool Analyzer::NamesUnit(const Expression& expression) const {
  const auto* reference = BareColumn(expression);
  return reference != nullptr && !IsConstant(*reference) && ColumnOf(*reference).equals_unit &&
         !nullable_.contains(reference->table);
}

// Like ResolveOverRows, but with aggregates and windows left standing around resolved operands.
Result<Expression> Analyzer::ResolveInsideUnit(const Expression& expression,
                                               const ProtectedRows& input,
                                               const Environment& environment) {
  std::optional<Error> error;
  Expression resolved = sql::Transform(expression, [&](const Expression& node) -> Expression {
    if (error) return node;
    const bool keep = sql::As<sql::AggregateCall>(node) || sql::As<sql::WindowCall>(node);
    const bool leaf = sql::As<sql::ColumnReference>(node) || sql::As<sql::ScalarQuery>(node) ||
                      sql::As<sql::Exists>(node) || sql::As<sql::InQuery>(node) ||
                      sql::As<sql::Parameter>(node) || sql::As<sql::Star>(node);
    if (keep || !leaf) return node;
    Result<Expression> meaning = ResolveOverRows(node, input, environment, Use::kProjection);
    if (meaning.ok()) return *meaning;
    error = std::move(meaning).error();
    return node;
  });
  if (error) return *error;
  return resolved;
}

Result<Done> Analyzer::CheckInsideUnit(const Expression& item) const {
  return CheckGrouped(item, {}, *this);
}

Result<Done> Analyzer::CheckWindows(const Expression& item, const Rows& rows) const {
  std::optional<Error> error;
  sql::Visit(item, [&](const Expression& node) {
    const auto* call = sql::As<sql::WindowCall>(node);
    if (call == nullptr || error) return true;
    sql::Visit(node, [&](const Expression& inner) {
      if (!sql::As<sql::WindowCall>(inner) || inner == node || error) return true;
      error =
          Refuse(rules::kNestedAggregate, inner->position,
                 "a window function cannot be part of another one's window or arguments",
                 "compute it in a subquery: FROM (SELECT ..., lag(x) OVER (...) AS y FROM t) q");
      return true;
    });
    if (error) return true;
    const std::vector<Expression>& partition = call->window.partition_by;
    const bool inside_unit = std::any_of(partition.begin(), partition.end(),
                                         [&](const Expression& e) { return NamesUnit(e); });
    if (!call->window.base.empty() || !inside_unit || !rows.unit) {
      error = Refuse(rules::kWindowBelow, node->position,
                     "a window over protected rows must be partitioned by the privacy unit",
                     "write PARTITION BY and the column that is the unit, or aggregate first: " +
                         ExampleCount(rows));
    } else if (const std::optional<sql::Frame>& frame = call->window.frame;
               frame && frame->unit == sql::FrameUnit::kRange &&
               (frame->start_offset || frame->end_offset)) {
      // It is added to values of rows, which may not fit, and has to be the only order.
      error = Refuse(rules::kFunctionWithoutRule, node->position,
                     "a RANGE frame with an offset has no rule",
                     "count rows instead: ROWS BETWEEN 1 PRECEDING AND CURRENT ROW");
    } else if (!Has(kUnitWindows, call->function.name) &&
               !Has(kUnitAggregates, call->function.name)) {
      error = WithoutRule(call->function.name, node->position);
    }
    return true;
  });
  if (error) return *error;
  return Done{};
}

// Windows are printed with the carried unit in their partition, whatever they say; columns that
// name it would only be compared again.
Expression Analyzer::WithoutUnits(const Expression& item) const {
  return sql::Transform(item, [&](const Expression& node) -> Expression {
    const auto* call = sql::As<sql::WindowCall>(node);
    if (call == nullptr) return node;
    sql::WindowCall inside = *call;
    std::erase_if(inside.window.partition_by, [&](const Expression& e) { return NamesUnit(e); });
    // Within one person it orders nothing.
    if (!inside.window.frame) {
      std::erase_if(inside.window.order_by,
                    [&](const sql::OrderItem& order) { return NamesUnit(order.expression); });
    }
    return MakeExpression(std::move(inside), node->position);
  });
}

// Where a value of the new column lies, as far as it follows from one person's rows.
Result<Inferred> Analyzer::InferInsideUnit(const Expression& item, const Rows& rows) const {
  TACIT_TRY(const sql::Bound bound, BindOverRows(item));
  Inferred inferred{.type = bound->type, .range = {}};
  const auto* call = sql::As<sql::AggregateCall>(item);
  const Rational count = Rational(rows.rows_per_unit);
  if (call == nullptr) {
    if (!sql::HasWindow(item) && !sql::HasAggregate(item)) return Infer(item, rows.filters);
    const auto* window = sql::As<sql::WindowCall>(item);
    const bool ranks = window != nullptr &&
                       (window->function.name == "row_number" || window->function.name == "rank" ||
                        window->function.name == "dense_rank");
    if (ranks) {
      inferred.range.low = 1;
      inferred.range.high = count;
    }
    return inferred;
  }
  if (call->name == "count") {
    inferred.range.low = 0;
    inferred.range.high = count;
    return inferred;
  }
  if (call->arguments.size() != 1) return inferred;
  TACIT_TRY(const Inferred argument, Infer(call->arguments[0], rows.filters));
  if (call->name == "min" || call->name == "max" || call->name == "avg") {
    inferred.range = argument.range;
  }
  if (call->name == "sum" && argument.range.IsBounded()) {
    inferred.range.low = Rational(count * std::min(Rational(0), *argument.range.low));
    inferred.range.high = Rational(count * std::max(Rational(0), *argument.range.high));
  }
  return inferred;
}

Result<ProtectedRows> Analyzer::MakeUnitQuery(const ProtectedRows& input,
                                              const std::vector<sql::SelectItem>& items,
                                              std::vector<Expression> group_by, bool grouped,
                                              const Environment& environment) {
  TACIT_ASSERT(input.rows.unit);
  UnitQuery query{.alias = "t" + std::to_string(++scans_),
                  .inner = input.rows,
                  .items = {},
                  .group_by = group_by,
                  .grouped = grouped};
  ProtectedRows output;
  for (const Expression& key : group_by) {
    TACIT_TRY(const Inferred inferred, Infer(key));
    if (inferred.type.kind == sql::TypeKind::kOpaque) {
      return OpaqueColumn(ColumnOf(*BareColumn(key)), key->position);
    }
  }
  for (const sql::SelectItem& item : items) {
    TACIT_TRY(Expression resolved, ResolveInsideUnit(item.expression, input, environment));
    if (grouped) TACIT_CHECK(CheckGrouped(resolved, group_by, *this));
    TACIT_CHECK(CheckWindows(resolved, input.rows));
    if (sql::HasWindow(resolved) && grouped) {
      return Refuse(rules::kWindowBelow, resolved->position,
                    "a window over grouped rows of one person has no rule", "use two queries");
    }
    TACIT_TRY(const Inferred inferred, InferInsideUnit(resolved, input.rows));
    const bool numbers_rows = IsRowNumberOfUnit(resolved, *this);
    resolved = WithoutUnits(resolved);
    RowColumn column;
    if (const auto* bare = BareColumn(resolved); bare != nullptr && !IsConstant(*bare)) {
      column = ColumnOf(*bare);
      // Of the side of an outer join that may be missing, it is NULL in rows of many people.
      column.equals_unit = TACIT_MUTANT("nullable_unit") ? column.equals_unit : NamesUnit(resolved);
    } else {
      column.table = "the subquery";
      column.column = sql::OutputName(item);
      for (const Expression& source : ValueSources(resolved)) {
        column.hidden = column.hidden || UsesHidden(source);
        column.is_unit = column.is_unit || UsesUnit(source);
      }
    }
    column.type = inferred.type;
    // A bare string is a text, as in PostgreSQL.
    if (column.type.kind == sql::TypeKind::kUnknown) column.type.kind = sql::TypeKind::kText;
    column.range = inferred.range;
    column.numbers_rows = numbers_rows;
    const std::string name = "c" + std::to_string(query.items.size() + 1);
    columns_.emplace(std::pair(query.alias, name), std::move(column));
    query.items.push_back(std::move(resolved));
    output.columns.push_back({"", sql::OutputName(item),
                              MakeExpression(sql::ColumnReference{query.alias, name}), false});
  }
  RowColumn unit = ColumnOf(*BareColumn(input.rows.unit));
  columns_.emplace(std::pair(query.alias, std::string(kUnitColumn)), std::move(unit));
  output.rows.unit = MakeExpression(sql::ColumnReference{query.alias, kUnitColumn});
  const bool one_row = grouped && std::all_of(group_by.begin(), group_by.end(),
                                              [&](const Expression& e) { return NamesUnit(e); });
  output.rows.rows_per_unit = one_row ? Integer(1) : input.rows.rows_per_unit;
  output.rows.source = RowSource(RowSourceNode{std::move(query)});
  return output;
}

Result<std::optional<ProtectedRows>> Analyzer::TryUnitGroups(const sql::QueryNode& node,
                                                             const sql::Select& select,
                                                             const ProtectedRows& input,
                                                             const Environment& environment) {
  if (!input.rows.unit || !select.distinct_on.empty()) return std::optional<ProtectedRows>();
  const sql::InputColumnTest test{[&](const std::string& name) {
    return std::any_of(input.columns.begin(), input.columns.end(),
                       [&](const NamedColumn& column) { return column.name == name; });
  }};
  TACIT_TRY(std::vector<Expression> keys, sql::ResolveGroupBy(select, test));
  const bool distinct = select.distinct && keys.empty() && !select.having;
  if (distinct) {
    for (const sql::SelectItem& item : select.items) {
      if (sql::As<sql::Star>(item.expression)) return std::optional<ProtectedRows>();
      keys.push_back(item.expression);
    }
  }
  for (Expression& key : keys) {
    TACIT_TRY(key, ResolveOverRows(key, input, environment, Use::kProjection));
  }
  const bool by_unit =
      std::any_of(keys.begin(), keys.end(), [&](const Expression& key) { return NamesUnit(key); });
  if (!by_unit || (select.distinct && !distinct)) return std::optional<ProtectedRows>();
  // How many groups a person has tells what is in a hidden key.
  for (const Expression& key : keys) {
    if (!NamesUnit(key)) TACIT_CHECK(CheckNotHidden(key));
  }
  if (node.limit || node.offset) {
    return Refuse(rules::kLimitBelow, (node.limit ? node.limit : node.offset)->position,
                  "LIMIT and OFFSET cannot choose among people",
                  "aggregate all of them: " + ExampleCount(input.rows));
  }
  std::vector<sql::SelectItem> items = select.items;
  if (select.having) items.push_back({select.having, "having"});
  TACIT_TRY(ProtectedRows rows, MakeUnitQuery(input, items, keys, true, environment));
  if (select.having) {
    rows.rows.filters.push_back(rows.columns.back().expression);
    rows.columns.pop_back();
    TACIT_CHECK(CheckUse(rows.rows.filters.back(), Use::kFilter));
  }
  return std::optional<ProtectedRows>(std::move(rows));
}

}  // namespace tacit::analysis
