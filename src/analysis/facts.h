#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/numbers/rational.h"
#include "base/value_type.h"
#include "policy/policy.h"
#include "policy/schema.h"
#include "sql/range.h"
#include "sql/tree.h"
#include "sql/type.h"

// What analysis proves about a query: which exact aggregates over protected rows it needs, how much
// of each one person can touch, and the query over the released tables that is left. Column
// references below the frontier are resolved: `t1.age` is the column age of the scan t1. The file
// is one vocabulary, hence its length.
namespace tacit::analysis {

using sql::Expression;

// ---- protected rows

// The column under which every scan of a protected table gives its rows' unit.
inline constexpr char kUnitColumn[] = "tacit_unit";

struct RowSourceNode;
using RowSource = sql::Shared<RowSourceNode>;

// Every row of a stored table that its policy lets through: the unit is known, at most
// `rows_per_unit` rows of a unit, chosen by the keyed hash.
struct TableScan {
  std::string alias;  // t1, t2, ... in the order of the query
  std::string table;
  std::vector<std::string> stored_columns;  // all of them, in stored order: the hash's input
  std::set<std::string> opaque_columns;     // of types that have no rule: hashed as text
  bool is_public = false;
  // The way to the unit. No hops: unit_column is the table's own. Empty column: one row, one unit.
  std::vector<policy::UnitHop> hops;
  std::string unit_column;  // of the root table
  Integer rows_per_unit = 1;
  Integer groups_per_unit = 1;  // what the owner allows the planner to cap groups at
  Integer rows_per_group = 1;
  Integer rows_max = 0;   // the policy's; 0: not declared
  bool prepared = false;  // ranks and grid columns are stored: policy::SchemaTable
  // The database enforces that unit_column, the table's own, is unique: no cap can cut anything.
  bool unit_is_unique = false;
  std::vector<std::string> unique_on;  // of a public table: one row for each value of these
  friend bool operator==(const TableScan& a, const TableScan& b) {
    return a.alias == b.alias && a.table == b.table;  // the rest follows from the policy
  }
};

struct RowJoin {
  sql::JoinKind kind = sql::JoinKind::kInner;
  RowSource left;
  RowSource right;
  // The carried units of both sides, which must be equal whatever the query wrote; absent where one
  // side is nobody's: a public table, or VALUES.
  Expression left_unit;
  Expression right_unit;
  Expression on;  // what the query wrote beside it; may be absent
  friend bool operator==(const RowJoin&, const RowJoin&) = default;
};

struct Rows {
  RowSource source;
  std::vector<Expression> filters;  // conjuncts
  Expression unit;                  // absent: every row is a unit of its own
  Integer rows_per_unit = 1;        // the stability: rows that one unit can add or remove
  bool public_preserved = false;    // an outer join kept public rows: they are keys, not rows
  friend bool operator==(const Rows&, const Rows&) = default;
};

// A query inside each person's rows: columns c1, c2, ... of the new scan. Grouped by keys of which
// one is the unit, or not grouped, with windows partitioned by the unit.
struct UnitQuery {
  std::string alias;
  Rows inner;
  std::vector<Expression> items;
  std::vector<Expression> group_by;
  bool grouped = false;
  friend bool operator==(const UnitQuery&, const UnitQuery&) = default;
};

// UNION ALL of rows that each have a unit: columns c1, c2, ... of the new scan. The parts are
// ungrouped and their own aliases mean nothing.
struct RowUnion {
  std::string alias;
  std::vector<UnitQuery> parts;
  friend bool operator==(const RowUnion&, const RowUnion&) = default;
};

// VALUES beside protected rows: columns c1, c2, ... of the new scan, literals only.
struct LiteralRows {
  std::string alias;
  std::vector<sql::Type> types;
  std::vector<std::vector<Expression>> rows;
  friend bool operator==(const LiteralRows&, const LiteralRows&) = default;
};

struct RowSourceNode {
  std::variant<TableScan, RowJoin, UnitQuery, RowUnion, LiteralRows> kind;
  friend bool operator==(const RowSourceNode&, const RowSourceNode&) = default;
};

template <class T>
const T* As(const RowSource& source) {
  return source ? std::get_if<T>(&source->kind) : nullptr;
}

// What is known of one column of a scan.
struct RowColumn {
  std::string table;  // as stored, for messages
  std::string column;
  ValueType stored_type = kOpaqueType;
  sql::Type type;
  sql::Range range;              // the policy's bounds; summands are clamped to what follows
  std::optional<Rational> step;  // the policy's grid, where bounds are declared
  std::optional<Rational> sum_per_unit = {};  // the policy's limit on one person's own sum
  std::optional<policy::KeyList> keys;
  bool hidden = false;
  bool is_unit = false;      // the unit, or a foreign key on the way to it
  bool equals_unit = false;  // it has the same value in exactly the rows of one unit
  bool required = false;     // rows where it is NULL are left out by the scan's filters
  bool never_null = false;   // in no row that is left, by them or by the database
  // row_number() over the unit alone: each number stands in one row of a unit at most.
  bool numbers_rows = false;
};

// ---- one block: the lowest aggregate over protected rows

// A public key column that a key is made of.
struct KeySource {
  sql::ColumnReference column;  // t1.sex
  policy::KeyList keys;
  ValueType type = kOpaqueType;
  // NULL is a value of the list too: the owner listed it, or the key says what it becomes.
  bool with_null = false;
};

struct Key {
  Expression expression;
  sql::Type type;
  // Not empty: the key is public, and its values are the distinct values of `expression` over all
  // combinations of these columns' declared keys.
  std::vector<KeySource> sources;
  // Not empty: the key is public, because the query itself lists the values that it can have: a
  // CASE with these literals, each once.
  std::vector<Expression> outcomes;
  bool IsPublic() const { return !sources.empty() || !outcomes.empty(); }
};

enum class MeasureKind {
  kRows,
  kValues,
  kUnits,
  kDistinct,
  kSum,
  kSumOfSquares,
  kSumOfProducts,
  kQuantile,
  kMode
};

// The planner's choice: after filters a unit counts with at most `rows` rows in each of at most
// `groups` groups, the first ones by its rows' ranks.
struct GroupCap {
  Integer groups;
  Integer rows;
  friend bool operator==(const GroupCap&, const GroupCap&) = default;
};

// A quantile, or an end of the interval around it.
enum class QuantilePart { kValue, kLowEnd, kHighEnd };

// An exact integer of every group.
struct ExactMeasure {
  MeasureKind kind = MeasureKind::kRows;
  Expression argument;  // of all but kRows and kUnits
  Expression filter;    // FILTER (WHERE ...)
  sql::Type type;       // the argument's
  // Of kSum and kSumOfSquares: a summand is clamped and rounded to grid.low_steps ...
  // grid.high_steps, `centre` is taken off, and then it is squared for the latter.
  policy::Grid grid;
  Int128 centre = 0;
  // Of kQuantile: the grid's points in cells of `cell_steps` each, in rising order.
  Rational quantile;
  Int128 cell_steps = 1;
  bool extreme = false;                      // min (quantile 0) or max (1)
  QuantilePart part = QuantilePart::kValue;  // the planner adds the ends (plan/price/draft.h)
  // Of kSumOfProducts: the second factor, clamped and centred on its own grid.
  Expression factor;
  sql::Type factor_type;
  policy::Grid factor_grid;
  Int128 factor_centre = 0;
  // Of kMode: the public values, in the policy's order.
  std::vector<policy::KeyValue> values;
  std::optional<GroupCap> cap = {};  // which rows of a unit it counts (plan/price/group_cap.h)
  // Of kSum: what the sizes of one unit's summands add up to at most, all groups together, in
  // steps; what is beyond it is not added (plan/price/own_sum.h).
  std::optional<Integer> own_sum = {};
};

// The same question, wherever it stands and whatever it is capped at.
bool SameMeasure(const ExactMeasure& a, const ExactMeasure& b);

// Of kQuantile: how many points its grid has.
inline Int128 PointsOf(const ExactMeasure& measure) {
  return measure.grid.high_steps - measure.grid.low_steps + 1;
}

// Whether its exact value is a LIST: a mode's counts of its public values, or a quantile's cells
// that hold rows, each with its number of them.
inline bool ReadsCells(const ExactMeasure& measure) {
  return measure.kind == MeasureKind::kQuantile || measure.kind == MeasureKind::kMode;
}

// A column of the released table as the query sees it, made of released integers.
struct CountColumn {
  size_t measure = 0;
};
struct SumColumn {
  size_t measure = 0;
};
struct AverageColumn {
  size_t sum = 0;  // its centre is added again
  size_t count = 0;
};
struct VarianceColumn {
  size_t sum = 0;      // of centred summands
  size_t squares = 0;  // of the same
  size_t count = 0;
  bool of_sample = false;  // n - 1 instead of n
  bool root = false;       // the standard deviation
};
struct QuantileColumn {  // and min, max
  size_t measure = 0;
};
struct ModeColumn {
  size_t measure = 0;
};
// What two columns have to do with each other, from the moments of the rows where both are known.
// Y is the first argument, X the second, as in regr_slope(Y, X).
enum class PairStatistic {
  kCovariancePopulation,
  kCovarianceSample,
  kCorrelation,
  kSlope,
  kIntercept,
  kR2,
  kCount,
  kAverageX,
  kAverageY,
  kSumXX,
  kSumXY,
  kSumYY
};
struct PairColumn {
  PairStatistic statistic = PairStatistic::kCount;
  size_t count = 0;
  std::optional<size_t> sum_x, sum_y, squares_x, squares_y, products;  // those that it needs
};
struct ReleasedColumn {
  std::string name;  // c1, c2, ...
  sql::Type type;
  std::string text;  // in PostgreSQL's words
  std::variant<CountColumn, SumColumn, AverageColumn, VarianceColumn, QuantileColumn, ModeColumn,
               PairColumn>
      value;
};

// A released value that expressions below the frontier use as the column tacit_constant.vN: the one
// value of a query over the blocks before.
struct Constant {
  sql::Query query;
  sql::Type type;
};
inline constexpr char kConstantTable[] = "tacit_constant";

// What another block finds for its groups, added up to groups by some of its keys: of the same
// rows, within the same caps and lists, so that a total is the total of exactly those parts.
struct Totals {
  size_t of = 0;             // the other block's index
  std::vector<size_t> keys;  // of its keys, rising
};

struct Block {
  std::string name;  // tacit_release_1, ...: the released table in Facts::post
  Rows rows;
  std::vector<std::pair<sql::ColumnReference, RowColumn>> columns;  // of the scans
  std::vector<Key> keys;                // k1, k2, ... in the released table
  std::vector<Expression> key_filters;  // conjuncts over public keys' columns: they narrow the list
  std::vector<ExactMeasure> measures;
  std::vector<ReleasedColumn> released;
  std::vector<Constant> constants;
  std::vector<size_t> made_from;  // blocks that the constants use
  // Where keys are private: a group is one of those in which somebody is under this cap.
  std::optional<GroupCap> group_cap;
  // The column whose listed values are counted by their people (blocks/keys/listed_values.h).
  std::string counted_values = {};
  // Only these are released, by some of `keys` (plan/price/levels.h).
  std::optional<Totals> totals = {};

  bool HasPrivateKeys() const;
  // By which of `keys` the released table has its rows: all, but of totals.
  std::vector<size_t> ShownKeys() const;
  // Every key public and nothing measured: no protected row is needed.
  bool IsFree() const { return measures.empty() && !HasPrivateKeys(); }
  // Whether a cap on groups holds for any of its numbers, or for its keys.
  bool HasGroupCaps() const;
  // Whether any of its numbers goes through a unit's rows in their order: for a cap on groups, or
  // for a limit on its own sum.
  bool OrdersRows() const;
  const RowColumn& ColumnOf(const sql::ColumnReference& reference) const;
};

// Calls `visit` on the index of every measure that the column is made of.
template <class Released, class Visit>
void ForEachMeasure(Released& column, Visit visit) {
  if (auto* count = std::get_if<CountColumn>(&column.value)) visit(count->measure);
  if (auto* sum = std::get_if<SumColumn>(&column.value)) visit(sum->measure);
  if (auto* average = std::get_if<AverageColumn>(&column.value)) {
    visit(average->sum);
    visit(average->count);
  }
  if (auto* quantile = std::get_if<QuantileColumn>(&column.value)) visit(quantile->measure);
  if (auto* variance = std::get_if<VarianceColumn>(&column.value)) {
    visit(variance->sum);
    visit(variance->squares);
    visit(variance->count);
  }
  if (auto* mode = std::get_if<ModeColumn>(&column.value)) visit(mode->measure);
  if (auto* pair = std::get_if<PairColumn>(&column.value)) {
    visit(pair->count);
    for (auto* moment :
         {&pair->sum_x, &pair->sum_y, &pair->squares_x, &pair->squares_y, &pair->products}) {
      if (*moment) visit(**moment);
    }
  }
}

// Whether a column of coarser groups can be made of the finer ones' by adding up what was released.
bool AddsUp(const Block& block, const ReleasedColumn& column);

// ---- the whole query

// The levels of GROUPING SETS, added up from one release: for each set the groups by those of the
// block's keys, the others NULL. Its name says all of it: tacit_release_1 (k1, k2) (k1) ().
struct LevelTable {
  std::string name;
  size_t block = 0;
  std::vector<std::vector<size_t>> sets;  // of the block's keys
  // The planner's choice: blocks of totals by which the groups are moved before they are added up.
  std::vector<size_t> own = {};
};
// Beside its columns that add up it has the number of the set that a row is of.
inline constexpr char kLevelColumn[] = "tacit_level";

// A public table as the query above the frontier reads it.
struct PublicRead {
  std::string name;  // tacit_public_1, ... in Facts::post
  std::string table;
  std::vector<policy::SchemaColumn> columns;
};

struct PostColumn {
  std::string name;
  sql::Type type;
  // The released column that it shows unchanged: block and index in `released`.
  std::optional<std::pair<size_t, size_t>> shows;
  bool noisy = false;   // made of numbers that noise was added to, or of quantiles
  bool chosen = false;  // made of values that were chosen: extremes, modes
};

struct Facts {
  std::vector<Block> blocks;  // a block's constants use earlier blocks only
  std::vector<LevelTable> levels = {};
  std::vector<PublicRead> public_reads;
  std::string zone = {};   // the session's, by which `post` and constants are read; empty: UTC
  sql::Query post;         // over tacit_release_N, their levels, and tacit_public_N
  bool recursive = false;  // a common table names itself
  std::vector<PostColumn> columns;
  // Of an outermost SELECT: what tells its rows apart without being noisy, over its own FROM;
  // absent where nothing does. And its WHERE without the conditions that are noisy.
  std::optional<std::vector<Expression>> row_identity;
  Expression quiet_where;
};

}  // namespace tacit::analysis
