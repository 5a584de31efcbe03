#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sql/type.h"

namespace tacit {
class TimeZone;
}

// Tacit's query tree: what a SELECT says, and nothing about what it means. Trees are immutable and
// shared, so a copy costs a reference count; == compares structure and ignores positions. Names are
// as PostgreSQL folds them: lower case unless quoted. The file is one vocabulary, hence its length.
namespace tacit::sql {

// The byte offset in the query's text, or -1 for a node that a rewriting made. All positions are
// equal, so that == on trees compares what they say.
struct Position {
  int offset = -1;
  friend bool operator==(const Position&, const Position&) { return true; }
};

// An immutable shared value, possibly absent, compared by content.
template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(T value) : value_(std::make_shared<const T>(std::move(value))) {}  // NOLINT: it is one

  explicit operator bool() const { return value_ != nullptr; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  const T* get() const { return value_.get(); }

  friend bool operator==(const Shared& a, const Shared& b) {
    if (a.value_ == b.value_) return true;
    return a.value_ && b.value_ && *a.value_ == *b.value_;
  }

 private:
  std::shared_ptr<const T> value_;
};

struct ExpressionNode;
struct QueryNode;
struct RelationNode;
using Expression = Shared<ExpressionNode>;
using Query = Shared<QueryNode>;
using Relation = Shared<RelationNode>;

// ---- expressions

enum class LiteralKind {
  kNull,
  kBoolean,    // text: true, false
  kInteger,    // text: decimal digits that fit a bigint, perhaps signed
  kNumeric,    // text: as written, perhaps signed or with an exponent
  kString,     // text: the string itself
  kDate,       // text: 2020-01-31
  kTimestamp,  // text: 2020-01-31 23:59:59[.ffffff]
  kInterval,
  kTimestampTz,  // text: as kTimestamp, in UTC
};

struct Interval {
  int32_t months = 0;
  int32_t days = 0;
  int64_t microseconds = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

struct Literal {
  LiteralKind kind = LiteralKind::kNull;
  std::string text;
  Interval interval;
  // Whose clocks read it, where a cast has to know (constants/zone.h); null: UTC. It is no part of
  // what the literal says.
  std::shared_ptr<const TimeZone> zone = nullptr;
  friend bool operator==(const Literal& a, const Literal& b) {
    return a.kind == b.kind && a.text == b.text && a.interval == b.interval;
  }
};

// `*` or `t.*`, in a select list only.
struct Star {
  std::string table;
  friend bool operator==(const Star&, const Star&) = default;
};

struct ColumnReference {
  std::string table;  // the qualifier; empty when there is none
  std::string column;
  friend bool operator==(const ColumnReference&, const ColumnReference&) = default;
};

struct Parameter {  // $1
  int number = 0;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

// A prefix or infix operator on scalars: + - * / % ^ || = <> < <= > >=.
struct Operator {
  std::string symbol;
  std::vector<Expression> arguments;  // one or two
  friend bool operator==(const Operator&, const Operator&) = default;
};

enum class Connective { kAnd, kOr, kNot };
struct Logical {  // a AND b AND c is one node of three arguments
  Connective connective = Connective::kAnd;
  std::vector<Expression> arguments;
  friend bool operator==(const Logical&, const Logical&) = default;
};

// A scalar function by its lower-case name. PostgreSQL's special syntax comes as the function it
// stands for: extract('year', x), substring(s, 2, 3), btrim(s), position('a', s), coalesce, nullif,
// least, greatest.
struct Call {
  std::string name;
  std::vector<Expression> arguments;
  friend bool operator==(const Call&, const Call&) = default;
};

struct OrderItem {
  Expression expression;
  bool descending = false;
  bool nulls_first = false;  // PostgreSQL's default is already filled in
  friend bool operator==(const OrderItem&, const OrderItem&) = default;
};

// grouping(a, b) comes as an aggregate too: it stands where aggregates stand.
struct AggregateCall {
  std::string name;
  std::vector<Expression> arguments;
  bool star = false;  // count(*)
  bool distinct = false;
  bool within_group = false;        // order_by is then the aggregated expression
  std::vector<OrderItem> order_by;  // array_agg(x ORDER BY y), or WITHIN GROUP (ORDER BY x)
  Expression filter;
  friend bool operator==(const AggregateCall&, const AggregateCall&) = default;
};

enum class FrameUnit { kRows, kRange, kGroups };
enum class FrameEdge {
  kUnboundedPreceding,
  kPreceding,
  kCurrentRow,
  kFollowing,
  kUnboundedFollowing
};
struct Frame {
  FrameUnit unit = FrameUnit::kRange;
  FrameEdge start = FrameEdge::kUnboundedPreceding;
  Expression start_offset;
  FrameEdge end = FrameEdge::kCurrentRow;
  Expression end_offset;
  friend bool operator==(const Frame&, const Frame&) = default;
};

struct Window {
  std::string base;  // OVER name, or OVER (name ...); empty when there is none
  std::vector<Expression> partition_by;
  std::vector<OrderItem> order_by;
  std::optional<Frame> frame;  // absent: PostgreSQL's default
  friend bool operator==(const Window&, const Window&) = default;
};

// row_number(), lag(x) or any aggregate, OVER a window.
struct WindowCall {
  AggregateCall function;
  Window window;
  friend bool operator==(const WindowCall&, const WindowCall&) = default;
};

struct CaseBranch {
  Expression when;
  Expression then;
  friend bool operator==(const CaseBranch&, const CaseBranch&) = default;
};
struct Case {
  Expression operand;  // CASE x WHEN 1 ...; absent in CASE WHEN ...
  std::vector<CaseBranch> branches;
  Expression otherwise;  // absent: NULL
  friend bool operator==(const Case&, const Case&) = default;
};

struct Cast {
  Expression operand;
  Type type;
  friend bool operator==(const Cast&, const Cast&) = default;
};

struct InList {
  Expression operand;
  std::vector<Expression> list;
  bool negated = false;
  friend bool operator==(const InList&, const InList&) = default;
};

struct Between {
  Expression operand;
  Expression low;
  Expression high;
  bool negated = false;
  friend bool operator==(const Between&, const Between&) = default;
};

struct IsNull {
  Expression operand;
  bool negated = false;
  friend bool operator==(const IsNull&, const IsNull&) = default;
};

struct IsTruth {  // x IS TRUE, x IS NOT FALSE; IS UNKNOWN comes as IsNull
  Expression operand;
  bool truth = true;
  bool negated = false;
  friend bool operator==(const IsTruth&, const IsTruth&) = default;
};

struct IsDistinct {  // a IS DISTINCT FROM b; negated: IS NOT DISTINCT FROM
  Expression left;
  Expression right;
  bool negated = false;
  friend bool operator==(const IsDistinct&, const IsDistinct&) = default;
};

struct Like {
  Expression operand;
  Expression pattern;
  bool case_insensitive = false;
  bool negated = false;
  friend bool operator==(const Like&, const Like&) = default;
};

struct Exists {
  Query query;
  friend bool operator==(const Exists&, const Exists&) = default;
};

struct InQuery {
  Expression operand;
  Query query;
  bool negated = false;
  friend bool operator==(const InQuery&, const InQuery&) = default;
};

struct ScalarQuery {
  Query query;
  friend bool operator==(const ScalarQuery&, const ScalarQuery&) = default;
};

struct ExpressionNode {
  std::variant<Literal, Star, ColumnReference, Parameter, Operator, Logical, Call, AggregateCall,
               WindowCall, Case, Cast, InList, Between, IsNull, IsTruth, IsDistinct, Like, Exists,
               InQuery, ScalarQuery>
      kind;
  Position position;
  friend bool operator==(const ExpressionNode&, const ExpressionNode&) = default;
};

// The node as a T, or nothing: if (const auto* call = As<Call>(expression)) ...
template <class T>
const T* As(const Expression& expression) {
  return expression ? std::get_if<T>(&expression->kind) : nullptr;
}

template <class T>
Expression MakeExpression(T kind, Position position = {}) {
  return Expression(ExpressionNode{.kind = std::move(kind), .position = position});
}

// ---- relations

struct Alias {
  std::string name;  // empty when there is none
  std::vector<std::string> columns;
  friend bool operator==(const Alias&, const Alias&) = default;
};

struct TableReference {
  std::string schema;  // empty when there is none
  std::string name;
  Alias alias;
  friend bool operator==(const TableReference&, const TableReference&) = default;
};

struct CommonTableReference {  // a name that WITH declares
  std::string name;
  Alias alias;
  friend bool operator==(const CommonTableReference&, const CommonTableReference&) = default;
};

struct DerivedTable {  // (SELECT ...) AS q, (VALUES ...) AS v(a, b)
  Query query;
  Alias alias;
  friend bool operator==(const DerivedTable&, const DerivedTable&) = default;
};

enum class JoinKind { kInner, kLeft, kRight, kFull, kCross };
struct Join {
  JoinKind kind = JoinKind::kInner;
  Relation left;
  Relation right;
  Expression on;                           // or
  std::vector<std::string> using_columns;  // neither for CROSS JOIN
  bool natural = false;  // USING the names that both sides have, which only they can tell
  friend bool operator==(const Join&, const Join&) = default;
};

struct RelationNode {
  std::variant<TableReference, CommonTableReference, DerivedTable, Join> kind;
  Position position;
  friend bool operator==(const RelationNode&, const RelationNode&) = default;
};

template <class T>
const T* As(const Relation& relation) {
  return relation ? std::get_if<T>(&relation->kind) : nullptr;
}

template <class T>
Relation MakeRelation(T kind, Position position = {}) {
  return Relation(RelationNode{.kind = std::move(kind), .position = position});
}

// ---- queries

struct SelectItem {
  Expression expression;
  std::string alias;  // as written with AS; empty when there is none: see OutputName
  friend bool operator==(const SelectItem&, const SelectItem&) = default;
};

struct NamedWindow {
  std::string name;
  Window window;
  friend bool operator==(const NamedWindow&, const NamedWindow&) = default;
};

struct Select {
  bool distinct = false;
  std::vector<Expression> distinct_on;
  std::vector<SelectItem> items;
  std::vector<Relation> from;  // comma-joined
  Expression where;
  std::vector<Expression> group_by;  // as written: expressions, positions, aliases
  // GROUPING SETS, ROLLUP and CUBE written out: which of group_by each level groups by. Empty: one
  // level of all of them. Never without a group_by.
  std::vector<std::vector<size_t>> grouping_sets = {};
  Expression having;
  std::vector<NamedWindow> windows;
  friend bool operator==(const Select&, const Select&) = default;
};

enum class SetOperator { kUnion, kIntersect, kExcept };
struct SetOperation {
  SetOperator set_operator = SetOperator::kUnion;
  bool all = false;
  Query left;
  Query right;
  friend bool operator==(const SetOperation&, const SetOperation&) = default;
};

struct Values {
  std::vector<std::vector<Expression>> rows;  // all of the same length, at least one of each
  friend bool operator==(const Values&, const Values&) = default;
};

struct CommonTable {
  std::string name;
  std::vector<std::string> columns;
  Query query;
  Position position;
  bool recursive = false;  // it names itself; a UNION then
  friend bool operator==(const CommonTable&, const CommonTable&) = default;
};

struct QueryNode {
  std::vector<CommonTable> with;
  std::variant<Select, SetOperation, Values> body;
  std::vector<OrderItem> order_by;
  Expression limit;
  Expression offset;
  Position position;
  friend bool operator==(const QueryNode&, const QueryNode&) = default;
};

template <class T>
const T* As(const Query& query) {
  return query ? std::get_if<T>(&query->body) : nullptr;
}

struct Statement {
  bool explain = false;  // EXPLAIN SELECT ...
  bool verbose = false;  // EXPLAIN VERBOSE: with what the engines are told
  Query query;
  friend bool operator==(const Statement&, const Statement&) = default;
};

}  // namespace tacit::sql
