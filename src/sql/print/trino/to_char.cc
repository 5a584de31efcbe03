#include "sql/functions/patterns/pattern.h"
#include "sql/print/quote.h"
#include "sql/print/trino/parts.h"

// A date or time by a pattern, field by field: each is taken from the instant and padded here, so
// that no library of Trino's has a say in how it looks.
namespace tacit::sql::trino {
namespace {

constexpr char kMonths[] =
    "January,February,March,April,May,June,July,August,September,October,November,December";
constexpr char kDays[] = "Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday";

// A number in so many digits at least.
std::string Padded(const std::string& number, int digits) {
  const std::string text = "CAST(" + number + " AS varchar)";
  return digits == 0 ? text : "lpad(" + text + ", " + std::to_string(digits) + ", '0')";
}

std::string Named(const char* names, const std::string& number, bool is_short) {
  const std::string name =
      "split_part('" + std::string(names) + "', ',', CAST(" + number + " AS bigint))";
  return is_short ? "substr(" + name + ", 1, 3)" : name;
}

// What strftime writes for one letter; `bare`: without zeros in front.
std::string FieldText(char letter, bool bare, const std::string& x) {
  const auto of = [&](const char* field) { return std::string(field) + "(" + x + ")"; };
  const int two = bare ? 0 : 2;
  switch (letter) {
    case 'H':
      return Padded(of("hour"), two);
    case 'I':
      return Padded("((" + of("hour") + " + 11) % 12 + 1)", two);
    case 'Y':
      return Padded(of("year"), 4);
    case 'y':
      return Padded("(" + of("year") + " % 100)", 2);
    case 'G':
      return Padded(of("year_of_week"), 4);
    case 'B':
    case 'b':
      return Named(kMonths, of("month"), letter == 'b');
    case 'A':
    case 'a':
      return Named(kDays, of("day_of_week"), letter == 'a');
    case 'j':
      return Padded(of("day_of_year"), bare ? 0 : 3);
    case 'd':
      return Padded(of("day"), two);
    case 'm':
      return Padded(of("month"), two);
    case 'M':
      return Padded(of("minute"), two);
    case 'S':
      return Padded(of("second"), two);
    case 'g':
      return "substr(" + SecondsText(x) + ", 4, 3)";
    case 'f':
      return "substr(" + SecondsText(x) + ", 4, 6)";
    case 'V':
      return Padded(of("week"), 2);
    case 'u':
      return Padded(of("day_of_week"), 0);
    case 'p':
      return "CASE WHEN " + of("hour") + " < 12 THEN 'AM' ELSE 'PM' END";
    default:
      return "";
  }
}

// strftime's format; nothing for a letter of it that is not known here.
Text Formatted(const std::string& format, const std::string& x) {
  std::string text, plain;
  const auto add = [&text](const std::string& part) {
    text += (text.empty() ? "" : " || ") + part;
  };
  const auto flush = [&] {
    if (!plain.empty()) add(QuoteString(plain));
    plain.clear();
  };
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || format[i + 1] == '%') {
      plain += format[i];
      i += format[i] == '%' ? 1 : 0;
      continue;
    }
    const bool bare = format[++i] == '-';
    if (bare) ++i;
    const std::string field = FieldText(format[i], bare, x);
    if (field.empty()) return std::nullopt;
    flush();
    add(field);
  }
  flush();
  return text;
}

std::string Cased(TimePart::Kind kind, const std::string& text) {
  using Kind = TimePart::Kind;
  const auto padded = [](const std::string& cased) { return "rpad(" + cased + ", 9, ' ')"; };
  switch (kind) {
    case Kind::kFormat:
    case Kind::kQuarter:
      return text;
    case Kind::kUpper:
      return "upper(" + text + ")";
    case Kind::kLower:
      return "lower(" + text + ")";
    case Kind::kPadded:
      return padded(text);
    case Kind::kUpperPadded:
      return padded("upper(" + text + ")");
    case Kind::kLowerPadded:
      return padded("lower(" + text + ")");
  }
  return text;
}

}  // namespace

Text PrintToChar(const Application& a) {
  const std::string instant = InCalendar(a.text[0], a.type(0));
  const auto parts = TimePartsOf(a.literal(1)->text);
  if (!parts) return std::nullopt;
  // NULL where the instant is, also of a pattern that reads nothing of it.
  std::string text = "CASE WHEN " + instant + " IS NOT NULL THEN ''";
  for (const TimePart& part : *parts) {
    if (part.kind == TimePart::Kind::kQuarter) {
      text += " || " + Padded("quarter(" + instant + ")", 0);
      continue;
    }
    const auto formatted = Formatted(part.format, instant);
    if (!formatted) return std::nullopt;
    text += " || " + Cased(part.kind, *formatted);
  }
  return text + " END";
}

}  // namespace tacit::sql::trino
