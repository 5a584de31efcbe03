#include <cstdio>
#include <cstdlib>

#include "base/ascii.h"
#include "wire/pg/types/text/text_style.h"

// The four ways in which PostgreSQL prints an interval: IntervalStyle.

namespace tacit::wire::pg {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;

// The parts of an interval, each with its own sign.
struct Parts {
  explicit Parts(const engine::Interval& value)
      : years(value.months / 12),
        months(value.months % 12),
        days(value.days),
        hours(value.micros / kMicrosPerSecond / 3600),
        minutes(value.micros / kMicrosPerSecond / 60 % 60),
        seconds(value.micros / kMicrosPerSecond % 60),
        micros(value.micros % kMicrosPerSecond) {}
  bool HasTime() const { return hours != 0 || minutes != 0 || seconds != 0 || micros != 0; }
  bool TimeIsNegative() const { return hours < 0 || minutes < 0 || seconds < 0 || micros < 0; }
  void Negate() {
    for (int64_t* part : {&years, &months, &days, &hours, &minutes, &seconds, &micros}) {
      *part = -*part;
    }
  }

  int64_t years, months, days, hours, minutes, seconds, micros;
};

// Seconds without their sign: 06.5, or 6.5.
std::string SecondsOf(const Parts& parts, bool two_digits) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, two_digits ? "%02d" : "%d",
                static_cast<int>(std::abs(parts.seconds)));
  std::string text = buffer;
  if (parts.micros == 0) return text;
  std::snprintf(buffer, sizeof buffer, ".%06d", static_cast<int>(std::abs(parts.micros)));
  text += buffer;
  while (text.ends_with('0')) text.pop_back();
  return text;
}

// 4:05:06, without its sign.
std::string ClockOf(const Parts& parts, bool two_digits_of_hours) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, two_digits_of_hours ? "%02lld:%02d:" : "%lld:%02d:",
                static_cast<long long>(std::abs(parts.hours)),
                static_cast<int>(std::abs(parts.minutes)));
  return buffer + SecondsOf(parts, true);
}

// @ 1 year 2 mons 3 days 4 hours 5 mins 6 secs ago: the first part's sign is said by `ago`, and
// whatever has the other one shows it.
std::string Verbose(const Parts& parts) {
  std::string text = "@";
  bool ago = false, any = false;
  const auto add = [&](int64_t amount, const char* unit) {
    if (amount == 0) return;
    if (!any) ago = amount < 0;
    any = true;
    if (ago) amount = -amount;
    text += " " + std::to_string(amount) + " " + unit + (amount == 1 ? "" : "s");
  };
  add(parts.years, "year");
  add(parts.months, "mon");
  add(parts.days, "day");
  add(parts.hours, "hour");
  add(parts.minutes, "min");
  if (parts.seconds != 0 || parts.micros != 0) {
    const bool negative = parts.seconds < 0 || parts.micros < 0;
    if (!any) ago = negative;
    any = true;
    text += negative != ago ? " -" : " ";
    text += SecondsOf(parts, false);
    text += std::abs(parts.seconds) == 1 && parts.micros == 0 ? " sec" : " secs";
  }
  if (!any) text += " 0";
  return ago ? text + " ago" : text;
}

// 1-2, 3 4:05:06, or with every sign where the standard has no form.
std::string SqlStandard(Parts parts) {
  const bool has_months = parts.years != 0 || parts.months != 0;
  const bool has_days = parts.days != 0;
  bool negative = false, positive = false;
  for (const int64_t part : {parts.years, parts.months, parts.days, parts.hours, parts.minutes,
                             parts.seconds, parts.micros}) {
    negative = negative || part < 0;
    positive = positive || part > 0;
  }
  if (!negative && !positive) return "0";
  const bool mixed = (negative && positive) || (has_months && (has_days || parts.HasTime()));
  if (mixed) {
    const auto sign = [](bool minus) { return std::string(minus ? "-" : "+"); };
    return sign(parts.years < 0 || parts.months < 0) + std::to_string(std::abs(parts.years)) + "-" +
           std::to_string(std::abs(parts.months)) + " " + sign(parts.days < 0) +
           std::to_string(std::abs(parts.days)) + " " + sign(parts.TimeIsNegative()) +
           ClockOf(parts, false);
  }
  std::string text;
  if (negative) {
    text = "-";
    parts.Negate();
  }
  if (has_months) return text + std::to_string(parts.years) + "-" + std::to_string(parts.months);
  if (has_days) text += std::to_string(parts.days) + " ";
  return text + ClockOf(parts, false);
}

// P1Y2M3DT4H5M6S
std::string Iso(const Parts& parts) {
  std::string text = "P";
  const auto add = [&](int64_t amount, char unit) {
    if (amount != 0) text += std::to_string(amount) + unit;
  };
  add(parts.years, 'Y');
  add(parts.months, 'M');
  add(parts.days, 'D');
  if (parts.HasTime()) text += 'T';
  add(parts.hours, 'H');
  add(parts.minutes, 'M');
  if (parts.seconds != 0 || parts.micros != 0) {
    text += (parts.seconds < 0 || parts.micros < 0 ? "-" : "") + SecondsOf(parts, false) + "S";
  }
  return text == "P" ? "PT0S" : text;
}

}  // namespace

std::optional<IntervalStyle> ParseIntervalStyle(std::string_view text) {
  const std::string lower = InSmallLetters(text);
  if (lower == "postgres" || lower == "default") return IntervalStyle::kPostgres;
  if (lower == "postgres_verbose") return IntervalStyle::kVerbose;
  if (lower == "sql_standard") return IntervalStyle::kSqlStandard;
  if (lower == "iso_8601") return IntervalStyle::kIso;
  return std::nullopt;
}

std::string IntervalTextOf(const engine::Interval& value, IntervalStyle style) {
  switch (style) {
    case IntervalStyle::kVerbose:
      return Verbose(Parts(value));
    case IntervalStyle::kSqlStandard:
      return SqlStandard(Parts(value));
    case IntervalStyle::kIso:
      return Iso(Parts(value));
    case IntervalStyle::kPostgres:
      break;
  }
  return engine::ToText(value);
}

}  // namespace tacit::wire::pg
