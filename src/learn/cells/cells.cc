#include "learn/cells/cells.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>

#include "base/assert.h"
#include "sql/print/quote.h"

namespace tacit::learn {
namespace {

// Why a million: ends of bins are public, and may be moved by less than anybody would see.
const Integer kEdgeParts = 1'000'000;

std::string NumberText(const Rational& value) {
  const std::string text = ToString(value);
  return value < 0 ? "(" + text + ")" : text;
}

// The code of cells first ... last, by halving.
std::string CellsFrom(const CellColumn& column, const std::string& expression, size_t first,
                      size_t last, int64_t factor) {
  if (first == last) return std::to_string(static_cast<int64_t>(first) * factor);
  const size_t middle = (first + last + 1) / 2;
  return "CASE WHEN " + expression + " < " + NumberText(column.edges[middle - 1]) + " THEN " +
         CellsFrom(column, expression, first, middle - 1, factor) + " ELSE " +
         CellsFrom(column, expression, middle, last, factor) + " END";
}

std::string FoldedCell(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    if (c != ' ' && c != '\t') {
      folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return folded;
}

bool IsAmong(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

// The first and the last whole number in a cell.
std::pair<Integer, Integer> WholeNumbersIn(const CellColumn& column, size_t cell) {
  const Integer first = CeilOf(cell == 0 ? column.low : column.edges[cell - 1]);
  const Rational to = cell == column.edges.size() ? column.high : column.edges[cell];
  Integer last = FloorOf(to);
  if (cell < column.edges.size() && Rational(last) == to) last -= 1;
  return {first, last};
}

Error NoSuchCell(const CellColumn& column, std::string_view text) {
  std::string known;
  for (const std::string& value : column.values) known += (known.empty() ? "" : ", ") + value;
  return InvalidArgument("the model knows no " + column.name + " '" + std::string(text) + "'",
                         "it knows " + known);
}

}  // namespace

size_t CellColumn::Cells() const {
  switch (kind) {
    case CellKind::kNumber:
      return edges.size() + 1;
    case CellKind::kBoolean:
      return 2;
    case CellKind::kCategory:
      return values.size();
  }
  return 0;
}

std::string CellColumn::LabelOf(size_t cell) const {
  TACIT_ASSERT(cell < Cells());
  if (kind == CellKind::kBoolean) return cell == 1 ? "true" : "false";
  if (kind == CellKind::kCategory) return values[cell];
  const Rational from = cell == 0 ? low : edges[cell - 1];
  const Rational to = cell == edges.size() ? high : edges[cell];
  if (!whole) return ToString(from) + " to " + ToString(to);
  const auto [first, last] = WholeNumbersIn(*this, cell);
  return first >= last ? ToString(Rational(first))
                       : ToString(Rational(first)) + " to " + ToString(Rational(last));
}

Rational CellColumn::MiddleOf(size_t cell) const {
  TACIT_ASSERT(cell < Cells() && kind != CellKind::kCategory);
  if (kind == CellKind::kBoolean) return cell == 1 ? 1 : 0;
  if (whole) {
    const auto [first, last] = WholeNumbersIn(*this, cell);
    return Rational(first + last) / 2;
  }
  const Rational from = cell == 0 ? low : edges[cell - 1];
  const Rational to = cell == edges.size() ? high : edges[cell];
  return Rational(from + to) / 2;
}

CellColumn BinsOf(const std::string& name, const Rational& low, const Rational& high, bool whole,
                  size_t bins) {
  TACIT_ASSERT(low < high && bins >= 2 && bins <= kBinsMax);
  CellColumn column{.name = name, .kind = CellKind::kNumber, .low = low, .high = high};
  column.whole = whole;
  const Rational values = whole ? Rational(FloorOf(high) - CeilOf(low) + 1) : Rational(0);
  const bool each = whole && values <= MakeRational(static_cast<Int128>(bins));
  const size_t count = each ? std::max<size_t>(values.get_num().get_ui(), 1) : bins;
  // Whole numbers are divided as the intervals [v, v + 1).
  const Rational begin = whole ? Rational(CeilOf(low)) : low;
  const Rational end = whole ? Rational(FloorOf(high) + 1) : high;
  for (size_t i = 1; i < count; ++i) {
    const Rational part = MakeRational(static_cast<Int128>(i), static_cast<Int128>(count));
    const Rational at = Rational(begin + (end - begin) * part);
    const Rational edge =
        whole ? Rational(CeilOf(at)) : Fraction(FloorOf(Rational(at * kEdgeParts)), kEdgeParts);
    // Bins that are narrower than a millionth fall together.
    if (edge > low && (column.edges.empty() || edge > column.edges.back())) {
      column.edges.push_back(edge);
    }
  }
  return column;
}

Result<std::optional<size_t>> CellOf(const CellColumn& column, std::string_view text) {
  using Cell = std::optional<size_t>;
  const std::string folded = FoldedCell(text);
  if (folded.empty() || folded == "null") return Cell();
  if (column.kind == CellKind::kCategory) {
    const auto found = std::find(column.values.begin(), column.values.end(), text);
    if (found == column.values.end()) return NoSuchCell(column, text);
    return Cell(static_cast<size_t>(found - column.values.begin()));
  }
  if (column.kind == CellKind::kBoolean) {
    if (IsAmong(folded, {"true", "t", "yes", "y", "1"})) return Cell(1);
    if (IsAmong(folded, {"false", "f", "no", "n", "0"})) return Cell(0);
    return InvalidArgument(column.name + " is true or false in the model, not '" +
                           std::string(text) + "'");
  }
  const Result<Rational> number = ParseRational(folded);
  if (!number.ok()) {
    return InvalidArgument(column.name + " is a number in the model, not '" + std::string(text) +
                           "'");
  }
  const auto above = std::upper_bound(column.edges.begin(), column.edges.end(), *number);
  return Cell(static_cast<size_t>(above - column.edges.begin()));
}

std::string CellExpression(const CellColumn& column, const std::string& expression,
                           int64_t factor) {
  if (column.kind == CellKind::kNumber) {
    return CellsFrom(column, expression, 0, column.edges.size(), factor);
  }
  if (column.kind == CellKind::kBoolean) {
    return "CASE WHEN " + expression + " THEN " + std::to_string(factor) + " ELSE 0 END";
  }
  std::string text = "CASE";
  for (size_t i = 0; i + 1 < column.values.size(); ++i) {
    text += " WHEN " + expression + " = " + sql::QuoteString(column.values[i]) + " THEN " +
            std::to_string(static_cast<int64_t>(i) * factor);
  }
  return text + " ELSE " + std::to_string(static_cast<int64_t>(column.values.size() - 1) * factor) +
         " END";
}

std::string HasCell(const CellColumn& column, const std::string& expression) {
  if (column.kind != CellKind::kCategory) return expression + " IS NOT NULL";
  std::string list;
  for (const std::string& value : column.values) {
    list += (list.empty() ? "" : ", ") + sql::QuoteString(value);
  }
  return expression + " IN (" + list + ")";
}

}  // namespace tacit::learn
