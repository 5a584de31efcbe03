#include "sql/constants/recursion.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "sql/constants/calendar.h"
#include "sql/constants/fold_parts.h"
#include "sql/constants/series.h"
#include "sql/walk.h"

namespace tacit::sql {
namespace {

using Fold = std::function<Expression(const Expression&)>;
using LiteralRow = std::vector<Expression>;

// Why 1,000: as far as a recursion goes that is not written out.
constexpr size_t kStepsWrittenMax = 1'000;

bool IsAlone(const Query& query) {
  return query->with.empty() && query->order_by.empty() && !query->limit && !query->offset;
}

bool IsPlainSelect(const Select& select) {
  return !select.distinct && select.distinct_on.empty() && select.group_by.empty() &&
         select.grouping_sets.empty() && !select.having && select.windows.empty();
}

// A number whose order is that of the literals of its kind: of whole numbers and of instants.
std::optional<int64_t> OrderOf(const Literal& literal) {
  if (literal.kind != LiteralKind::kInteger) return InstantOf(literal);
  int64_t value = 0;
  const char* end = literal.text.data() + literal.text.size();
  const auto read = std::from_chars(literal.text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

bool IsTime(const Literal& literal) {
  return literal.kind == LiteralKind::kDate || literal.kind == LiteralKind::kTimestamp;
}

// Whether a comparison of literals holds; nothing where that is not known here.
std::optional<bool> Compared(const Operator& comparison) {
  if (comparison.arguments.size() != 2) return std::nullopt;
  const auto* first = As<Literal>(comparison.arguments[0]);
  const auto* second = As<Literal>(comparison.arguments[1]);
  if (first == nullptr || second == nullptr) return std::nullopt;
  const Literal left = constants::ReadBeside(*first, *second);
  const Literal right = constants::ReadBeside(*second, *first);
  if (left.kind != right.kind && !(IsTime(left) && IsTime(right))) return std::nullopt;
  const std::optional<int64_t> a = OrderOf(left);
  const std::optional<int64_t> b = OrderOf(right);
  if (!a || !b) return std::nullopt;
  const std::string& symbol = comparison.symbol;
  if (symbol == "<") return *a < *b;
  if (symbol == "<=") return *a <= *b;
  if (symbol == ">") return *a > *b;
  if (symbol == ">=") return *a >= *b;
  if (symbol == "=") return *a == *b;
  if (symbol == "<>") return *a != *b;
  return std::nullopt;
}

std::optional<bool> Holds(const Expression& condition) {
  for (const Expression& part : SplitConjuncts(condition)) {
    std::optional<bool> holds;
    if (const auto* literal = As<Literal>(part)) {
      if (literal->kind == LiteralKind::kBoolean) holds = literal->text == "true";
    } else if (const auto* comparison = As<Operator>(part)) {
      holds = Compared(*comparison);
    }
    if (!holds || !*holds) return holds;
  }
  return true;
}

bool AreLiteralsLike(const LiteralRow& row, const LiteralRow& first) {
  if (row.size() != first.size()) return false;
  for (size_t i = 0; i < row.size(); ++i) {
    const auto* literal = As<Literal>(row[i]);
    const auto* like = As<Literal>(first[i]);
    if (literal == nullptr || like == nullptr || literal->kind != like->kind) return false;
    if (literal->kind == LiteralKind::kNull) return false;
  }
  return true;
}

// The rows that it begins with, and what their columns are called.
std::optional<Values> BeginningOf(const Query& query, std::vector<std::string>& names) {
  if (!IsAlone(query)) return std::nullopt;
  Values rows;
  if (const auto* values = As<Values>(query)) {
    rows = *values;
  } else if (const auto* select = As<Select>(query)) {
    if (!IsPlainSelect(*select) || !select->from.empty() || select->where) return std::nullopt;
    LiteralRow& row = rows.rows.emplace_back();
    for (const SelectItem& item : select->items) row.push_back(item.expression);
  } else {
    return std::nullopt;
  }
  for (size_t i = names.size(); i < rows.rows[0].size(); ++i) {
    const auto* select = As<Select>(query);
    names.push_back(select != nullptr ? OutputName(select->items[i])
                                      : "column" + std::to_string(i + 1));
  }
  const bool literals = std::all_of(rows.rows.begin(), rows.rows.end(), [&](const auto& row) {
    return AreLiteralsLike(row, rows.rows[0]);
  });
  return literals ? std::optional(std::move(rows)) : std::nullopt;
}

// One step from one row.
class Step {
 public:
  Step(const Select& select, const CommonTableReference& itself,
       const std::vector<std::string>& names, const Fold& fold)
      : select_(select),
        alias_(itself.alias.name.empty() ? itself.name : itself.alias.name),
        names_(names),
        fold_(fold) {}

  // An empty row: it ends here. Nothing: it is not known.
  std::optional<LiteralRow> From(const LiteralRow& row) const {
    if (select_.where) {
      const std::optional<bool> holds = Holds(At(row, select_.where));
      if (!holds) return std::nullopt;
      if (!*holds) return LiteralRow();
    }
    LiteralRow next;
    for (const SelectItem& item : select_.items) next.push_back(At(row, item.expression));
    return AreLiteralsLike(next, row) ? std::optional(std::move(next)) : std::nullopt;
  }

 private:
  Expression At(const LiteralRow& row, const Expression& expression) const {
    return Transform(expression, [&](const Expression& node) {
      const auto* column = As<ColumnReference>(node);
      const bool own = column != nullptr && (column->table.empty() || column->table == alias_);
      for (size_t i = 0; own && i < row.size(); ++i) {
        if (names_[i] == column->column) return row[i];
      }
      return fold_(node);
    });
  }

  const Select& select_;
  const std::string alias_;
  const std::vector<std::string>& names_;
  const Fold& fold_;
};

}  // namespace

void WriteOutRecursion(CommonTable& table, const Fold& fold) {
  const auto* both = As<SetOperation>(table.query);
  if (both == nullptr || both->set_operator != SetOperator::kUnion || !IsAlone(table.query)) return;
  std::vector<std::string> names = table.columns;
  std::optional<Values> rows = BeginningOf(both->left, names);
  const auto* select = As<Select>(both->right);
  if (!rows || select == nullptr || !IsAlone(both->right) || !IsPlainSelect(*select)) return;
  const auto* itself =
      select->from.size() == 1 ? As<CommonTableReference>(select->from[0]) : nullptr;
  if (itself == nullptr || itself->name != table.name || !itself->alias.columns.empty()) return;
  if (names.size() != rows->rows[0].size() || select->items.size() != names.size()) return;
  if (!both->all && rows->rows.size() > 1) return;  // of which some may be the same
  const Step step(*select, *itself, names, fold);
  std::vector<LiteralRow>& all = rows->rows;
  const auto known = [&](const LiteralRow& row) {
    return !both->all && std::find(all.begin(), all.end(), row) != all.end();
  };
  size_t begin = 0;
  for (size_t i = 0; begin < all.size(); ++i) {
    const size_t end = all.size();
    if (i == kStepsWrittenMax) return;
    for (; begin < end; ++begin) {
      std::optional<LiteralRow> next = step.From(all[begin]);
      if (!next || all.size() == kSeriesRowsMax) return;
      if (!next->empty() && !known(*next)) all.push_back(std::move(*next));
    }
  }
  QueryNode node = *table.query;
  node.body = std::move(*rows);
  table.query = Query(std::move(node));
  table.columns = std::move(names);
  table.recursive = false;
}

}  // namespace tacit::sql
