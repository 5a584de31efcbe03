#include <algorithm>
#include <cmath>
#include <cstdio>

#include "answer/format/format.h"
#include "answer/format/numbers.h"
#include "answer/shown/margins.h"
#include "base/terminal_text.h"

namespace tacit::answer {
namespace {

using engine::Value;

bool IsNumber(const Value& value) {
  return std::holds_alternative<int64_t>(value) || std::holds_alternative<engine::Numeric>(value) ||
         std::holds_alternative<double>(value);
}

std::string CellText(const Value& value, const plan::OutputColumn& column,
                     const std::vector<Value>& margins) {
  if (engine::IsNull(value)) return "";
  if (!IsNumber(value)) return Printable(engine::ToText(value));
  if (const std::optional<Rational> margin = MarginIn(margins, column)) {
    const std::string digits = SupportedDigits(value, *margin);
    return *margin > 0 ? digits + " ± " + MarginText(*margin) : digits;
  }
  // A quantile's error is in ranks and says nothing about the digits of its value.
  // Where the noise depends on how many people match, an error bar would have to know that.
  if (column.error && !column.error->in_rows && column.error->condition.empty()) {
    std::string text = SupportedDigits(value, column.error->moe95);
    if (column.error->moe95 > 0) {
      text += " ± " + ErrorNumber(column.error->moe95);
    }
    return text;
  }
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr || !std::isfinite(*real)) return engine::ToText(value);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.6g", *real);
  return buffer;
}

}  // namespace

std::string FormatTable(const Answer& answer) {
  const size_t columns = answer.columns.size();
  std::vector<std::vector<std::string>> cells;
  std::vector<size_t> widths;
  std::vector<Align> align(columns, Align::kRight);
  for (const plan::OutputColumn& column : answer.columns) {
    widths.push_back(ColumnsOf(Printable(column.name)));
  }
  engine::PackedRows::Place place;
  std::vector<Value> margins;
  for (const std::vector<Value>& row : answer.rows) {
    if (!answer.margins.Next(place, margins)) margins.clear();
    std::vector<std::string> line;
    for (size_t i = 0; i < columns; ++i) {
      line.push_back(CellText(row[i], answer.columns[i], margins));
      widths[i] = std::max(widths[i], ColumnsOf(line[i]));
      if (!engine::IsNull(row[i]) && !IsNumber(row[i])) align[i] = Align::kLeft;
    }
    cells.push_back(std::move(line));
  }
  std::string head;
  std::string rule;
  for (size_t i = 0; i < columns; ++i) {
    head += (i == 0 ? " " : " | ") + Padded(Printable(answer.columns[i].name), widths[i], align[i]);
    rule += (i == 0 ? "-" : "-+-") + std::string(widths[i], '-');
  }
  std::string text = head + "\n" + rule + "-\n";
  for (const std::vector<std::string>& line : cells) {
    for (size_t i = 0; i < columns; ++i) {
      text += (i == 0 ? " " : " | ") + Padded(line[i], widths[i], align[i]);
    }
    text += "\n";
  }
  return text + "(" + std::to_string(cells.size()) + (cells.size() == 1 ? " row)\n" : " rows)\n");
}

}  // namespace tacit::answer
