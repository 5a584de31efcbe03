#include "plan/workload/tables.h"

#include <algorithm>

#include "analysis/blocks/block_map.h"
#include "sql/walk.h"

namespace tacit::plan::workload {
namespace {

using analysis::Block;
using analysis::Expression;
using analysis::MeasureKind;

bool AddsUpByRows(const analysis::ExactMeasure& measure) {
  switch (measure.kind) {
    case MeasureKind::kRows:
    case MeasureKind::kValues:
    case MeasureKind::kSum:
    case MeasureKind::kSumOfSquares:
    case MeasureKind::kSumOfProducts:
      return !measure.cap && !measure.own_sum;
    default:
      return false;
  }
}

// Values that are equal in the engine exactly if they are equal here, and never NULL.
bool IsPlainList(const policy::KeyList& keys, const ValueType& type) {
  const auto* listed = std::get_if<policy::ListedKeys>(&keys);
  using Kind = policy::KeyValue::Kind;
  return listed != nullptr &&
         std::all_of(listed->values.begin(), listed->values.end(), [&](const auto& value) {
           if (type.kind == TypeKind::kText) return value.kind == Kind::kText;
           return type.IsInteger() && value.kind == Kind::kNumber && value.number.get_den() == 1;
         });
}

std::optional<Attribute> ListOf(const Block& block, const sql::ColumnReference& column) {
  for (const auto& [reference, known] : block.columns) {
    if (reference != column) continue;
    if (!known.keys || !IsPlainList(*known.keys, known.stored_type)) return std::nullopt;
    return Attribute{.column = column,
                     .values = std::get<policy::ListedKeys>(*known.keys).values,
                     .condition = {}};
  }
  return std::nullopt;
}

Expression LiteralOf(const policy::KeyValue& value) {
  if (value.kind == policy::KeyValue::Kind::kText) {
    return sql::MakeExpression(sql::Literal{sql::LiteralKind::kString, value.text, {}});
  }
  return sql::MakeExpression(sql::Literal{sql::LiteralKind::kInteger, ToString(value.number), {}});
}

struct Equality {
  sql::ColumnReference column;
  Expression literal;
};
// column = literal, either way around.
std::optional<Equality> EqualityIn(const Expression& condition) {
  const auto* compared = sql::As<sql::Operator>(condition);
  if (compared == nullptr || compared->symbol != "=" || compared->arguments.size() != 2) {
    return std::nullopt;
  }
  for (const size_t left : {0, 1}) {
    const auto* column = sql::As<sql::ColumnReference>(compared->arguments[left]);
    const auto* literal = sql::As<sql::Literal>(compared->arguments[1 - left]);
    if (column != nullptr && literal != nullptr) {
      return Equality{*column, compared->arguments[1 - left]};
    }
  }
  return std::nullopt;
}

analysis::ExactMeasure SummandOf(analysis::ExactMeasure measure) {
  measure.filter = {};
  if (measure.kind == MeasureKind::kValues) {
    measure = {};
    measure.kind = MeasureKind::kRows;
  }
  return measure;
}

bool ListsNullToo(const analysis::Key& key) {
  return std::any_of(key.sources.begin(), key.sources.end(),
                     [](const analysis::KeySource& source) { return source.with_null; });
}

bool IsPlainBlock(const Block& block) {
  return block.constants.empty() && block.made_from.empty() && !block.totals &&
         !block.HasGroupCaps() && !block.HasPrivateKeys() && !block.rows.public_preserved &&
         block.counted_values.empty() && !block.measures.empty() &&
         std::all_of(block.measures.begin(), block.measures.end(), AddsUpByRows);
}

}  // namespace

std::vector<size_t> MembersOf(AttributeSet set) {
  std::vector<size_t> members;
  for (size_t i = 0; i < kAttributesMax; ++i) {
    if ((set >> i & 1) != 0) members.push_back(i);
  }
  return members;
}

size_t Tables::CellsOf(const Family& family, AttributeSet set) const {
  size_t cells = 1;
  for (const size_t i : MembersOf(set)) {
    cells *= AttributeOf(family, i).Cells();
    if (cells > kTableCellsMax) return cells;
  }
  return cells;
}

size_t Tables::SourceOf(const Block& block) {
  analysis::Rows rows = block.rows;
  rows.filters.clear();
  for (size_t i = 0; i < sources_.size(); ++i) {
    Block& known = sources_[i].rows;
    if (known.rows != rows) continue;
    for (const auto& column : block.columns) {
      const bool is_known =
          std::any_of(known.columns.begin(), known.columns.end(),
                      [&](const auto& other) { return other.first == column.first; });
      if (!is_known) known.columns.push_back(column);
    }
    return i;
  }
  Block own = block;
  own.rows = std::move(rows);
  own.keys.clear();
  own.key_filters.clear();
  own.measures.clear();
  own.released.clear();
  sources_.push_back({.rows = std::move(own), .attributes = {}});
  return sources_.size() - 1;
}

size_t Tables::FamilyOf(size_t source, const analysis::ExactMeasure& measure) {
  const analysis::ExactMeasure summand = SummandOf(measure);
  for (size_t i = 0; i < families_.size(); ++i) {
    if (families_[i].source == source && analysis::SameMeasure(families_[i].measure, summand)) {
      return i;
    }
  }
  families_.push_back({.source = source, .measure = summand});
  return families_.size() - 1;
}

std::optional<size_t> Tables::AttributeFor(size_t source, Attribute attribute) {
  std::vector<Attribute>& all = sources_[source].attributes;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].condition != attribute.condition) continue;
    if (all[i].digit.base != attribute.digit.base) continue;
    if (all[i].digit.divisor != attribute.digit.divisor) continue;
    if (attribute.condition || all[i].column == attribute.column) return i;
  }
  if (all.size() == kAttributesMax) return std::nullopt;
  all.push_back(std::move(attribute));
  return all.size() - 1;
}

// proof: plan/workload/ranges.md#digits
std::optional<RangePlace> Tables::RangeFor(size_t source, const ColumnRange& range) {
  const auto cut =
      std::find_if(division_.cuts.begin(), division_.cuts.end(), [&](const CutColumn& each) {
        return each.column == range.column && each.rows == sources_[source].rows.rows;
      });
  if (division_.base == 0 || cut == division_.cuts.end()) return std::nullopt;
  RangePlace place{.digits = {}, .from = cut->FirstCode(range), .to = cut->LastCode(range)};
  // One digit needs no more values than there are codes.
  const size_t base = std::min(division_.base, cut->Codes());
  size_t divisor = 1;
  size_t digits = 1;
  for (; divisor * base < cut->Codes(); divisor *= base) ++digits;
  if (digits > kDigitsMax) return std::nullopt;
  for (; divisor > 0; divisor /= base) {
    const std::optional<size_t> digit =
        AttributeFor(source, {.column = range.column,
                              .values = {},
                              .condition = {},
                              .digit = {.edges = cut->edges, .base = base, .divisor = divisor}});
    if (!digit) return std::nullopt;
    place.digits.push_back(*digit);
  }
  return place;
}

// proof: plan/workload/tables.md#claim
std::optional<AskedTable> Tables::Add(const Block& block, bool in_ranges) {
  if (!IsPlainBlock(block)) return std::nullopt;
  Tables kept = *this;  // nothing of a block that turns out to be none stays
  const size_t source = SourceOf(block);
  const auto give_up = [&]() -> std::optional<AskedTable> {
    *this = std::move(kept);
    return std::nullopt;
  };
  AskedTable asked;
  AttributeSet keys = 0;
  for (const analysis::Key& key : block.keys) {
    const auto* column = sql::As<sql::ColumnReference>(key.expression);
    if (column == nullptr || key.sources.size() != 1 || ListsNullToo(key)) {
      return give_up();
    }
    const std::optional<Attribute> list = ListOf(block, *column);
    const std::optional<size_t> attribute =
        list ? AttributeFor(source, *list) : std::optional<size_t>();
    if (!attribute) return give_up();
    asked.keys.push_back(*attribute);
    keys |= AttributeSet{1} << *attribute;
  }
  // One range: a table by the intervals of two columns has more cells than it is worth.
  std::optional<RangePlace> range;
  std::vector<Expression> of_rows = block.rows.filters;
  if (const SplitConditions split = SplitRanges(block); in_ranges && split.ranges.size() == 1) {
    range = RangeFor(source, split.ranges[0]);
    if (range) of_rows = split.others;
  }
  for (const analysis::ExactMeasure& measure : block.measures) {
    Place place{.family = FamilyOf(source, measure), .set = keys, .fixed = {}, .range = range};
    if (range) {
      for (const size_t digit : range->digits) place.set |= AttributeSet{1} << digit;
    }
    std::vector<Expression> conditions = of_rows;
    if (measure.filter) conditions.push_back(measure.filter);
    if (measure.kind == MeasureKind::kValues) {
      conditions.push_back(sql::MakeExpression(sql::IsNull{measure.argument, true}));
    }
    for (const Expression& condition : conditions) {
      Attribute attribute{.column = {}, .values = {}, .condition = condition};
      size_t code = 1;
      if (const std::optional<Equality> equality = EqualityIn(condition)) {
        if (std::optional<Attribute> list = ListOf(block, equality->column)) {
          for (size_t i = 0; i < list->values.size(); ++i) {
            if (LiteralOf(list->values[i]) != equality->literal) continue;
            attribute = *list;
            code = i + 1;
            break;
          }
        }
      }
      const std::optional<size_t> index = AttributeFor(source, std::move(attribute));
      if (!index) return give_up();
      const AttributeSet bit = AttributeSet{1} << *index;
      const auto known = place.fixed.find(*index);
      // Two values of one column, or a filter on a key: rare, and asked by themselves.
      if ((keys & bit) != 0 || (known != place.fixed.end() && known->second != code)) {
        return give_up();
      }
      place.fixed[*index] = code;
      place.set |= bit;
    }
    if (CellsOf(families_[place.family], place.set) > kTableCellsMax) return give_up();
    asked.measures.push_back(std::move(place));
  }
  return asked;
}

// proof: plan/workload/tables.md#claim
Block MeasuredBlock(const Tables& tables, const Family& family, AttributeSet set) {
  Block block = tables.sources()[family.source].rows;
  const auto code = [](size_t number) {
    return sql::MakeExpression(
        sql::Literal{sql::LiteralKind::kInteger, std::to_string(number), {}});
  };
  for (const size_t i : MembersOf(set)) {
    const Attribute& attribute = tables.AttributeOf(family, i);
    sql::Case choice{.operand = {}, .branches = {}, .otherwise = code(0)};
    analysis::Key key;
    key.type = sql::Type{.kind = sql::TypeKind::kInteger, .precision = 0, .scale = 0};
    if (attribute.digit.base > 0) {
      key.expression = DigitOf(attribute.column, attribute.digit);
      for (size_t v = 0; v < attribute.digit.base; ++v) key.outcomes.push_back(code(v));
      block.keys.push_back(std::move(key));
      continue;
    }
    key.outcomes.push_back(code(0));
    if (attribute.condition) {
      choice.branches.push_back({attribute.condition, code(1)});
      key.outcomes.push_back(code(1));
    }
    for (size_t v = 0; v < attribute.values.size(); ++v) {
      choice.branches.push_back(
          {sql::MakeExpression(sql::Operator{
               "=", {sql::MakeExpression(attribute.column), LiteralOf(attribute.values[v])}}),
           code(v + 1)});
      key.outcomes.push_back(code(v + 1));
    }
    key.expression = sql::MakeExpression(std::move(choice));
    block.keys.push_back(std::move(key));
  }
  block.measures.push_back(family.measure);
  return block;
}

}  // namespace tacit::plan::workload
