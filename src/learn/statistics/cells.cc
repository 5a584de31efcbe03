#include "learn/statistics/cells.h"

#include <algorithm>

#include "base/assert.h"
#include "sql/print/quote.h"

namespace tacit::learn {
namespace {

std::string CutName(const std::string& name) {
  return "tacit_rows." + sql::QuoteIdentifierIfNeeded(name);
}

// Why 9: an end that is no decimal (a third) is moved by less than a billionth, for everybody.
Rational DecimalNear(const Rational& value) {
  const Integer kPlaces = 1'000'000'000;
  return Rational(Rational(FloorOf(Rational(value * kPlaces + Rational(1, 2)))) / kPlaces);
}

std::string NumberText(const Rational& value) {
  const std::string text = ToString(value);
  return value < 0 ? "(" + text + ")" : text;
}

// A CASE of literals: all its cells are in the query, and nothing else can come.
std::string CellExpression(const CutColumn& column) {
  const std::string name = CutName(column.name);
  if (column.kind == CutColumn::Kind::kTexts) return name;
  if (column.kind == CutColumn::Kind::kBoolean) return "CASE WHEN " + name + " THEN 1 ELSE 0 END";
  std::string cells = "CASE";
  for (size_t i = 0; i + 1 < column.cells(); ++i) {
    cells +=
        " WHEN " + name + " < " + NumberText(column.ends[i + 1]) + " THEN " + std::to_string(i);
  }
  return cells + " ELSE " + std::to_string(column.cells() - 1) + " END";
}

}  // namespace

size_t CutColumn::cells() const {
  if (kind == Kind::kTexts) return texts.size();
  return kind == Kind::kBoolean ? 2 : ends.size() - 1;
}

std::string CutColumn::Label(size_t cell) const {
  TACIT_ASSERT(cell < cells());
  if (kind == Kind::kTexts) return texts[cell];
  if (kind == Kind::kBoolean) return cell == 0 ? "false" : "true";
  if (whole) return ToString(ends[cell]);
  const bool last = cell + 1 == cells();
  return "[" + ToString(ends[cell]) + ", " + ToString(ends[cell + 1]) + (last ? "]" : ")");
}

CutColumn CutBoolean(const std::string& name) {
  return {.name = name, .kind = CutColumn::Kind::kBoolean};
}

CutColumn CutTexts(const std::string& name, std::vector<std::string> texts) {
  return {.name = name, .kind = CutColumn::Kind::kTexts, .texts = std::move(texts)};
}

CutColumn CutNumber(const Column& column, bool is_whole, size_t cells) {
  TACIT_ASSERT(cells >= 1 && column.low < column.high);
  CutColumn cut{.name = column.name, .kind = CutColumn::Kind::kNumber};
  Rational low = column.low;
  Rational width = Rational((column.high - column.low) / static_cast<unsigned long>(cells));
  if (is_whole) {
    // Cells of as many whole numbers each; the last may reach beyond the range.
    low = Rational(CeilOf(column.low));
    const Integer values = FloorOf(column.high) - low.get_num() + 1;
    width = Rational(CeilOf(Rational(Rational(values) / static_cast<unsigned long>(cells))));
    if (width < 1) width = 1;
    cells = std::max<size_t>(CeilOf(Rational(Rational(values) / width)).get_ui(), 1);
    cut.whole = width == 1;
  }
  for (size_t i = 0; i <= cells; ++i) {
    cut.ends.push_back(DecimalNear(Rational(low + width * static_cast<unsigned long>(i))));
  }
  return cut;
}

std::string CountsQuery(const std::vector<CutColumn>& columns, const std::string& rows) {
  std::string cells;
  std::string known;
  std::string places;
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string comma = i == 0 ? "" : ", ";
    cells += CellExpression(columns[i]) + " AS tacit_cell_" + std::to_string(i + 1) + ", ";
    known += (i == 0 ? "" : " AND ") + CutName(columns[i].name) + " IS NOT NULL";
    places += comma + std::to_string(i + 1);
  }
  return "SELECT " + cells + "count(*) AS tacit_rows_counted FROM (" + rows +
         ") AS tacit_rows WHERE " + known + " GROUP BY " + places;
}

std::string GroupsQuery(const Column& number, const std::string& group, const std::string& rows) {
  const std::string name = CutName(number.name);
  const Rational low = DecimalNear(number.low);
  const Rational high = DecimalNear(number.high);
  const std::string u = "CAST(least(greatest(" + name + ", " + NumberText(low) + "), " +
                        NumberText(high) + ") AS double precision) - " +
                        NumberText(Rational((low + high) / 2));
  return "SELECT tacit_group, count(*) AS tacit_n, sum(tacit_u) AS tacit_s, sum(tacit_u * tacit_u) "
         "AS tacit_q FROM (SELECT CASE WHEN " +
         CutName(group) + " THEN 1 ELSE 0 END AS tacit_group, " + u + " AS tacit_u FROM (" + rows +
         ") AS tacit_rows WHERE " + name + " IS NOT NULL AND " + CutName(group) +
         " IS NOT NULL) AS tacit_terms GROUP BY 1";
}

}  // namespace tacit::learn
