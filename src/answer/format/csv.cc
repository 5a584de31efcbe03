#include "answer/format/format.h"
#include "base/quoted.h"

namespace tacit::answer {
namespace {

std::string Field(const std::string& text, bool is_text) {
  return text.empty() && !is_text ? "" : CsvText(text);
}

}  // namespace

std::string FormatCsv(const Answer& answer) {
  std::string text;
  for (size_t i = 0; i < answer.columns.size(); ++i) {
    text += (i == 0 ? "" : ",") + Field(answer.columns[i].name, true);
  }
  text += "\r\n";
  for (const std::vector<engine::Value>& row : answer.rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      text += Field(engine::ToText(row[i]), std::holds_alternative<std::string>(row[i]));
    }
    text += "\r\n";
  }
  return text;
}

}  // namespace tacit::answer
