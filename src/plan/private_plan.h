#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/numbers/privacy_parameters.h"
#include "base/value_type.h"
#include "noise/column_mechanism.h"
#include "noise/group_keys/noisy_threshold.h"
#include "noise/group_keys/truncated_geometric.h"
#include "plan/derive/shape.h"
#include "plan/price/error_wish.h"
#include "plan/tree/tree.h"

// A query that may be answered, as plain values: what the engine computes exactly, how each number
// is made noisy, what it costs, and the SQL over the released tables that makes the answer. No part
// of it depends on a protected row. plan/compile.h makes one; the gateway carries it out:
//
//   charge `cost`; then for each release, in order, that no stored answer serves:
//     bind `parameters`, carry out `exact`, select the groups, draw the noise, keep the table;
//   copy `public_tables`; run `post_sql` over all of them in the locked instance.
//
// The names of releases, public tables and their columns are the plan's own (tacit_noisy_1, k1,
// m1): no name of the query reaches them.
namespace tacit::plan {

struct Cost {
  Rational epsilon;
  Rational delta;
  Rational rho;  // zero under pure accounting
};

struct KeyColumn {
  std::string name;  // in the exact groups and in the released table: k1, k2, ...
  ValueType type;
  std::string text;  // the expression in PostgreSQL's words, for people
  bool is_public = false;
};

// One released number of every group: `value = released integer * step`; what the query makes of it
// (an average is a sum over a count) is post_sql's. Its exact column is a HUGEINT, or a LIST
// where the mechanism reads one (noise::Form); the released one is a HUGEINT.
struct Measure {
  std::string name;       // m1, m2, ...
  std::string aggregate;  // count, sum, quantile, min, max, mode, sum_of_squares, sum_of_products
  std::string text;       // in PostgreSQL's words, for people: sum(income)
  std::string column;     // the first output column that uses it; empty when none does
  noise::AnyMechanism mechanism;
  Rational step;            // the grid's, in the column's own unit
  Rational sensitivity_l1;  // in the column's own unit
  Rational scale;           // Laplace: scale; Gaussian: sigma rounded up; in the column's own unit
  Rational moe95;           // noise is within it in 95 % of answers; in the column's own unit
  Cost cost;
};

// Every key is public, or there are no keys: every group is shown.
struct AllGroups {};
// A group is shown as the mechanism says for its noisy number of units, measures[measure].
struct NoisyThreshold {
  size_t measure = 0;
  noise::NoisyThreshold mechanism;
};
// A group is shown as the mechanism says for its exact number of units, which `exact` then
// gives in the column `units`, and which goes nowhere else.
struct UnitsChoice {
  noise::TruncatedGeometric mechanism;
  Cost cost;
};
// No group is shown: all of them go, as one private value, into a mechanism over the whole table
// (src/release), which has a price of its own.
struct NoneShown {};
using GroupSelection = std::variant<AllGroups, NoisyThreshold, UnitsChoice, NoneShown>;

// What the constants of `exact`, $1, $2, ..., and the key of its caps after them are bound to.
// The deployment's secret key, as text: which rows a cap keeps must not be steered by anyone.
struct DeploymentKey {};
// A released value of earlier releases: the one value that `sql` gives over the released tables;
// no row means NULL.
struct ReleasedConstant {
  std::string sql;
  ValueType type;
  std::vector<size_t> made_from;  // indices of releases, all before the one that uses it
};
using Parameter = std::variant<DeploymentKey, ReleasedConstant>;

// What a release can take at the sizes that the policy declares, from above, whatever is stored.
// Whether it fits is then known before a row is read, and is nobody's secret.
struct Room {
  Integer engine_bytes;  // in the engine, in memory or spilled: rows of joins, sorts, sets, groups
  Integer held_bytes;    // of the groups that were read from it
};

// One protected aggregate. `exact` gives the columns of `keys`, then `units` under UnitsChoice,
// then one column for each measure; one row a group, in any order. Under AllGroups every group
// there can be is in it, with zeros. The released table has `keys` and `measures` as columns.
struct Release {
  std::string name;         // of the released table: tacit_noisy_1, ...
  std::string fingerprint;  // SHA-256 in hex of what is asked: not of its price
  tree::Exact exact;        // absent where it was forgotten
  std::vector<Parameter> parameters;
  std::vector<KeyColumn> keys;
  GroupSelection selection;
  std::vector<Measure> measures;
  Cost cost;                       // of its measures and its selection
  std::vector<Rational> scales;    // the precision, smaller is finer: for ledger::ReleaseWish
  std::vector<size_t> made_from;   // earlier releases that its parameters use
  std::vector<std::string> facts;  // for EXPLAIN: unit, caps, clamps, one sentence each
  std::optional<Room> room = {};
  std::optional<Shape> shape = {};  // absent: only the very same question is served by it
};

// A public table's columns that post_sql reads; copied as they are, free of charge.
struct PublicTable {
  std::string name;  // in post_sql: tacit_public_1, ...
  tree::PublicRows rows;
};

// What may be said about the noise in an output column, from public values alone.
struct ColumnError {
  std::string mechanism;  // its name: discrete_laplace
  bool in_rows = false;   // scale and error count rows, and say nothing about the value's digits
  bool of_mode = false;   // in_rows: how much rarer a value may be, not how many ranks away
  Rational scale;
  Rational moe95;
  std::string condition;  // "if 1,000 people match", where the noise depends on a private number
};

// A released count, by its release and its place among the measures.
struct CountBehind {
  size_t release = 0;
  size_t measure = 0;
};

struct OutputColumn {
  std::string name;
  ValueType type;
  bool is_array = false;             // of values of `type`
  std::optional<ColumnError> error;  // nothing for keys and for what is computed from noise freely
  // The error that was asked for, where only an answer shows whether it is met.
  std::optional<ErrorTarget> target = {};
  // Of an average that is shown as it was released: of how many people it is one.
  std::optional<CountBehind> people = {};
  // Which of the margins beside each row is this column's: how far its number may be off, computed
  // from what was released.
  std::optional<size_t> margin = {};
  // What is below zero is shown as zero: wished, and of numbers whose truth is never below zero, or
  // the ends of their intervals.
  bool none_below_zero = false;

  // As PostgreSQL shows it: bigint, double precision[].
  std::string TypeName() const { return PostgresName(type) + (is_array ? "[]" : ""); }
};

struct PrivatePlan {
  std::vector<Release> releases;
  std::vector<PublicTable> public_tables;
  std::string post_sql;  // DuckDB; its columns are `columns`, in order
  // The same with margins after the columns, where there are any: takes longer, and is for answers
  // of few rows (above/margins.h).
  std::string margin_sql = {};
  std::vector<OutputColumn> columns;
  Cost cost;  // of all releases together
  std::vector<std::string> notices;
  std::string fingerprint;  // of the whole query, normalised; not of its price
};

// Takes away what the engine is told, for whoever may not see it: it names hidden columns. What is
// left says everything about price, noise and proofs, and cannot be carried out.
void ForgetStatements(PrivatePlan& plan);

}  // namespace tacit::plan
