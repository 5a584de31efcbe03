#include "engine/trino/connection/page.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace tacit::engine::trino {
namespace {

using Json = nlohmann::json;

std::optional<std::string> TextAt(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

// Capital letters and underscores, and not many.
std::string ErrorWord(const Json& error, const char* name) {
  const std::string word = TextAt(error, name).value_or("");
  const bool is_word =
      !word.empty() && word.size() <= 64 && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
      });
  return is_word ? word : "UNKNOWN";
}

std::optional<Cell> ReadOne(const Json& value) {
  if (value.is_null()) return Cell();
  if (value.is_boolean()) return Cell(value.get<bool>());
  if (value.is_string()) return Cell(value.get<std::string>());
  if (value.is_number_unsigned() &&
      value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return std::nullopt;
  }
  if (value.is_number_integer()) return Cell(value.get<int64_t>());
  if (value.is_number_float()) return Cell(value.get<double>());
  return std::nullopt;
}

bool ReadColumns(const Json& list, Page& page) {
  if (!list.is_array()) return false;
  for (const Json& column : list) {
    if (!column.is_object()) return false;
    const auto name = TextAt(column, "name");
    const auto type = TextAt(column, "type");
    if (!name || !type) return false;
    page.columns.push_back({*name, *type});
  }
  return true;
}

bool ReadRows(const Json& list, Page& page) {
  if (!list.is_array()) return false;
  for (const Json& row : list) {
    if (!row.is_array()) return false;
    std::vector<Cell>& cells = page.rows.emplace_back();
    for (const Json& value : row) {
      std::optional<Cell> cell = ReadOne(value);
      if (!cell) return false;
      cells.push_back(std::move(*cell));
    }
  }
  return true;
}

}  // namespace

std::optional<Page> ReadPage(std::string_view body) {
  const Json all = Json::parse(body, nullptr, false);
  if (!all.is_object() || !TextAt(all, "id")) return std::nullopt;
  Page page;
  if (all.contains("nextUri")) {
    const auto next = TextAt(all, "nextUri");
    if (!next || next->empty()) return std::nullopt;
    page.next = *next;
  }
  if (const auto error = all.find("error"); error != all.end()) {
    if (!error->is_object()) return std::nullopt;
    page.error = QueryError{ErrorWord(*error, "errorName"), ErrorWord(*error, "errorType")};
  }
  const auto columns = all.find("columns");
  if (columns != all.end() && !ReadColumns(*columns, page)) return std::nullopt;
  const auto rows = all.find("data");
  if (rows != all.end() && !ReadRows(*rows, page)) return std::nullopt;
  return page;
}

}  // namespace tacit::engine::trino
