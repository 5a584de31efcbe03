#pragma once

#include <set>

#include "engine/statement/dialect.h"
#include "plan/above/post_text.h"
#include "sql/print/quote.h"

// What SQLite writes differently. It has words for comparisons and logic only: what it has none for
// is noted down, and the statement must not be run.
namespace tacit::toy {

namespace tree = plan::tree;
using engine::statement::FilterOf;
using engine::statement::NumberedTable;
using engine::statement::Ranked;
using engine::statement::RowsToPlace;
using sql::Type;
using sql::TypeKind;
using Texts = std::vector<std::string>;

class ToyWords final : public sql::Dialect {
 public:
  mutable std::set<std::string> unknown;
  std::string Unknown(const std::string& what) const {
    unknown.insert(what);
    return "NULL";
  }

  std::string Identifier(const std::string& name) const override {
    return sql::QuoteIdentifier(name);
  }
  std::string TypeName(const Type& type) const override {
    if (type.IsInteger() || type.kind == TypeKind::kBoolean) return "INTEGER";
    if (type.kind == TypeKind::kDouble) return "REAL";
    return type.kind == TypeKind::kText ? "TEXT" : Unknown("a type");
  }
  std::string Constant(const sql::Literal& literal, const Type& type) const override {
    using Kind = sql::LiteralKind;
    if (literal.kind == Kind::kNull) return "NULL";
    if (literal.kind == Kind::kBoolean) return literal.text == "true" ? "1" : "0";
    if (literal.kind == Kind::kString) return sql::QuoteString(literal.text);
    const bool number = literal.kind == Kind::kInteger || literal.kind == Kind::kNumeric;
    return number ? "CAST(" + literal.text + " AS " + TypeName(type) + ")" : Unknown("a literal");
  }
  std::string Read(const std::string& column, const Type&) const override { return column; }
  std::string CanonicalKey(const std::string& key, const Type& type) const override {
    return TypeName(type) == "REAL" ? Unknown("a key of fractions") : key;
  }
  bool Knows(const sql::Function& function) const override {
    static const std::set<std::string_view> known = {"=",       "<>",      "<",       "<=",  ">",
                                                     ">=",      "and",     "or",      "not", "in",
                                                     "is null", "between", "coalesce"};
    return known.contains(function.name);
  }
  std::string Apply(const sql::BoundApply& apply, const Type&,
                    const Texts& arguments) const override {
    const std::string name(apply.function->name);
    if (name == "not") return "(NOT " + arguments[0] + ")";
    if (name == "is null") return "(" + arguments[0] + " IS NULL)";
    if (name == "between") {
      return "(" + arguments[0] + " BETWEEN " + arguments[1] + " AND " + arguments[2] + ")";
    }
    const bool listed = name == "in" || name == "coalesce";
    std::string rest;
    for (size_t i = 1; i < arguments.size(); ++i) {
      rest += (listed ? (i == 1 ? "" : ", ") : " " + name + " ") + arguments[i];
    }
    if (name == "in") return "(" + arguments[0] + " IN (" + rest + "))";
    if (name == "coalesce") return "coalesce(" + arguments[0] + ", " + rest + ")";
    return "(" + arguments[0] + rest + ")";
  }
  std::string Cast(const std::string& operand, const Type& from, const Type& to) const override {
    const bool wider = from.IsInteger() && (to.kind == TypeKind::kBigint || to == from);
    if (wider || from == to) return operand;
    const bool real = from.IsInteger() && to.kind == TypeKind::kDouble;
    return real ? "CAST(" + operand + " AS REAL)" : Unknown("a cast");
  }
  std::string Aggregate(const sql::BoundAggregate& call, const Type&, const Texts&,
                        const std::string&, const std::string&) const override {
    return Unknown(call.name);
  }
};

class ToyDialect final : public engine::statement::Dialect {
 public:
  const ToyWords& Words() const override { return words_; }
  std::string Parameter(size_t number, const std::string&) const override {
    return "?" + std::to_string(number);
  }
  std::string KeyValue(const policy::KeyValue& value) const override {
    const bool truth = value.kind == policy::KeyValue::Kind::kBoolean;
    return truth ? std::to_string(value.truth) : plan::KeyValueText(value);
  }
  std::string Values(const Texts& values) const override {
    std::string rows;
    for (const std::string& value : values) rows += (rows.empty() ? "(" : ", (") + value + ")";
    return "SELECT column1 AS v FROM (VALUES " + rows + ")";
  }
  std::string WholeNumbers(const Integer& low, const Integer& end, const Integer& step,
                           const std::string&) const override {
    Texts numbers;
    for (Integer i = low; i < end; i += step) numbers.push_back(i.get_str());
    return Values(numbers);
  }
  std::optional<std::string> AsDouble(const std::string&, const ValueType&) const override {
    return std::nullopt;
  }
  NumberedTable Numbered(const std::string& table, const Texts&) const override {
    return {.table = words_.Identifier(table) + " AS tacit_base", .row = "tacit_base.rowid"};
  }
  // A toy's: each person of its one table has one row.
  std::string RowHash(const tree::Scan&, const std::string& unit, size_t parameter) const override {
    return "hex(" + Parameter(parameter, "") + " || " + unit + ")";
  }
  std::string FirstRanked(const Ranked& ranked) const override {
    const std::string name = ranked.rank_name.empty() ? "toy_rank" : ranked.rank_name;
    return "SELECT * FROM (SELECT " + ranked.items + ", " + ranked.rank + " AS " + name + " FROM " +
           ranked.from + ") WHERE " + name + " <= " + ranked.rows.get_str();
  }
  std::string GroupPlaced(const RowsToPlace&) const override {
    return words_.Unknown("a group cap");
  }
  std::string SemiJoin(const std::string& rows, const std::string& keys,
                       const std::string& on) const override {
    return "(SELECT * FROM (" + rows + ") AS rows WHERE EXISTS (SELECT 1 FROM (" + keys +
           ") AS keys WHERE " + on + ")) AS rows";
  }
  std::string ComparedLast(const std::string& equality) const override { return equality; }
  std::string PreparedUnit(const tree::Scan&) const override { return words_.Unknown("a copy"); }
  std::string People(tree::CountPeople people, const std::string& filter) const override {
    return (people == tree::CountPeople::kRows ? "count(*)" : "count(DISTINCT u)") + Tail(filter);
  }
  std::string OwnSumBefore(const tree::Aggregate&, const std::string&) const override {
    return words_.Unknown("a limit on people's own sums");
  }
  std::string Nothing(const tree::Aggregate&) const override { return "0"; }
  std::string Aggregate(const tree::Aggregate& aggregate, tree::CountPeople people) const override {
    using analysis::MeasureKind;
    const std::string& of = aggregate.argument;
    const auto summand = [&] { return Summand(of, aggregate.measure); };
    const std::string tail = Tail(FilterOf(aggregate));
    switch (aggregate.measure.kind) {
      case MeasureKind::kRows:
        return "count(*)" + tail;
      case MeasureKind::kValues:
        return "count(" + of + ")" + tail;
      case MeasureKind::kDistinct:
        return "count(DISTINCT " + of + ")" + tail;
      case MeasureKind::kUnits:
        return People(people, FilterOf(aggregate));
      case MeasureKind::kSum:
        return "coalesce(sum(" + summand() + ")" + tail + ", 0)";
      case MeasureKind::kSumOfSquares:
        return "coalesce(sum(" + summand() + " * " + summand() + ")" + tail + ", 0)";
      default:
        return words_.Unknown("a measure");
    }
  }

 private:
  static std::string Tail(const std::string& filter) {
    return filter.empty() ? "" : " FILTER (WHERE " + filter + ")";
  }
  // In steps of the grid, rounded half away from zero, clamped, around the centre.
  static std::string Summand(const std::string& value, const analysis::ExactMeasure& measure) {
    const policy::Grid& grid = measure.grid;
    return "(min(max(CAST(round(" + value + " * " + ToString(Rational(1 / grid.step)) +
           ") AS INTEGER), " + ToString(grid.low_steps) + "), " + ToString(grid.high_steps) +
           ") - (" + ToString(measure.centre) + "))";
  }

  ToyWords words_;
};

}  // namespace tacit::toy
