#include <algorithm>

#include "sql/functions/own_functions.h"
#include "sql/print/postgres/parts.h"

// Lengths and positions count code points in both. Letters' cases, regular expressions and the
// order of a text's marks in reverse() are another thing in each, and are not here.
namespace tacit::sql::postgres {
namespace {

// Why 4,096 characters: as in DuckDB's words, repeated doubling must end somewhere.
std::string Cut(const std::string& text) { return "left(" + text + ", 4096)"; }

std::string NameOf(const Application& a) { return std::string(a.apply.function->name); }

Text PrintCall(const Application& a) { return CallText(NameOf(a), a.text); }

Text PrintJoined(const Application& a) {
  const std::string joined =
      NameOf(a) == "||" ? "(" + a.text[0] + " || " + a.text[1] + ")" : CallText(NameOf(a), a.text);
  return CanGrow(a) ? Cut(joined) : joined;
}

// left and right, by a number that is written out.
Text PrintPart(const Application& a) {
  if (a.literal(1) == nullptr || a.literal(1)->kind != LiteralKind::kInteger) return std::nullopt;
  return NameOf(a) + "(" + a.text[0] + ", " + std::to_string(NumberAt(a, 1)) + ")";
}

Text PrintSubstring(const Application& a) {
  const int64_t from = NumberAt(a, 1);
  const int64_t start = std::max<int64_t>(from, 1);
  std::string text = "substring(" + a.text[0] + ", " + std::to_string(start);
  if (a.text.size() == 3) {
    text += ", " + std::to_string(std::max<int64_t>(from + NumberAt(a, 2) - start, 0));
  }
  return text + ")";
}

Text PrintTrim(const Application& a) {
  return NameOf(a) + "(" + a.text[0] + ", " + (a.text.size() == 2 ? a.text[1] : "' '") + ")";
}

Text PrintLength(const Application& a) { return "length(" + a.text[0] + ")"; }
Text PrintBytes(const Application& a) { return "octet_length(" + a.text[0] + ")"; }
Text PrintPosition(const Application& a) { return "strpos(" + a.text[1] + ", " + a.text[0] + ")"; }

Text PrintReplace(const Application& a) {
  const bool longer = a.literal(2)->text.size() > a.literal(1)->text.size();
  const std::string text = CallText("replace", a.text);
  return longer ? Cut(text) : text;
}

Text PrintSplit(const Application& a) {
  return "split_part(" + a.text[0] + ", " + a.text[1] + ", " + std::to_string(NumberAt(a, 2)) + ")";
}

// An empty list holds one empty text, as DuckDB splits it.
Text PrintInSet(const Application& a) {
  const std::string& list = a.text[1];
  return "CASE WHEN " + list + " = '' THEN " + a.text[0] + " = '' ELSE " + a.text[0] +
         " = ANY (string_to_array(" + list + ", '|')) END";
}

Text PrintArray(const Application& a) { return ArrayText(a.text); }

}  // namespace

Renderings TextRenderings() {
  return {{"left", PrintPart},
          {"right", PrintPart},
          {"starts_with", PrintCall},
          {"split_part", PrintSplit},
          {"||", PrintJoined},
          {"concat", PrintJoined},
          {"concat_ws", PrintJoined},
          {"substring", PrintSubstring},
          {"substr", PrintSubstring},
          {"btrim", PrintTrim},
          {"ltrim", PrintTrim},
          {"rtrim", PrintTrim},
          {"length", PrintLength},
          {"char_length", PrintLength},
          {"character_length", PrintLength},
          {"octet_length", PrintBytes},
          {"position", PrintPosition},
          {"strpos", PrintCall},
          {"replace", PrintReplace},
          {kInSetFunction, PrintInSet},
          {kArrayFunction, PrintArray}};
}

}  // namespace tacit::sql::postgres
