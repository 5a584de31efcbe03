#include "tacit/terminal/text_table.h"

#include <algorithm>

#include "base/quoted.h"
#include "base/terminal_text.h"

namespace tacit::app {

std::string TextTable::Text() const {
  std::vector<size_t> widths(rows_[0].size(), 0);
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], ColumnsOf(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += Padded(Printable(row[i]), widths[i] + 2);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string TextTable::Csv() const {
  std::string text;
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      AppendCsvCell(row[i], ',', text);
    }
    text += '\n';
  }
  return text;
}

}  // namespace tacit::app
