#include <algorithm>

#include "sql/functions/own_functions.h"
#include "sql/print/trino/parts.h"

// Lengths and positions count code points in both. Letters' cases, regular expressions and the
// order of a text's marks in reverse() are another thing in each, and are not here.
namespace tacit::sql::trino {
namespace {

// Why 4,096 characters: as in DuckDB's words, repeated doubling must end somewhere.
std::string Cut(const std::string& text) { return "substr(" + text + ", 1, 4096)"; }

std::string NameOf(const Application& a) { return std::string(a.apply.function->name); }

std::string Whole(const std::string& number) { return "CAST(" + number + " AS integer)"; }

Text PrintCall(const Application& a) { return CallText(NameOf(a), a.text); }

Text PrintJoined(const Application& a) {
  std::string joined;
  if (NameOf(a) == "||") {
    joined = "(" + a.text[0] + " || " + a.text[1] + ")";
  } else if (NameOf(a) == "concat_ws") {
    joined = a.text.size() == 1 ? "(" + a.text[0] + " || '')" : CallText("concat_ws", a.text);
    if (a.text.size() == 1) joined = "substr(" + a.text[0] + ", 1, 0)";
  } else {
    for (const std::string& text : a.text) {
      joined += (joined.empty() ? "(coalesce(" : " || coalesce(") + text + ", '')";
    }
    joined += ")";
  }
  return CanGrow(a) ? Cut(joined) : joined;
}

// left and right, by a number that is written out.
Text PrintPart(const Application& a) {
  if (a.literal(1) == nullptr || a.literal(1)->kind != LiteralKind::kInteger) return std::nullopt;
  const std::string& text = a.text[0];
  // Why 2^30: no text is longer.
  const int64_t count = std::clamp<int64_t>(NumberAt(a, 1), -(int64_t{1} << 30), int64_t{1} << 30);
  const std::string size = std::to_string(std::abs(count));
  const std::string rest = "greatest(length(" + text + ") - " + size;
  if (NameOf(a) == "left") {
    return count >= 0 ? "substr(" + text + ", 1, " + size + ")"
                      : "substr(" + text + ", 1, " + rest + ", 0))";
  }
  if (count == 0) return "substr(" + text + ", 1, 0)";
  return count > 0 ? "substr(" + text + ", " + rest + ", 0) + 1)"
                   : "substr(" + text + ", " + size + " + 1)";
}

Text PrintSubstring(const Application& a) {
  const int64_t from = NumberAt(a, 1);
  const int64_t start = std::max<int64_t>(from, 1);
  std::string text = "substr(" + a.text[0] + ", " + std::to_string(start);
  if (a.text.size() == 3) {
    text += ", " + std::to_string(std::max<int64_t>(from + NumberAt(a, 2) - start, 0));
  }
  return text + ")";
}

Text PrintTrim(const Application& a) {
  if (a.text.size() == 2 && a.literal(1) == nullptr) return std::nullopt;
  const std::string name = NameOf(a) == "btrim" ? "trim" : NameOf(a);
  return name + "(" + a.text[0] + ", " + (a.text.size() == 2 ? a.text[1] : "' '") + ")";
}

Text PrintLength(const Application& a) { return Whole("length(" + a.text[0] + ")"); }
Text PrintBytes(const Application& a) { return Whole("length(to_utf8(" + a.text[0] + "))"); }
Text PrintPosition(const Application& a) {
  return Whole("strpos(" + a.text[1] + ", " + a.text[0] + ")");
}
Text PrintStrpos(const Application& a) { return Whole(CallText("strpos", a.text)); }

// Trino finds nothing between all characters; DuckDB does not.
Text PrintReplace(const Application& a) {
  const bool longer = a.literal(2)->text.size() > a.literal(1)->text.size();
  const std::string text = a.literal(1)->text.empty() ? a.text[0] : CallText("replace", a.text);
  return longer ? Cut(text) : text;
}

// Behind the last part there is NULL in Trino.
Text PrintSplit(const Application& a) {
  const int64_t part = NumberAt(a, 2);
  if (part < 1 || a.literal(1) == nullptr || a.literal(1)->text.empty()) return std::nullopt;
  return "CASE WHEN " + a.text[0] + " IS NOT NULL THEN coalesce(split_part(" + a.text[0] + ", " +
         a.text[1] + ", " + std::to_string(part) + "), '') END";
}

Text PrintInSet(const Application& a) {
  return "contains(split(" + a.text[1] + ", '|'), " + a.text[0] + ")";
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
          {"strpos", PrintStrpos},
          {"replace", PrintReplace},
          {kInSetFunction, PrintInSet},
          {kArrayFunction, PrintArray}};
}

}  // namespace tacit::sql::trino
