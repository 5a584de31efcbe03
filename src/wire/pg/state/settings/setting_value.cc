#include "wire/pg/state/settings/setting_value.h"

#include <charconv>

#include "base/ascii.h"
#include "base/numbers/privacy_parameters.h"
#include "plan/price/error_wish.h"
#include "wire/pg/state/report.h"
#include "wire/pg/types/text/encoding.h"
#include "wire/pg/types/text/text_style.h"

namespace tacit::wire::pg {
namespace {

Error WrongValue(const std::string& name, const std::string& value, std::string hint) {
  return Condition("invalid value for parameter \"" + name + "\": \"" + value + "\"",
                   "invalid_parameter_value", std::move(hint));
}

std::string Unquoted(std::string value) {
  if (value.size() >= 2 && value.front() == '\'' && value.back() == '\'') {
    value = value.substr(1, value.size() - 2);
  }
  return value;
}

Result<std::string> CheckBool(const std::string& name, const std::string& value) {
  const std::string lower = InSmallLetters(value);
  for (const char* yes : {"on", "true", "t", "yes", "y", "1"}) {
    if (lower == yes) return std::string("on");
  }
  for (const char* no : {"off", "false", "f", "no", "n", "0"}) {
    if (lower == no) return std::string("off");
  }
  return Condition("parameter \"" + name + "\" requires a Boolean value",
                   "invalid_parameter_value");
}

Result<std::string> CheckError(const std::string& value) {
  if (value.empty()) return value;
  const Result<plan::ErrorWish> wish = plan::ReadErrorWish(value);
  if (wish.ok()) return value;
  Error error = wish.error();
  error.rule = "invalid_parameter_value";
  return error;
}

Result<std::string> CheckPrivacy(const std::string& name, const std::string& value) {
  if (value.empty()) return value;  // the policy's
  Result<Rational> number = ParseRational(value);
  if (number.ok() && name == "tacit.epsilon") {
    const Result<Epsilon> epsilon = CheckedEpsilon(*number, name);
    if (!epsilon.ok()) number = epsilon.error();
  } else if (number.ok() && name == "tacit.delta") {
    const Result<Delta> delta = CheckedDelta(*number, name);
    if (!delta.ok()) number = delta.error();
  }
  if (number.ok()) return value;
  Error error = number.error();
  error.rule = "invalid_parameter_value";
  return error;
}

Result<std::string> CheckEncoding(const std::string& value) {
  std::string plain;
  for (const char c : InSmallLetters(Unquoted(value))) {
    if (c != '-' && c != '_') plain += c;
  }
  if (plain == "utf8" || plain == "unicode" || plain == "default") return std::string("UTF8");
  if (plain == "sqlascii") return std::string("SQL_ASCII");  // bytes as they are
  if (const Encoding* known = Encoding::Find(plain)) return known->name();
  return WrongValue("client_encoding", value, "one of " + Encoding::Names());
}

Result<std::string> CheckZone(const std::string& value) {
  const std::string lower = InSmallLetters(value);
  if (lower == "default" || lower == "local") return std::string("UTC");
  const Result<std::shared_ptr<const TimeZone>> zone = TimeZone::Find(Unquoted(value));
  if (zone.ok()) return (*zone)->name();
  return WrongValue("TimeZone", value, zone.error().hint);
}

Result<std::string> CheckDateStyle(const std::string& value, const std::string& now) {
  const DateStyle before = ParseDateStyle(now, {}).value_or(DateStyle{});
  if (const std::optional<DateStyle> style = ParseDateStyle(Unquoted(value), before)) {
    return NameOf(*style);
  }
  return WrongValue("DateStyle", value, "ISO, SQL, Postgres or German, with MDY, DMY or YMD");
}

// One of these words, in small letters.
Result<std::string> CheckOneOf(const std::string& name, const std::string& value,
                               std::initializer_list<const char*> words) {
  const std::string lower = InSmallLetters(Unquoted(value));
  std::string all;
  for (const char* word : words) {
    if (lower == word) return lower;
    all += (all.empty() ? "" : ", ") + std::string(word);
  }
  return WrongValue(name, value, "one of " + all);
}

// What may be said and is so anyway.
Result<std::string> CheckFixed(const std::string& name, const std::string& value,
                               const std::string& only) {
  if (InSmallLetters(Unquoted(value)) == only) return only;
  return WrongValue(name, value, "it is " + only + " here, and cannot be anything else");
}

Result<std::string> CheckRole(const std::string& value, const std::string& analyst) {
  if (value == analyst || InSmallLetters(value) == "none" || InSmallLetters(value) == "default")
    return value;
  return Condition("permission denied to become \"" + value + "\"", "insufficient_privilege");
}

}  // namespace

std::optional<std::chrono::milliseconds> ParseDuration(const std::string& value) {
  int64_t number = 0;
  const char* end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, number);
  if (parsed.ec != std::errc() || number < 0) return std::nullopt;
  std::string_view unit(parsed.ptr, static_cast<size_t>(end - parsed.ptr));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  struct Unit {
    std::string_view name;
    int64_t milliseconds;
  };
  constexpr Unit kUnits[] = {{"", 1},         {"ms", 1},        {"s", 1'000},
                             {"min", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  for (const Unit& known : kUnits) {
    if (unit != known.name) continue;
    if (number > INT32_MAX / known.milliseconds) return std::nullopt;
    return std::chrono::milliseconds(number * known.milliseconds);
  }
  return std::nullopt;
}

Result<std::string> CheckedSetting(const WantedSetting& wanted, const std::string& analyst) {
  const std::string& name = wanted.name;
  const std::string& value = wanted.value;
  if (name == "client_encoding") return CheckEncoding(value);
  if (name == "timezone") return CheckZone(value);
  if (name == "datestyle") return CheckDateStyle(value, wanted.now);
  if (name == "intervalstyle") {
    return CheckOneOf(name, value, {"postgres", "postgres_verbose", "sql_standard", "iso_8601"});
  }
  if (name == "client_min_messages") {
    return CheckOneOf(name, value,
                      {"debug5", "debug4", "debug3", "debug2", "debug1", "debug", "log", "notice",
                       "info", "warning", "error"});
  }
  if (name == "extra_float_digits") {
    if (const std::optional<int> digits = ExtraFloatDigits(value)) return std::to_string(*digits);
    return WrongValue(name, value, "a whole number from -15 to 3");
  }
  if (name == "bytea_output") return CheckFixed(name, value, "hex");
  if (name == "standard_conforming_strings" || name == "array_nulls") {
    TACIT_TRY(const std::string on, CheckBool(name, value));
    return CheckFixed(name, on, "on");
  }
  if (name == "default_transaction_read_only" || name == "transaction_read_only") {
    TACIT_TRY(const std::string ignored, CheckBool(name, value));
    return std::string("on");  // nothing can be written whatever is asked for
  }
  if (name == "role" || name == "session_authorization") return CheckRole(value, analyst);
  if (name == "statement_timeout") {
    if (ParseDuration(value)) return value;
    return WrongValue(name, value, "milliseconds, or a number with ms, s, min, h or d");
  }
  if (name == "tacit.epsilon" || name == "tacit.delta") return CheckPrivacy(name, value);
  if (name == "tacit.error") return CheckError(value);
  if (wanted.setting != nullptr && std::string_view(wanted.setting->type) == "bool") {
    return CheckBool(name, value);
  }
  return value;
}

}  // namespace tacit::wire::pg
