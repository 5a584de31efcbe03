#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tacit {

// What clocks somewhere show: UTC and so many seconds.
struct LocalOffset {
  int32_t seconds = 0;
  std::string abbreviation;  // CET, +03
  friend bool operator==(const LocalOffset&, const LocalOffset&) = default;
};

// The rule by which a zone changes every year, as POSIX writes it in TZ:
// CET-1CEST,M3.5.0,M10.5.0/3.
class ZoneRule {
 public:
  // Nothing for a text that is none.
  static std::optional<ZoneRule> Parse(std::string_view text);

  const LocalOffset& At(int64_t utc) const;

 private:
  struct Day {
    enum class Kind { kMonthWeekDay, kWithoutLeapDay, kFromZero } kind = Kind::kFromZero;
    int month = 0, week = 0, day = 0;
    int32_t seconds = 2 * 3600;  // after midnight, as clocks show before the change
  };

  static std::optional<Day> TakeDay(std::string_view& text);
  // When a change of this year is, in seconds since 1970 as clocks show.
  static int64_t InYear(const Day& day, int year);

  LocalOffset standard_;
  std::optional<LocalOffset> summer_;
  Day begins_, ends_;
};

// Digits and colons, 5, 05:30 or 5:30:15, with a sign or without, taken off the front: seconds.
std::optional<int32_t> TakeOffset(std::string_view& text, int hours_max);
// An abbreviation of letters, or anything between < and >.
std::optional<std::string> TakeAbbreviation(std::string_view& text);

}  // namespace tacit
