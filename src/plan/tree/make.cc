#include "plan/tree/make.h"

#include "base/mutant.h"
#include "plan/tree/walk.h"
#include "sql/walk.h"

namespace tacit::plan::tree {
namespace {

// Ranks and aggregates over peers are the same for every order among equals.
bool DependsOnTies(const sql::WindowCall& call) {
  const std::string& name = call.function.name;
  const std::optional<sql::Frame>& frame = call.window.frame;
  return (frame && frame->unit == sql::FrameUnit::kRows) || name == "row_number" ||
         name == "ntile" || name == "lag" || name == "lead" || name == "first_value" ||
         name == "last_value";
}

// A window looks at rows of one person: the carried unit is in its partition, whatever the query
// wrote there. Its order ends with everything that the rows are read by, so that ties are rows that
// nothing can tell apart.
Expression InsideUnit(const Expression& item, const Unit& unit,
                      const std::vector<sql::ColumnReference>& read) {
  return sql::Transform(item, [&](const Expression& node) -> Expression {
    const auto* call = sql::As<sql::WindowCall>(node);
    if (call == nullptr) return node;
    sql::WindowCall ordered = *call;
    if (!TACIT_MUTANT("window_without_unit")) {
      ordered.window.partition_by.insert(ordered.window.partition_by.begin(), unit.Column());
    }
    if (!DependsOnTies(*call)) return sql::MakeExpression(std::move(ordered), node->position);
    for (const sql::ColumnReference& column : read) {
      ordered.window.order_by.push_back({sql::MakeExpression(column), false, false});
    }
    return sql::MakeExpression(std::move(ordered), node->position);
  });
}

}  // namespace

// proof: plan/unit_cap.md#the-two-walls
std::optional<Unit> UnitOf(const Rows& rows) {
  if (const auto* scan = As<Scan>(rows)) return scan->unit;
  if (const auto* cap = As<RowCap>(rows)) return cap->scan.unit;
  if (const auto* stored = As<PreparedScan>(rows)) return stored->scan.unit;
  if (const auto* query = As<PerPerson>(rows)) return query->unit;
  if (const auto* united = As<Union>(rows)) return united->unit;
  const auto* join = As<Join>(rows);
  if (join == nullptr) return std::nullopt;
  // A right side may be missing, and is then NULL.
  const std::optional<Unit> left = UnitOf(join->left);
  return left ? left : UnitOf(join->right);
}

bool HasPeople(const Rows& rows) {
  bool people = false;
  ForEachRelation(rows, [&](const Rows& relation) {
    people = people || As<Scan>(relation) || As<RowCap>(relation) || As<PreparedScan>(relation) ||
             As<RowScan>(relation) || As<WholeTable>(relation);
  });
  return people;
}

Scan Makers::ScanOf(const analysis::TableScan& scan, bool ranked) {
  TACIT_ASSERT(!scan.is_public && (!scan.hops.empty() || !scan.unit_column.empty()));
  return {.unit = Unit(scan.alias),
          .table = scan.table,
          .stored_columns = scan.stored_columns,
          .opaque_columns = scan.opaque_columns,
          .hops = scan.hops,
          .unit_column = scan.unit_column,
          .rows_per_unit = scan.rows_per_unit,
          .unit_is_unique = scan.unit_is_unique,
          .ranked = ranked,
          .prepared = scan.prepared};
}

Rows Makers::OfTable(const analysis::TableScan& scan, bool ranked) {
  if (scan.unit_is_unique) return Rows(RowsNode{ScanOf(scan, ranked)});
  return Rows(RowsNode{RowCap{.scan = ScanOf(scan, ranked), .rows = scan.rows_per_unit}});
}

Rows Makers::OfJoin(sql::JoinKind kind, Rows left, Rows right, Typed on,
                    const std::optional<std::pair<std::string, std::string>>& standing_in) {
  Join join;
  join.kind = kind;
  join.left = std::move(left);
  join.right = std::move(right);
  join.on = std::move(on);
  if (HasPeople(join.left) && HasPeople(join.right)) {
    const std::optional<Unit> left_unit = UnitOf(join.left);
    const std::optional<Unit> right_unit = UnitOf(join.right);
    // Rows that are people of their own are never joined with others.
    TACIT_ASSERT(left_unit && right_unit);
    join.units_ = std::pair(*left_unit, *right_unit);
    if (standing_in) {
      TACIT_ASSERT(CarriesUnit(join.left, standing_in->first));
      TACIT_ASSERT(CarriesUnit(join.right, standing_in->second));
      join.units_ = std::pair(Unit(standing_in->first), Unit(standing_in->second));
    }
  }
  return Rows(RowsNode{std::move(join)});
}

Result<PerPerson> Makers::OfQuery(const std::string& alias, Rows input,
                                  const std::vector<Expression>& filters,
                                  const analysis::UnitQuery& query,
                                  const std::vector<sql::ColumnReference>& read,
                                  const Binder& binder) {
  const std::optional<Unit> inner = UnitOf(input);
  TACIT_ASSERT(inner);
  PerPerson made{.unit = Unit(alias),
                 .inner = *inner,
                 .input = std::move(input),
                 .filters = {},
                 .items = {},
                 .grouped = query.grouped,
                 .group_by = {}};
  for (const Expression& item : query.items) {
    TACIT_TRY(made.items.emplace_back(), binder.Type(InsideUnit(item, *inner, read)));
  }
  for (const Expression& filter : filters) {
    TACIT_TRY(made.filters.emplace_back(), binder.Type(filter));
  }
  if (!query.grouped) return made;
  for (const Expression& key : query.group_by) {
    if (sql::As<sql::Literal>(key)) continue;  // it groups nothing; a number could mean a place
    TACIT_TRY(made.group_by.emplace_back(), binder.Type(key));
  }
  return made;
}

Rows Makers::OfUnion(const std::string& alias, std::vector<PerPerson> parts) {
  return Rows(RowsNode{Union{.unit = Unit(alias), .parts = std::move(parts)}});
}

}  // namespace tacit::plan::tree
