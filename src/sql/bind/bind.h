#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sql/bind/scope.h"
#include "sql/functions/function.h"
#include "sql/tree.h"

namespace tacit::sql {

// An expression after names and types are settled: every operator, predicate and function is an
// application of an entry of the function table, every conversion is written out. This is what
// printers print and range rules read.
struct BoundNode;
using Bound = Shared<BoundNode>;

struct BoundColumn {
  std::string table;  // empty: print the bare name (a USING column)
  std::string column;
  friend bool operator==(const BoundColumn&, const BoundColumn&) = default;
};

struct BoundApply {
  const Function* function = nullptr;
  std::vector<Bound> arguments;
  friend bool operator==(const BoundApply&, const BoundApply&) = default;
};

struct BoundCast {
  Bound operand;  // to the node's type
  friend bool operator==(const BoundCast&, const BoundCast&) = default;
};

struct BoundBranch {
  Bound when;
  Bound then;
  friend bool operator==(const BoundBranch&, const BoundBranch&) = default;
};
struct BoundCase {
  std::vector<BoundBranch> branches;  // CASE x WHEN y is bound as WHEN x = y
  Bound otherwise;                    // never absent: a missing ELSE is a NULL of the node's type
  friend bool operator==(const BoundCase&, const BoundCase&) = default;
};

struct BoundOrder {
  Bound expression;
  bool descending = false;
  bool nulls_first = false;
  friend bool operator==(const BoundOrder&, const BoundOrder&) = default;
};

struct BoundWindow {
  std::vector<Bound> partition_by;
  std::vector<BoundOrder> order_by;
  std::optional<Frame> frame;  // its offsets are literals
  friend bool operator==(const BoundWindow&, const BoundWindow&) = default;
};

struct BoundAggregate {
  std::string name;
  bool star = false;
  bool distinct = false;
  bool within_group = false;
  std::vector<Bound> arguments;
  std::vector<BoundOrder> order_by;
  Bound filter;
  std::optional<BoundWindow> window;
  friend bool operator==(const BoundAggregate&, const BoundAggregate&) = default;
};

struct BoundQuery {
  enum class Kind { kExists, kIn, kScalar };
  Kind kind = Kind::kScalar;
  Bound operand;  // of IN
  bool negated = false;
  Query query;
  friend bool operator==(const BoundQuery&, const BoundQuery&) = default;
};

struct BoundNode {
  std::variant<Literal, BoundColumn, BoundApply, BoundCast, BoundCase, BoundAggregate, BoundQuery>
      kind;
  Type type;
  Position position;
  friend bool operator==(const BoundNode&, const BoundNode&) = default;
};

template <class T>
const T* As(const Bound& bound) {
  return bound ? std::get_if<T>(&bound->kind) : nullptr;
}

// What binding asks its surroundings: the type of a subquery's first column, and the WINDOW clause.
struct BindContext {
  std::function<Result<Type>(const Query&, const Scope&)> scalar_type;
  const std::vector<NamedWindow>* windows = nullptr;
  std::string zone = {};  // the session's, by which instants are cut (session_zone.h); empty: UTC
};

// Settles names and types. Unknown names and ill-typed calls are kInvalidQuery, functions outside
// the table kUnsupported, both at their position.
Result<Bound> Bind(const Expression& expression, const Scope& scope,
                   const BindContext& context = {});

// The same with a final silent conversion, e.g. of a WHERE clause to boolean.
Result<Bound> BindAs(const Expression& expression, const Type& type, const Scope& scope,
                     const BindContext& context = {});

// PostgreSQL's type of an expression (with this project's choices: quotients of numerics and
// averages are double precision). An untyped literal is text.
Result<Type> TypeOf(const Expression& expression, const Scope& scope);

// Converts to a type; the caller has checked that a conversion exists.
Result<Bound> ConvertTo(const Bound& bound, const Type& type);

// Where an expression's values lie, given where its columns' values lie.
using ColumnRange = std::function<Range(const BoundColumn&)>;
// What is known of the columns where a condition holds besides.
using NarrowBy = std::function<ColumnRange(const Bound& condition, const ColumnRange& outside)>;
// With `narrow`, what a branch of a CASE gives lies where its condition lets its columns be.
Range RangeOf(const Bound& bound, const ColumnRange& column_range, const NarrowBy& narrow = {});

}  // namespace tacit::sql
