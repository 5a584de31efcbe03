#include "plan/workload/ranges.h"

#include <algorithm>
#include <tuple>

#include "sql/walk.h"

namespace tacit::plan::workload {
namespace {

using analysis::Block;
using analysis::Expression;

// Why 2^62: one more than a constant below it is a whole number still.
const Integer kRangeWholeMax = Integer(1) << 62;

Expression WholeLiteral(const Integer& number) {
  return sql::MakeExpression(sql::Literal{sql::LiteralKind::kInteger, number.get_str(), {}});
}

// Days in their order: 2020-01-31 as 20200131.
std::optional<Rational> OrderOfDate(const std::string& text) {
  const bool is_plain = text.size() == 10 && text[4] == '-' && text[7] == '-';
  if (!is_plain) return std::nullopt;
  const Result<Rational> number =
      ParseRational(text.substr(0, 4) + text.substr(5, 2) + text.substr(8, 2));
  return number.ok() ? std::optional(*number) : std::nullopt;
}

// Where a constant stands among the column's values, in the order that the engine compares in;
// nothing where that is not certain.
std::optional<Rational> PlaceOfConstant(const sql::Literal& literal, const ValueType& type) {
  using Kind = sql::LiteralKind;
  if (literal.kind == Kind::kDate && type.kind == TypeKind::kDate) return OrderOfDate(literal.text);
  const bool number = literal.kind == Kind::kInteger || literal.kind == Kind::kNumeric;
  if (!number || !type.IsNumber()) return std::nullopt;
  const Result<Rational> value = ParseRational(literal.text);
  if (!value.ok() || abs(*value) >= kRangeWholeMax) return std::nullopt;
  // A float is compared with the nearest one: the constant has to be that.
  if (type.kind == TypeKind::kReal && value->get_den() != 1) return std::nullopt;
  if (type.IsFloat() && RationalOf(value->get_d()) != *value) return std::nullopt;
  if (type.kind == TypeKind::kReal && abs(*value) > (1 << 24)) return std::nullopt;
  return *value;
}

std::optional<Edge> EdgeAt(const Expression& constant, bool after, const ValueType& type) {
  const auto* literal = sql::As<sql::Literal>(constant);
  if (literal == nullptr) return std::nullopt;
  std::optional<Rational> place = PlaceOfConstant(*literal, type);
  if (!place) return std::nullopt;
  if (!type.IsInteger()) return Edge{std::move(*place), after, constant};
  // Between whole numbers an edge has many names: it stands before the next of them.
  const Integer next = after ? Integer(FloorOf(*place) + 1) : CeilOf(*place);
  return Edge{Rational(next), false, WholeLiteral(next)};
}

const ValueType* TypeOf(const Block& block, const sql::ColumnReference& column) {
  for (const auto& [reference, known] : block.columns) {
    if (reference == column) return &known.stored_type;
  }
  return nullptr;
}

struct Side {
  const char* symbol;
  bool is_from;  // of column SYMBOL constant
  bool after;
};
constexpr Side kSides[] = {
    {"<", false, false}, {"<=", false, true}, {">", true, true}, {">=", true, false}};

const Side* SideOf(const std::string& symbol) {
  const auto* const found = std::find_if(std::begin(kSides), std::end(kSides),
                                         [&](const Side& side) { return symbol == side.symbol; });
  return found == std::end(kSides) ? nullptr : found;
}

std::string Turned(std::string symbol) {
  if (symbol[0] == '<' || symbol[0] == '>') symbol[0] = symbol[0] == '<' ? '>' : '<';
  return symbol;
}

std::optional<ColumnRange> ComparedRange(const sql::Operator& compared, const Block& block) {
  if (compared.arguments.size() != 2) return std::nullopt;
  const bool column_first = sql::As<sql::ColumnReference>(compared.arguments[0]) != nullptr;
  const auto* column = sql::As<sql::ColumnReference>(compared.arguments[column_first ? 0 : 1]);
  const Side* side = SideOf(column_first ? compared.symbol : Turned(compared.symbol));
  const ValueType* type = column == nullptr ? nullptr : TypeOf(block, *column);
  if (side == nullptr || type == nullptr) return std::nullopt;
  const auto edge = EdgeAt(compared.arguments[column_first ? 1 : 0], side->after, *type);
  if (!edge) return std::nullopt;
  ColumnRange range{.column = *column, .from = {}, .to = {}};
  (side->is_from ? range.from : range.to) = edge;
  return range;
}

std::optional<ColumnRange> RangeOfCondition(const Expression& condition, const Block& block) {
  if (const auto* compared = sql::As<sql::Operator>(condition)) {
    return ComparedRange(*compared, block);
  }
  const auto* between = sql::As<sql::Between>(condition);
  if (between == nullptr || between->negated) return std::nullopt;
  const auto* column = sql::As<sql::ColumnReference>(between->operand);
  const ValueType* type = column == nullptr ? nullptr : TypeOf(block, *column);
  if (type == nullptr) return std::nullopt;
  const std::optional<Edge> from = EdgeAt(between->low, false, *type);
  const std::optional<Edge> to = EdgeAt(between->high, true, *type);
  if (!from || !to) return std::nullopt;
  return ColumnRange{.column = *column, .from = from, .to = to};
}

// Values that lie in both.
ColumnRange Within(const ColumnRange& a, const ColumnRange& b) {
  ColumnRange both = a;
  if (b.from && (!both.from || *both.from < *b.from)) both.from = b.from;
  if (b.to && (!both.to || *b.to < *both.to)) both.to = b.to;
  return both;
}

bool IsEmpty(const ColumnRange& range) {
  return range.from && range.to && !(*range.from < *range.to);
}

size_t EdgesUpTo(const std::vector<Edge>& edges, const Edge& edge) {
  return static_cast<size_t>(std::upper_bound(edges.begin(), edges.end(), edge) - edges.begin());
}

}  // namespace

bool operator<(const Edge& a, const Edge& b) {
  return std::tie(a.place, a.after) < std::tie(b.place, b.after);
}
bool operator==(const Edge& a, const Edge& b) { return a.place == b.place && a.after == b.after; }

// proof: plan/workload/ranges.md#ranges
SplitConditions SplitRanges(const Block& block) {
  SplitConditions split;
  for (const Expression& condition : block.rows.filters) {
    const std::optional<ColumnRange> range = RangeOfCondition(condition, block);
    if (!range) {
      split.others.push_back(condition);
      continue;
    }
    const auto known = std::find_if(split.ranges.begin(), split.ranges.end(),
                                    [&](const auto& each) { return each.column == range->column; });
    if (known == split.ranges.end()) {
      split.ranges.push_back(*range);
    } else {
      *known = Within(*known, *range);
    }
  }
  // What nothing lies in is no interval: asked as it is written.
  if (std::any_of(split.ranges.begin(), split.ranges.end(), IsEmpty)) {
    return {.ranges = {}, .others = block.rows.filters};
  }
  return split;
}

size_t CutColumn::FirstCode(const ColumnRange& range) const {
  return range.from ? 1 + EdgesUpTo(edges, *range.from) : 1;
}
size_t CutColumn::LastCode(const ColumnRange& range) const {
  return range.to ? EdgesUpTo(edges, *range.to) : edges.size() + 1;
}

void AddCuts(const Block& block, std::vector<CutColumn>& cuts) {
  analysis::Rows rows = block.rows;
  rows.filters.clear();
  for (const ColumnRange& range : SplitRanges(block).ranges) {
    auto cut = std::find_if(cuts.begin(), cuts.end(), [&](const CutColumn& each) {
      return each.column == range.column && each.rows == rows;
    });
    if (cut == cuts.end()) {
      cuts.push_back({.rows = rows, .column = range.column, .edges = {}});
      cut = cuts.end() - 1;
    }
    for (const std::optional<Edge>& edge : {range.from, range.to}) {
      if (!edge) continue;
      const auto place = std::lower_bound(cut->edges.begin(), cut->edges.end(), *edge);
      if (place == cut->edges.end() || !(*place == *edge)) cut->edges.insert(place, *edge);
    }
  }
}

// proof: plan/workload/ranges.md#digits
Expression DigitOf(const sql::ColumnReference& column, const Digit& digit) {
  const Expression value = sql::MakeExpression(column);
  const auto of_code = [&](size_t code) {
    return WholeLiteral(Integer(std::to_string(code / digit.divisor % digit.base)));
  };
  sql::Case choice{.operand = {}, .branches = {}, .otherwise = of_code(digit.edges.size() + 1)};
  choice.branches.push_back({sql::MakeExpression(sql::IsNull{value, false}), of_code(0)});
  for (size_t i = 0; i < digit.edges.size(); ++i) {
    const Edge& edge = digit.edges[i];
    choice.branches.push_back(
        {sql::MakeExpression(sql::Operator{edge.after ? "<=" : "<", {value, edge.constant}}),
         of_code(i + 1)});
  }
  return sql::MakeExpression(std::move(choice));
}

}  // namespace tacit::plan::workload
