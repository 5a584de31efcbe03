#include <algorithm>
#include <charconv>

#include "sql/constants/calendar.h"
#include "sql/constants/fold_parts.h"
#include "sql/constants/zone.h"
#include "sql/functions/time_zones.h"
#include "sql/parse/literal.h"

namespace tacit::sql::constants {
namespace {

using Given = std::vector<const Literal*>;

bool IsString(const Literal& literal) { return literal.kind == LiteralKind::kString; }

// What letters become beyond ASCII is the engine's to say.
bool IsAscii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

std::optional<Literal> Cased(const std::string& text, bool upper) {
  if (!IsAscii(text)) return std::nullopt;
  std::string changed = text;
  for (char& c : changed) {
    if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return Written(LiteralKind::kString, std::move(changed));
}

std::optional<Literal> Trimmed(std::string text, bool front, bool back) {
  if (front) text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  if (back) text.erase(text.find_last_not_of(' ') + 1);
  return Written(LiteralKind::kString, std::move(text));
}

// Why a limit: each occurrence may grow, and a text that is replaced in again grows by a factor.
std::optional<Literal> Replaced(const std::string& text, const std::string& from,
                                const std::string& to) {
  constexpr size_t kBytesMax = 4096;
  std::string changed;
  size_t done = 0;
  while (!from.empty()) {
    const size_t at = text.find(from, done);
    if (at == std::string::npos) break;
    changed += text.substr(done, at - done) + to;
    if (changed.size() > kBytesMax) return std::nullopt;
    done = at + from.size();
  }
  return Written(LiteralKind::kString, changed + text.substr(done));
}

std::optional<Literal> FoldTexts(const std::string& name, const Given& given) {
  if (name == "concat") {
    std::string joined;
    for (const Literal* literal : given) {
      if (literal->kind == LiteralKind::kNull) continue;
      if (!IsString(*literal) && literal->kind != LiteralKind::kInteger) return std::nullopt;
      joined += literal->text;
    }
    return Written(LiteralKind::kString, std::move(joined));
  }
  if (given.empty() || !IsString(*given[0])) return std::nullopt;
  const std::string& text = given[0]->text;
  if (given.size() == 1) {
    if (name == "lower") return Cased(text, false);
    if (name == "upper") return Cased(text, true);
    if (name == "btrim") return Trimmed(text, true, true);
    if (name == "ltrim") return Trimmed(text, true, false);
    if (name == "rtrim") return Trimmed(text, false, true);
  }
  if (name == "left" && given.size() == 2 && given[1]->kind == LiteralKind::kInteger &&
      given[1]->text.size() < 9 && !given[1]->text.starts_with('-') && IsAscii(text)) {
    return Written(LiteralKind::kString, text.substr(0, std::stoul(given[1]->text)));
  }
  if (name == "replace" && given.size() == 3 && IsString(*given[1]) && IsString(*given[2])) {
    return Replaced(text, given[1]->text, given[2]->text);
  }
  return std::nullopt;
}

std::optional<Literal> FromEpoch(const Literal& seconds) {
  if (seconds.kind != LiteralKind::kInteger && seconds.kind != LiteralKind::kNumeric) {
    return std::nullopt;
  }
  double value = 0;
  const char* end = seconds.text.data() + seconds.text.size();
  const auto read = std::from_chars(seconds.text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || !(value > -7e10 && value < 3e11)) {
    return std::nullopt;
  }
  return InstantLiteral(LiteralKind::kTimestampTz, static_cast<int64_t>(value * 1e6));
}

// TIMESTAMP '...' AT TIME ZONE 'Europe/Berlin', and an instant as clocks there show it.
std::optional<Literal> AtTimeZone(const Literal& zone, const Literal& time) {
  const std::optional<int64_t> instant = InstantOf(time);
  if (!IsString(zone) || !IsTimeZone(zone.text) || !instant) return std::nullopt;
  const Result<std::shared_ptr<const TimeZone>> found = TimeZone::Find(zone.text);
  if (!found.ok()) return std::nullopt;
  std::optional<Literal> made;
  if (time.kind == LiteralKind::kTimestamp) {
    made = InstantLiteral(LiteralKind::kTimestampTz, InstantAt(**found, *instant));
  } else if (time.kind == LiteralKind::kTimestampTz) {
    made = InstantLiteral(LiteralKind::kTimestamp, ShownAt(**found, *instant));
  }
  if (made) made->zone = time.zone;
  return made;
}

std::optional<Literal> FoldDates(const std::string& name, const Given& given) {
  if (name == "to_date" || name == "to_timestamp") {
    const bool date = name == "to_date";
    const auto is_null = [](const Literal* one) { return one->kind == LiteralKind::kNull; };
    if (std::any_of(given.begin(), given.end(), is_null)) return Literal{};
    if (!date && given.size() == 1) return FromEpoch(*given[0]);
    if (given.size() != 2 || !IsString(*given[0]) || !IsString(*given[1])) return std::nullopt;
    const std::optional<int64_t> instant = ReadByPattern(given[0]->text, given[1]->text);
    if (!instant) return std::nullopt;
    return AsShown(date ? LiteralKind::kDate : LiteralKind::kTimestampTz, *instant, given[0]->zone);
  }
  if (name == "date_trunc" && given.size() == 2 && IsString(*given[0])) {
    const std::optional<int64_t> shown = ShownOf(*given[1]);
    const std::optional<int64_t> start = shown ? Truncated(given[0]->text, *shown) : std::nullopt;
    const bool zoned = given[1]->kind == LiteralKind::kTimestampTz;
    if (!start) return std::nullopt;
    return AsShown(zoned ? LiteralKind::kTimestampTz : LiteralKind::kTimestamp, *start,
                   given[1]->zone);
  }
  if (name == "timezone" && given.size() == 2) return AtTimeZone(*given[0], *given[1]);
  if (name == "make_date" && given.size() == 3) {
    std::string text;
    for (size_t i = 0; i < 3; ++i) {
      if (given[i]->kind != LiteralKind::kInteger) return std::nullopt;
      std::string digits = given[i]->text;
      if (i == 0 && digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
      text += (i == 0 ? "" : "-") + digits;
    }
    const std::optional<std::string> date = CanonicalDate(text);
    return date ? std::optional(Written(LiteralKind::kDate, *date)) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> IntegerText(const std::string& text) {
  int32_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return std::to_string(value);
}

std::optional<Literal> FromString(const Literal& literal, TypeKind kind) {
  const std::string& text = literal.text;
  const auto made = [](LiteralKind form, const std::optional<std::string>& canonical) {
    return canonical ? std::optional(Written(form, *canonical)) : std::nullopt;
  };
  switch (kind) {
    case TypeKind::kText:
      return Written(LiteralKind::kString, text);
    case TypeKind::kDate:
      return made(LiteralKind::kDate, CanonicalDate(text));
    case TypeKind::kTimestamp:
      return made(LiteralKind::kTimestamp, CanonicalTimestamp(text));
    case TypeKind::kTimestampTz:
      return made(LiteralKind::kTimestampTz, CanonicalTimestampTz(text, literal.zone.get()));
    case TypeKind::kInteger:
      return made(LiteralKind::kInteger, IntegerText(text));
    case TypeKind::kBoolean: {
      const std::optional<bool> truth = ParseBoolean(text);
      if (!truth) return std::nullopt;
      return Written(LiteralKind::kBoolean, *truth ? "true" : "false");
    }
    case TypeKind::kInterval: {
      const std::optional<Interval> interval = ParseInterval(text);
      if (!interval) return std::nullopt;
      return Literal{.kind = LiteralKind::kInterval, .text = "", .interval = *interval};
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Literal> FoldCall(const std::string& name, const Given& given) {
  if (const auto date = FoldDates(name, given)) return date;
  if (const auto plain = FoldPlain(name, given)) return plain;
  return FoldTexts(name, given);
}

std::optional<Literal> FoldCast(const Literal& literal, const Type& type) {
  if (IsString(literal)) {
    std::optional<Literal> read = FromString(literal, type.kind);
    if (read) read->zone = literal.zone;
    return read;
  }
  if (literal.kind == LiteralKind::kInteger && type.kind == TypeKind::kInteger) {
    const std::optional<std::string> integer = IntegerText(literal.text);
    return integer ? std::optional(Written(LiteralKind::kInteger, *integer)) : std::nullopt;
  }
  if (literal.kind == LiteralKind::kBoolean && type.kind == TypeKind::kBoolean) return literal;
  if (literal.kind == LiteralKind::kInterval && type.kind == TypeKind::kInterval) return literal;
  const std::optional<int64_t> shown = ShownOf(literal);
  if (!shown) return std::nullopt;
  if (type.kind == TypeKind::kDate) return AsShown(LiteralKind::kDate, *shown, literal.zone);
  if (type.kind == TypeKind::kTimestamp) {
    return AsShown(LiteralKind::kTimestamp, *shown, literal.zone);
  }
  if (type.kind != TypeKind::kTimestampTz) return std::nullopt;
  // An instant that a zone's clocks show twice stays the one that it is.
  std::optional<Literal> zoned = InstantLiteral(LiteralKind::kTimestampTz, *UtcOf(literal));
  if (zoned) zoned->zone = literal.zone;
  return zoned;
}

std::optional<bool> ParseBoolean(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  for (const char* word : {"true", "t", "yes", "y", "on", "1"}) {
    if (text == word) return true;
  }
  for (const char* word : {"false", "f", "no", "n", "off", "0"}) {
    if (text == word) return false;
  }
  return std::nullopt;
}

Literal ReadBeside(const Literal& text, const Literal& other) {
  if (text.kind != LiteralKind::kString) return text;
  std::optional<Literal> read;
  if (other.kind == LiteralKind::kDate) read = FoldCast(text, kDateType);
  if (other.kind == LiteralKind::kTimestamp) read = FoldCast(text, kTimestampType);
  if (other.kind == LiteralKind::kTimestampTz) {
    read = FoldCast(text, Type{.kind = TypeKind::kTimestampTz, .precision = 0, .scale = 0});
  }
  return read.value_or(text);
}

}  // namespace tacit::sql::constants
