#include <algorithm>

#include "analysis/analyzer.h"
#include "analysis/blocks/block_map.h"
#include "analysis/types.h"
#include "base/mutant.h"
#include "policy/stored_types.h"
#include "sql/walk.h"

// Joins with protected rows. joins.md has the claims: through an equality of units rows per unit
// multiply; a public table joined on an equality meets each row at most once.
namespace tacit::analysis {
namespace {

bool HasScan(const Rows& rows, const std::string& alias) {
  bool found = false;
  ForEachAlias(rows.source, [&](const std::string& name) { found = found || name == alias; });
  return found;
}

// Nothing but column = column.
const sql::Operator* PlainEquality(const Expression& conjunct) {
  const auto* equality = sql::As<sql::Operator>(conjunct);
  return equality != nullptr && equality->symbol == "=" && equality->arguments.size() == 2
             ? equality
             : nullptr;
}

// A column of the preserved side stays; one of the other side is NULL where nothing matched.
Expression NullWhereUnmatched(const Expression& expression, const Expression& unit) {
  if (BareColumn(expression) != nullptr) return expression;
  sql::Case choice;
  choice.branches.push_back(
      {MakeExpression(sql::IsNull{unit, true}, expression->position), expression});
  return MakeExpression(std::move(choice), expression->position);
}

// Equality of values, not of what conversions make of them: two large bigints can be one double.
bool CompareExactly(const sql::Type& a, const sql::Type& b) {
  return a == b || (a.IsInteger() && b.IsInteger());
}

}  // namespace

std::string Analyzer::ExampleCount(const Rows& rows) {
  std::string table;
  ForEachScan(rows.source, [&](const TableScan& scan) {
    if (!scan.is_public && table.empty()) table = scan.table;
  });
  return "SELECT count(*) FROM " + table;
}

std::string Analyzer::ExampleJoin(const ProtectedRows& left, const ProtectedRows& right) const {
  const auto unit_of = [&](const ProtectedRows& side) -> const RowColumn* {
    for (const NamedColumn& column : side.columns) {
      const auto* bare = BareColumn(column.expression);
      if (bare == nullptr || IsConstant(*bare) || bare->column == kUnitColumn) continue;
      const RowColumn& facts = ColumnOf(*bare);
      if (facts.equals_unit && facts.stored_type.kind != TypeKind::kOpaque) return &facts;
    }
    return nullptr;
  };
  const RowColumn* a = unit_of(left);
  const RowColumn* b = unit_of(right);
  if (a == nullptr || b == nullptr || !MayName(*a) || !MayName(*b)) return "";
  if (!policy::AreSameKeys(a->stored_type, b->stored_type)) return "";
  return "SELECT count(*) FROM " + a->table + " a JOIN " + b->table + " b ON a." + a->column +
         " = b." + b->column;
}

// Which mistake it is: the conditions are the resolved ones of ON, USING and WHERE.
Error Analyzer::OffTheUnit(const std::vector<Expression>& conditions, const ProtectedRows& left,
                           const ProtectedRows& right, sql::Position position) const {
  const std::string example = ExampleJoin(left, right);
  const std::string hint =
      example.empty()
          ? "ask about one of the tables: " + ExampleCount(left.rows)
          : "join them by a plain equality of the columns that are the unit: " + example;
  bool through_or = false;
  bool computed = false;
  bool same_name = false;
  for (const Expression& condition : conditions) {
    sql::Visit(condition, [&](const Expression& node) {
      const auto* logical = sql::As<sql::Logical>(node);
      const bool is_or = logical != nullptr && logical->connective != sql::Connective::kAnd;
      if (is_or && UsesUnit(node)) through_or = true;
      const sql::Operator* equality = PlainEquality(node);
      if (equality == nullptr) return true;
      const Expression& a = equality->arguments[0];
      const Expression& b = equality->arguments[1];
      const auto* x = BareColumn(a);
      const auto* y = BareColumn(b);
      if ((x == nullptr && UsesUnit(a)) || (y == nullptr && UsesUnit(b))) computed = true;
      if (x != nullptr && y != nullptr && !IsConstant(*x) && !IsConstant(*y)) {
        const bool units = ColumnOf(*x).equals_unit && ColumnOf(*y).equals_unit;
        const bool named = ColumnOf(*x).is_unit || ColumnOf(*y).is_unit;
        if (units && !CompareExactly(ColumnOf(*x).type, ColumnOf(*y).type)) computed = true;
        if (named && !units && x->column == y->column) same_name = true;
      }
      return true;
    });
  }
  if (through_or) {
    return Refuse(rules::kJoinThroughOr, position,
                  "the equality of units stands under OR or NOT, where it does not join people",
                  hint);
  }
  if (same_name) {
    return Refuse(rules::kJoinOnSameName, position,
                  "the columns have one name, but only one of them is the privacy unit", hint);
  }
  if (computed) {
    return Refuse(rules::kJoinOnComputedUnit, position,
                  "the privacy unit is joined through a cast, arithmetic or another type", hint);
  }
  return Refuse(rules::kJoinWithoutRule, position,
                "protected tables must be joined on the privacy unit", hint);
}

// A row costs an engine at most a small multiple of the query's own length and of the texts stored
// in it: what a function makes of them is cut. Why 2^14 rows and 2^24 bytes: some hundredths of a
// second and some megabytes, so that whether somebody has all the rows the caps allow is not told
// by the time, the memory or a failure. The texts stored are not counted here: a person with one of
// a megabyte shows in the time all the same. What the owner declared for a table is not multiplied,
// and stays allowed.
Result<Done> Analyzer::CheckRowsOfOneUnit(const Rows& joined, const Integer& before,
                                          sql::Position position) const {
  const Integer by_length =
      (Integer(1) << 24) / Integer(static_cast<unsigned long>(written_bytes_ + 1));
  const Integer most = std::min(Integer(Integer(1) << 14), by_length);
  if (joined.rows_per_unit <= before || joined.rows_per_unit <= most) return Done{};
  return Refuse(rules::kTooManyRows, position,
                "these joins could make " + joined.rows_per_unit.get_str() +
                    " rows of one person; in a query of this length they may make " +
                    most.get_str(),
                "join fewer tables with many rows per person, or first make one row per person of "
                "each: (SELECT person, count(*) AS n FROM b GROUP BY person)");
}

bool Analyzer::IsUnitEquality(const Expression& conjunct, const Rows* left,
                              const Rows* right) const {
  const sql::Operator* equality = PlainEquality(conjunct);
  if (equality == nullptr) return false;
  const auto* a = BareColumn(equality->arguments[0]);
  const auto* b = BareColumn(equality->arguments[1]);
  if (a == nullptr || b == nullptr || IsConstant(*a) || IsConstant(*b) || a->table == b->table) {
    return false;
  }
  if (!ColumnOf(*a).equals_unit || !ColumnOf(*b).equals_unit) return false;
  if (!CompareExactly(ColumnOf(*a).type, ColumnOf(*b).type)) return false;
  if (left == nullptr || right == nullptr) return true;
  return (HasScan(*left, a->table) && HasScan(*right, b->table)) ||
         (HasScan(*left, b->table) && HasScan(*right, a->table));
}

// Of two numbers of different kinds both may be rounded to one.
bool Analyzer::CompareAsUnits(const Rows& left, const Rows& right) const {
  const ValueType& a = ColumnOf(*BareColumn(left.unit)).stored_type;
  const ValueType& b = ColumnOf(*BareColumn(right.unit)).stored_type;
  if (TACIT_MUTANT("units_of_different_types")) return true;
  return policy::AreSameKeys(a, b);
}

bool Analyzer::HoldsByUnits(const Expression& conjunct) const {
  if (!IsUnitEquality(conjunct, nullptr, nullptr)) return false;
  const sql::Operator& equality = *PlainEquality(conjunct);
  return NamesUnit(equality.arguments[0]) && NamesUnit(equality.arguments[1]);
}

// Every scan inside a side carries the side's unit, or NULL where it is missing, so any of them may
// stand for it: a wrong choice loses rows and mixes nobody. The scans that the query equates are
// the ones that the engine joins best.
std::pair<Expression, Expression> Analyzer::CarriedUnits(const Expression& equality,
                                                         const Rows& left,
                                                         const Rows& right) const {
  if (!HoldsByUnits(equality)) return {left.unit, right.unit};
  const sql::Operator& columns = *PlainEquality(equality);
  const auto carried = [&](size_t i) {
    return MakeExpression(
        sql::ColumnReference{BareColumn(columns.arguments[i])->table, kUnitColumn},
        equality->position);
  };
  const size_t first = HasScan(left, BareColumn(columns.arguments[0])->table) ? 0 : 1;
  return {carried(first), carried(1 - first)};
}

// A condition may use hidden columns where it equates units, and nowhere else.
Result<Expression> Analyzer::ResolveCondition(const Expression& conjunct,
                                              const ProtectedRows& input,
                                              const Environment& environment) {
  TACIT_TRY(Expression resolved, ResolveOverRows(conjunct, input, environment, Use::kProjection));
  if (!IsUnitEquality(resolved, nullptr, nullptr)) TACIT_CHECK(CheckUse(resolved, Use::kFilter));
  return resolved;
}

Result<std::vector<Expression>> Analyzer::JoinConditions(const sql::Join& join,
                                                         const ProtectedRows& left,
                                                         ProtectedRows& combined,
                                                         const Environment& environment,
                                                         sql::Position position) {
  std::vector<Expression> conditions;
  for (const std::string& name : join.using_columns) {
    const NamedColumn* sides[2] = {nullptr, nullptr};
    for (size_t i = 0; i < combined.columns.size(); ++i) {
      NamedColumn& column = combined.columns[i];
      if (column.name != name || column.merged) continue;
      const bool on_right = i >= left.columns.size();
      sides[on_right ? 1 : 0] = &column;
      if (on_right) column.merged = true;
    }
    if (sides[0] == nullptr || sides[1] == nullptr) {
      return Refuse(rules::kUnknownColumn, position,
                    "USING needs the column " + name + " in both tables", "");
    }
    const Expression equality =
        MakeExpression(sql::Operator{"=", {sides[0]->expression, sides[1]->expression}}, position);
    if (!IsUnitEquality(equality, nullptr, nullptr)) TACIT_CHECK(CheckUse(equality, Use::kFilter));
    conditions.push_back(equality);
  }
  for (const Expression& conjunct : sql::SplitConjuncts(join.on)) {
    TACIT_TRY(Expression resolved, ResolveCondition(conjunct, combined, environment));
    conditions.push_back(std::move(resolved));
  }
  return conditions;
}

Result<ProtectedRows> Analyzer::JoinRows(const sql::Join& join, ProtectedRows left,
                                         ProtectedRows right, const std::vector<Expression>& where,
                                         const Environment& environment, sql::Position position) {
  if (join.kind == sql::JoinKind::kFull) {
    const std::string example = ExampleJoin(left, right);
    return Refuse(rules::kFullJoin, position, "a FULL join of protected rows has no rule",
                  "keep one side with LEFT JOIN, or the rows on both sides: " +
                      (example.empty() ? ExampleCount(left.rows) : example));
  }
  ProtectedRows combined;
  combined.columns = left.columns;
  combined.columns.insert(combined.columns.end(), right.columns.begin(), right.columns.end());
  TACIT_TRY(std::vector<Expression> conditions,
            JoinConditions(join, left, combined, environment, position));
  const bool inner = join.kind == sql::JoinKind::kInner || join.kind == sql::JoinKind::kCross;
  std::vector<Expression> equalities = conditions;
  // An equality in WHERE is as good for an inner join.
  for (const Expression& conjunct : where) {
    if (!inner) break;
    const Result<Expression> resolved =
        ResolveOverRows(conjunct, combined, environment, Use::kProjection);
    if (resolved.ok()) equalities.push_back(*resolved);
  }
  const auto equality =
      std::find_if(equalities.begin(), equalities.end(),
                   [&](const Expression& e) { return IsUnitEquality(e, &left.rows, &right.rows); });
  if (equality == equalities.end() || !left.rows.unit || !right.rows.unit) {
    for (const Expression& conjunct : where) {
      const Result<Expression> resolved =
          ResolveOverRows(conjunct, combined, environment, Use::kProjection);
      if (resolved.ok()) conditions.push_back(*resolved);
    }
    return OffTheUnit(conditions, left, right, position);
  }

  if (!CompareAsUnits(left.rows, right.rows)) return OffTheUnit(conditions, left, right, position);

  const bool flipped = join.kind == sql::JoinKind::kRight;
  Rows& preserved = flipped ? right.rows : left.rows;
  Rows& other = flipped ? left.rows : right.rows;
  combined.rows.unit = preserved.unit;
  combined.rows.rows_per_unit = left.rows.rows_per_unit * right.rows.rows_per_unit;
  TACIT_CHECK(CheckRowsOfOneUnit(
      combined.rows, std::max(left.rows.rows_per_unit, right.rows.rows_per_unit), position));
  combined.rows.filters = preserved.filters;
  if (inner) {
    combined.rows.filters.insert(combined.rows.filters.end(), other.filters.begin(),
                                 other.filters.end());
  } else {
    ForEachAlias(other.source, [&](const std::string& alias) { nullable_.insert(alias); });
    // The other side's own filters decide what matches, not what stays.
    conditions.insert(conditions.end(), other.filters.begin(), other.filters.end());
    const size_t begin = flipped ? 0 : left.columns.size();
    const size_t end = flipped ? left.columns.size() : combined.columns.size();
    for (size_t i = begin; i < end; ++i) {
      combined.columns[i].expression =
          NullWhereUnmatched(combined.columns[i].expression, other.unit);
    }
  }
  std::erase_if(conditions, [&](const Expression& e) { return HoldsByUnits(e); });
  const auto [preserved_unit, other_unit] = CarriedUnits(*equality, preserved, other);
  combined.rows.source =
      RowSource(RowSourceNode{RowJoin{.kind = inner ? sql::JoinKind::kInner : sql::JoinKind::kLeft,
                                      .left = preserved.source,
                                      .right = other.source,
                                      .left_unit = preserved_unit,
                                      .right_unit = other_unit,
                                      .on = sql::JoinConjuncts(std::move(conditions))}});
  return combined;
}

// A stored public table as a scan beside protected rows.
ProtectedRows Analyzer::ScanPublicTable(const sql::TableReference& reference) {
  const policy::SchemaTable& stored = *schema_.Find(policy_.Find(reference.name)->name);
  const std::string qualifier =
      reference.alias.name.empty() ? reference.name : reference.alias.name;
  TableScan scan{.alias = "t" + std::to_string(++scans_),
                 .table = stored.name,
                 .stored_columns = {},
                 .opaque_columns = {},
                 .is_public = true,
                 .hops = {},
                 .unit_column = "",
                 .rows_per_unit = 1,
                 .rows_max = ToInteger(policy_.Find(reference.name)->rows_max),
                 .prepared = stored.prepared,
                 .unique_on = {}};
  ProtectedRows result;
  for (const policy::SchemaColumn& column : stored.columns) {
    scan.stored_columns.push_back(column.name);
    RowColumn facts;
    facts.table = stored.name;
    facts.column = column.name;
    facts.stored_type = column.type;
    facts.type = QueryTypeOf(column.type);
    facts.keys = policy::KeysOfTable{stored.name, column.name};
    columns_.emplace(std::pair(scan.alias, column.name), std::move(facts));
    result.columns.push_back({qualifier, policy::FoldedName(column.name),
                              MakeExpression(sql::ColumnReference{scan.alias, column.name}),
                              false});
  }
  for (size_t i = 0; i < reference.alias.columns.size() && i < result.columns.size(); ++i) {
    result.columns[i].name = reference.alias.columns[i];
  }
  result.rows.source = RowSource(RowSourceNode{std::move(scan)});
  return result;
}

// The public table's column that a conjunct equates with something of the other side, or nothing.
const sql::ColumnReference* Analyzer::EquatedColumn(const Expression& conjunct,
                                                    const std::string& alias) const {
  const sql::Operator* equality = PlainEquality(conjunct);
  if (equality == nullptr) return nullptr;
  for (const size_t i : {0u, 1u}) {
    const auto* column = BareColumn(equality->arguments[i]);
    if (column == nullptr || column->table != alias) continue;
    const Expression& other = equality->arguments[1 - i];
    const std::vector<sql::ColumnReference> others = sql::ColumnsIn(other);
    const bool other_side =
        std::none_of(others.begin(), others.end(), [&](const auto& c) { return c.table == alias; });
    const Result<sql::Bound> bound = BindOverRows(other);
    if (!other_side || !bound.ok()) continue;
    const bool literal = (*bound)->type.kind == sql::TypeKind::kUnknown;
    if (literal || CompareExactly((*bound)->type, ColumnOf(*column).type)) return column;
  }
  return nullptr;
}

Result<ProtectedRows> Analyzer::JoinPublic(const sql::Join& join, ProtectedRows rows,
                                           const sql::TableReference& table, bool rows_first,
                                           const std::vector<Expression>& where,
                                           const Environment& environment, sql::Position position) {
  const bool inner = join.kind == sql::JoinKind::kInner || join.kind == sql::JoinKind::kCross;
  const bool rows_preserved =
      join.kind == (rows_first ? sql::JoinKind::kLeft : sql::JoinKind::kRight);
  if (join.kind == sql::JoinKind::kFull) {
    return Refuse(rules::kFullJoin, position,
                  "a FULL join with a public table makes rows that belong to nobody",
                  "use an inner join, or LEFT JOIN with the protected table first, or ask without "
                  "the public table: " +
                      ExampleCount(rows.rows));
  }
  ProtectedRows added = ScanPublicTable(table);
  TableScan scan = *As<TableScan>(added.rows.source);
  ProtectedRows combined;
  const ProtectedRows& first = rows_first ? rows : added;
  const ProtectedRows& second = rows_first ? added : rows;
  combined.columns = first.columns;
  combined.columns.insert(combined.columns.end(), second.columns.begin(), second.columns.end());
  TACIT_TRY(std::vector<Expression> conditions,
            JoinConditions(join, first, combined, environment, position));
  std::vector<Expression> equalities = conditions;
  for (const Expression& conjunct : where) {
    if (!inner) break;
    Result<Expression> resolved =
        ResolveOverRows(conjunct, combined, environment, Use::kProjection);
    if (resolved.ok()) equalities.push_back(*resolved);
  }
  for (const Expression& equality : equalities) {
    const auto* column = EquatedColumn(equality, scan.alias);
    if (column == nullptr) continue;
    scan.unique_on.push_back(column->column);
    // Public rows may decide how they are read.
    const policy::SchemaColumn* stored = schema_.Find(scan.table)->Find(column->column);
    scan.unit_is_unique = scan.unit_is_unique || (stored != nullptr && stored->unique);
  }
  if (scan.unique_on.empty()) {
    return Refuse(rules::kPublicJoin, position,
                  "a public table must be joined by an equality with one of its columns",
                  "write JOIN " + table.name + " ON t.code = " + table.name +
                      ".code with the columns that belong together, or ask without it: " +
                      ExampleCount(rows.rows));
  }
  combined.rows = rows.rows;
  // Public rows that match nobody have no unit: they become keys with zeros, and the keys of a
  // public table are all shown anyway.
  combined.rows.public_preserved = rows.rows.public_preserved || (!inner && !rows_preserved);
  combined.rows.source = RowSource(
      RowSourceNode{RowJoin{.kind = rows_preserved ? sql::JoinKind::kLeft : sql::JoinKind::kInner,
                            .left = rows.rows.source,
                            .right = RowSource(RowSourceNode{std::move(scan)}),
                            .left_unit = {},
                            .right_unit = {},
                            .on = sql::JoinConjuncts(std::move(conditions))}});
  return combined;
}

Result<FromItem> Analyzer::JoinItems(const sql::Join& join, FromItem left, FromItem right,
                                     const std::vector<Expression>& where,
                                     const Environment& environment, sql::Position position) {
  auto* left_rows = std::get_if<ProtectedRows>(&left);
  auto* right_rows = std::get_if<ProtectedRows>(&right);
  if (left_rows != nullptr && right_rows != nullptr) {
    TACIT_TRY(ProtectedRows rows, JoinRows(join, std::move(*left_rows), std::move(*right_rows),
                                           where, environment, position));
    return FromItem(std::move(rows));
  }
  TACIT_ASSERT(left_rows != nullptr || right_rows != nullptr);
  const PublicItem& item = std::get<PublicItem>(left_rows != nullptr ? right : left);
  ProtectedRows& protected_rows = left_rows != nullptr ? *left_rows : *right_rows;
  if (const auto literals = LiteralsOf(item, environment)) {
    TACIT_TRY(ProtectedRows rows, JoinLiterals(join, std::move(protected_rows), *literals,
                                               left_rows != nullptr, where, environment, position));
    return FromItem(std::move(rows));
  }
  if (!item.stored) {
    return Refuse(rules::kComputedTableJoin, position,
                  "a released or computed table cannot be joined with protected rows",
                  "aggregate the protected rows first and join the results: " +
                      ExampleCount(protected_rows.rows));
  }
  TACIT_TRY(ProtectedRows rows, JoinPublic(join, std::move(protected_rows), *item.stored,
                                           left_rows != nullptr, where, environment, position));
  return FromItem(std::move(rows));
}

}  // namespace tacit::analysis
