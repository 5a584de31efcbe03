#include "answer/format/format.h"

namespace tacit::answer {
namespace {

std::string Field(const std::string& text, bool is_text) {
  if (text.empty()) return is_text ? "\"\"" : "";
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
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
