#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/time/time_zone.h"
#include "engine/value.h"
#include "wire/oid.h"

// Values as texts, in the style that the session's settings ask for.

namespace tacit::wire::pg {

enum class DateForm { kIso, kSql, kPostgres, kGerman };
enum class DateOrder { kMonthFirst, kDayFirst, kYearFirst };
// DateStyle: 'ISO, MDY', 'German', 'dmy'. What it leaves out stays as it is in `now`; nothing for
// words that it does not know, or that contradict each other.
struct DateStyle {
  DateForm form = DateForm::kIso;
  DateOrder order = DateOrder::kMonthFirst;
  friend bool operator==(const DateStyle&, const DateStyle&) = default;
};
std::optional<DateStyle> ParseDateStyle(std::string_view text, const DateStyle& now);
std::string NameOf(const DateStyle& style);  // as SHOW prints it

enum class IntervalStyle { kPostgres, kVerbose, kSqlStandard, kIso };
std::optional<IntervalStyle> ParseIntervalStyle(std::string_view text);

// extra_float_digits; nothing for what is none.
std::optional<int> ExtraFloatDigits(std::string_view text);

struct TextStyle {
  DateStyle date;
  IntervalStyle interval = IntervalStyle::kPostgres;
  std::shared_ptr<const TimeZone> zone = TimeZone::Utc();
  int float_digits = 1;  // above 0: as many as read back as the same number
};

// A value that is not NULL, in a column of this type.
std::string TextOfValue(Oid type, const engine::Value& value, const TextStyle& style);

// ---- of single types
std::string DateTextOf(const engine::Date& value, const DateStyle& style);
std::string TimestampTextOf(const engine::Timestamp& value, const TextStyle& style);
std::string IntervalTextOf(const engine::Interval& value, IntervalStyle style);

}  // namespace tacit::wire::pg
