#include <algorithm>

#include "catalog/functions.h"
#include "catalog/translate/translating.h"

namespace tacit::catalog {
namespace {

// The text of a list as DuckDB's cast reads it: every element in quotes.
std::string ListOf(const std::vector<Cell>& elements) {
  std::string text = "[";
  for (const Cell& element : elements) {
    if (text.size() > 1) text += ", ";
    if (!element) {
      text += "NULL";
      continue;
    }
    text += '"';
    for (const char c : *element) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text + "]";
}

Result<std::string> ScalarText(const Objects& objects, const std::string& text, Oid type) {
  if (!IsRegistry(type)) return text;
  const std::optional<Oid> found = ParseRegistry(objects, type, text);
  if (found) return std::to_string(*found);
  return UndefinedError("\"" + text + "\" does not exist",
                        type == oid::kRegclass ? "undefined_table" : "undefined_object", -1);
}

}  // namespace

Result<std::vector<engine::Value>> BoundValues(const Objects& objects,
                                               const Surroundings& surroundings,
                                               const Translation& translation) {
  std::vector<engine::Value> values;
  for (const int number : translation.used_parameters) {
    const auto index = static_cast<size_t>(number - 1);
    if (index >= surroundings.parameters.size()) {
      return UndefinedError("there is no value for parameter $" + std::to_string(number),
                            "undefined_parameter", -1);
    }
    const std::optional<std::string>& given = surroundings.parameters[index];
    if (!given) {
      values.emplace_back();
      continue;
    }
    const Oid type = translation.parameters[index];
    if (!IsArray(type)) {
      TACIT_TRY(std::string text, ScalarText(objects, *given, type));
      values.emplace_back(std::move(text));
      continue;
    }
    std::optional<std::vector<Cell>> elements = ParseArray(*given);
    if (!elements) return BadTextError(*given, type);
    for (Cell& element : *elements) {
      if (!element) continue;
      TACIT_TRY(element, ScalarText(objects, *element, ElementOf(type)));
    }
    values.emplace_back(ListOf(*elements));
  }
  return values;
}

// A parameter whose expression was folded away is not in the statement any more, and DuckDB wants
// exactly those that are: they are numbered anew. Only our own quotes can hold a $ otherwise.
std::string NumberParameters(const std::string& sql, std::vector<int>& used) {
  std::string numbered;
  char quote = '\0';
  for (size_t i = 0; i < sql.size(); ++i) {
    const char c = sql[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '$') {
      int number = 0;
      while (i + 1 < sql.size() && sql[i + 1] >= '0' && sql[i + 1] <= '9') {
        number = number * 10 + (sql[++i] - '0');
      }
      auto place = std::find(used.begin(), used.end(), number);
      if (place == used.end()) place = used.insert(used.end(), number);
      numbered += "$" + std::to_string(place - used.begin() + 1);
      continue;
    }
    numbered += c;
  }
  return numbered;
}

}  // namespace tacit::catalog
