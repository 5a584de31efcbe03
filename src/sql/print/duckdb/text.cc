#include <algorithm>
#include <charconv>

#include "sql/functions/own_functions.h"
#include "sql/print/duckdb/parts.h"

namespace tacit::sql::duckdb {
namespace {

// Why 4,096 characters: repeated doubling must end somewhere, no group key or comparison needs
// more, and what is searched in it takes time that one person's row must not be able to stretch.
// Only what can grow without bound is cut: joins of two columns, and replacements that lengthen.
std::string Cut(const std::string& text) { return "left(" + text + ", 4096)"; }

bool CanGrow(const Application& a) {
  const auto& arguments = a.apply.arguments;
  return std::count_if(arguments.begin(), arguments.end(),
                       [](const Bound& argument) { return As<Literal>(argument) == nullptr; }) > 1;
}

int64_t Number(const Application& a, size_t i) {
  const std::string& text = a.literal(i)->text;
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string RenderJoined(const Application& a) {
  const std::string joined =
      a.apply.function->name == "||" ? "(" + a.text[0] + " || " + a.text[1] + ")" : RenderCall(a);
  return CanGrow(a) ? Cut(joined) : joined;
}

// PostgreSQL counts positions before the text as positions: substring('hello', -1, 4) is 'he'.
std::string RenderSubstring(const Application& a) {
  const int64_t from = Number(a, 1);
  const int64_t start = std::max<int64_t>(from, 1);
  std::string text = "substring(" + a.text[0] + ", " + std::to_string(start);
  if (a.text.size() == 3) {
    text += ", " + std::to_string(std::max<int64_t>(from + Number(a, 2) - start, 0));
  }
  return text + ")";
}

std::string RenderTrim(const Application& a) {
  const std::string name(a.apply.function->name == "btrim" ? "trim" : a.apply.function->name);
  return name + "(" + a.text[0] + ", " + (a.text.size() == 2 ? a.text[1] : "' '") + ")";
}

std::string RenderLength(const Application& a) {
  return "CAST(length(" + a.text[0] + ") AS INTEGER)";
}
std::string RenderBytes(const Application& a) {
  return "CAST(strlen(" + a.text[0] + ") AS INTEGER)";
}
std::string RenderPosition(const Application& a) {
  return "CAST(strpos(" + a.text[1] + ", " + a.text[0] + ") AS INTEGER)";
}
std::string RenderStrpos(const Application& a) {
  return "CAST(strpos(" + a.text[0] + ", " + a.text[1] + ") AS INTEGER)";
}

std::string RenderReplace(const Application& a) {
  const bool longer = a.literal(2)->text.size() > a.literal(1)->text.size();
  return longer ? Cut(RenderCall(a)) : RenderCall(a);
}

// The list is the same for all rows, so that it is split once for each chunk of them.
std::string RenderInSet(const Application& a) {
  return "list_contains(string_split(" + a.text[1] + ", '|'), " + a.text[0] + ")";
}

// Words are letters and digits; what stands between them stays, and an empty text is one of them.
// Not array_to_string, nor len for a list's length: the engine takes them of no parameter.
std::string RenderInitcap(const Application& a) {
  return "list_aggregate(list_transform(regexp_extract_all(" + a.text[0] +
         ", '[\\p{L}\\p{N}]+|[^\\p{L}\\p{N}]+|^$', 0, 's'), lambda w: upper(left(w, 1)) || "
         "lower(substring(w, 2))), 'string_agg', '')";
}

std::string RenderArray(const Application& a) {
  std::string text = "('{'";
  for (size_t i = 0; i < a.text.size(); ++i) {
    text += (i == 0 ? " || coalesce(" : " || ',' || coalesce(") + a.text[i] + ", 'NULL')";
  }
  return text + " || '}')";
}

}  // namespace

Renderings TextRenderings() {
  return {{"lower", RenderCall},
          {"upper", RenderCall},
          {"initcap", RenderInitcap},
          {"reverse", RenderCall},
          {"left", RenderCall},
          {"right", RenderCall},
          {"starts_with", RenderCall},
          {"split_part", RenderCall},
          {"||", RenderJoined},
          {"concat", RenderJoined},
          {"concat_ws", RenderJoined},
          {"substring", RenderSubstring},
          {"substr", RenderSubstring},
          {"btrim", RenderTrim},
          {"ltrim", RenderTrim},
          {"rtrim", RenderTrim},
          {"length", RenderLength},
          {"char_length", RenderLength},
          {"character_length", RenderLength},
          {"octet_length", RenderBytes},
          {"position", RenderPosition},
          {"strpos", RenderStrpos},
          {"replace", RenderReplace},
          {kInSetFunction, RenderInSet},
          {kArrayFunction, RenderArray}};
}

}  // namespace tacit::sql::duckdb
