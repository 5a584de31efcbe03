#include "analysis/blocks/keys/listed_groups.h"

#include <algorithm>
#include <set>

#include "sql/constants/calendar.h"
#include "sql/constants/fold.h"
#include "sql/print/canonical/canonical.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// Why 1,000: each is put into every key and filter, some microseconds apiece.
constexpr size_t kWorkedOutMax = 1000;

Expression ListedLiteral(const policy::KeyValue& value, const ValueType& type) {
  using sql::LiteralKind;
  sql::Literal literal{LiteralKind::kString, value.text, {}};
  if (value.kind == policy::KeyValue::Kind::kNull) literal.kind = LiteralKind::kNull;
  if (value.kind == policy::KeyValue::Kind::kBoolean) {
    literal = {LiteralKind::kBoolean, value.truth ? "true" : "false", {}};
  } else if (value.kind == policy::KeyValue::Kind::kNumber) {
    const bool whole = value.number.get_den() == 1;
    literal = {whole ? LiteralKind::kInteger : LiteralKind::kNumeric, ToString(value.number), {}};
  } else if (type.kind == TypeKind::kDate) {
    literal.kind = LiteralKind::kDate;
  } else if (type.kind == TypeKind::kTimestamp) {
    literal.kind = LiteralKind::kTimestamp;
    if (literal.text.size() == 10) literal.text += " 00:00:00";
  }
  return MakeExpression(std::move(literal));
}

// extract(month FROM DATE '2024-05-01'): the digits. Of other fields nothing.
std::string DigitsOf(const sql::Call& call) {
  const auto* field = sql::As<sql::Literal>(call.arguments[0]);
  const auto* instant = sql::As<sql::Literal>(call.arguments[1]);
  if (field == nullptr || instant == nullptr || !sql::InstantOf(*instant)) return "";
  const std::string& text = instant->text;
  if (field->text == "year") return text.substr(0, 4);
  if (field->text == "month") return text.substr(5, 2);
  if (field->text == "quarter") return std::to_string((std::stoi(text.substr(5, 2)) + 2) / 3);
  if (field->text == "day") return text.substr(8, 2);
  return field->text == "hour" && text.size() > 13 ? text.substr(11, 2) : "";
}

Expression WithListed(const Expression& expression, const sql::ColumnReference& column,
                      const Expression& value) {
  const Expression put = sql::Transform(expression, [&](const Expression& node) -> Expression {
    const auto* reference = sql::As<sql::ColumnReference>(node);
    return reference != nullptr && *reference == column ? value : node;
  });
  sql::Select select;
  select.items.push_back({put, ""});
  sql::QueryNode node;
  node.body = std::move(select);
  const sql::Query folded = sql::FoldConstants(sql::Query(std::move(node)));
  const Expression made = sql::As<sql::Select>(folded)->items[0].expression;
  return sql::Transform(made, [](const Expression& part) -> Expression {
    const auto* call = sql::As<sql::Call>(part);
    const bool field = call != nullptr && call->arguments.size() == 2 &&
                       (call->name == "extract" || call->name == "date_part");
    const std::string digits = field ? DigitsOf(*call) : "";
    if (digits.empty()) return part;
    return MakeExpression(sql::Literal{sql::LiteralKind::kString, digits, {}});
  });
}

// -1, 0, 1; nothing where one is no literal, or of another kind.
std::optional<int> OrderOf(const Expression& a, const Expression& b) {
  const auto* left = sql::As<sql::Literal>(a);
  const auto* right = sql::As<sql::Literal>(b);
  if (left == nullptr || right == nullptr) return std::nullopt;
  const auto order = [](const auto& x, const auto& y) { return x < y ? -1 : (y < x ? 1 : 0); };
  const std::optional<int64_t> earlier = sql::InstantOf(*left);
  const std::optional<int64_t> later = sql::InstantOf(*right);
  if (earlier && later) return order(*earlier, *later);
  if (left->kind != right->kind) return std::nullopt;
  if (left->kind == sql::LiteralKind::kString) return order(left->text, right->text);
  if (left->kind != sql::LiteralKind::kInteger) return std::nullopt;
  const std::optional<Int128> less = ParseInt128(left->text);
  const std::optional<Int128> more = ParseInt128(right->text);
  if (!less || !more) return std::nullopt;
  return order(*less, *more);
}

// Whether a condition on constants fails for certain.
bool FailsFor(const Expression& condition) {
  if (const auto* literal = sql::As<sql::Literal>(condition)) return literal->text == "false";
  if (const auto* logical = sql::As<sql::Logical>(condition)) {
    const auto& parts = logical->arguments;
    if (logical->connective == sql::Connective::kAnd) {
      return std::any_of(parts.begin(), parts.end(), FailsFor);
    }
    return logical->connective == sql::Connective::kOr &&
           std::all_of(parts.begin(), parts.end(), FailsFor);
  }
  if (const auto* between = sql::As<sql::Between>(condition); between && !between->negated) {
    const std::optional<int> low = OrderOf(between->operand, between->low);
    const std::optional<int> high = OrderOf(between->operand, between->high);
    return (low && *low < 0) || (high && *high > 0);
  }
  if (const auto* in = sql::As<sql::InList>(condition)) {
    bool all_differ = true;
    bool one_is_same = false;
    for (const Expression& value : in->list) {
      const std::optional<int> order = OrderOf(in->operand, value);
      all_differ = all_differ && order && *order != 0;
      one_is_same = one_is_same || (order && *order == 0);
    }
    return in->negated ? one_is_same : all_differ;
  }
  const auto* operation = sql::As<sql::Operator>(condition);
  if (operation == nullptr || operation->arguments.size() != 2) return false;
  const std::optional<int> order = OrderOf(operation->arguments[0], operation->arguments[1]);
  if (!order) return false;
  const std::string& symbol = operation->symbol;
  return (symbol == "=" && *order != 0) || (symbol == "<>" && *order == 0) ||
         (symbol == "<" && *order >= 0) || (symbol == "<=" && *order > 0) ||
         (symbol == ">" && *order <= 0) || (symbol == ">=" && *order < 0);
}

bool NamesOnly(const Expression& expression, const sql::ColumnReference& column) {
  const std::vector<sql::ColumnReference> named = sql::ColumnsIn(expression);
  return !sql::HasSubquery(expression) &&
         std::all_of(named.begin(), named.end(), [&](const auto& one) { return one == column; });
}

bool IsMadeOf(const Key& key, const sql::ColumnReference& column) {
  return std::any_of(key.sources.begin(), key.sources.end(),
                     [&](const KeySource& source) { return source.column == column; });
}

}  // namespace

ListedGroups::ListedGroups(const Block& block) : keys_(block.keys) {
  for (const Key& key : keys_) {
    for (const KeySource& source : key.sources) {
      const bool known = std::any_of(columns_.begin(), columns_.end(), [&](const Column& column) {
        return column.source.column == source.column;
      });
      if (known) continue;
      Column column{.source = source, .count = std::nullopt, .values = {}};
      if (const std::optional<int64_t> count = policy::CountOf(source.keys)) {
        column.count = Integer(static_cast<long>(*count));
        if (*count <= static_cast<int64_t>(kWorkedOutMax)) AddValues(block, column);
      }
      columns_.push_back(std::move(column));
    }
  }
}

void ListedGroups::AddValues(const Block& block, Column& column) const {
  const KeySource& source = column.source;
  std::vector<policy::KeyValue> listed = policy::ExpandKeys(source.keys);
  if (source.with_null && !policy::ListsNull(source.keys)) {
    listed.push_back({.kind = policy::KeyValue::Kind::kNull, .text = "", .number = 0});
  }
  for (const policy::KeyValue& one : listed) {
    const Expression value = ListedLiteral(one, source.type);
    const bool left_out = std::any_of(block.key_filters.begin(), block.key_filters.end(),
                                      [&](const Expression& filter) {
                                        return NamesOnly(filter, source.column) &&
                                               FailsFor(WithListed(filter, source.column, value));
                                      });
    if (left_out) continue;
    std::map<size_t, std::string>& made = column.values.emplace_back();
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (!NamesOnly(keys_[i].expression, source.column)) continue;
      const bool bare = sql::As<sql::ColumnReference>(keys_[i].expression) != nullptr;
      made[i] =
          sql::PrintCanonical(bare ? value : WithListed(keys_[i].expression, source.column, value));
    }
  }
  column.count = ToInteger(column.values.size());
}

std::optional<Integer> ListedGroups::By(const std::vector<size_t>& keys) const {
  Integer groups = 1;
  for (const size_t i : keys) {
    if (!keys_[i].IsPublic()) return std::nullopt;
    if (!keys_[i].outcomes.empty()) groups *= ToInteger(keys_[i].outcomes.size());
  }
  for (const Column& column : columns_) {
    std::vector<size_t> made;
    bool together = false;  // a key is made of this column and others
    for (const size_t i : keys) {
      if (!IsMadeOf(keys_[i], column.source.column)) continue;
      made.push_back(i);
      together = together || keys_[i].sources.size() > 1;
    }
    if (made.empty()) continue;
    if (!column.count) return std::nullopt;
    if (together || column.values.empty()) {
      groups *= *column.count;
      continue;
    }
    std::set<std::vector<std::string>> different;
    for (const std::map<size_t, std::string>& value : column.values) {
      std::vector<std::string> texts;
      for (const size_t i : made) texts.push_back(value.at(i));
      different.insert(std::move(texts));
    }
    groups *= ToInteger(different.size());
  }
  return groups;
}

}  // namespace tacit::analysis
