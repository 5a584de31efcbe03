#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/numbers/int128.h"
#include "sql/tree.h"

namespace tacit::sql {

// The canonical text of a date written as 2020-1-31 (years 1 to 9999), or nothing. Other spellings
// that PostgreSQL takes depend on its DateStyle setting, so they are left out on purpose.
std::optional<std::string> CanonicalDate(std::string_view text);

// The same for 2020-01-31, 2020-01-31 10:20, 2020-01-31T10:20:30.5, as "2020-01-31 10:20:30.5". An
// offset (Z, +02, +02:00) is read and ignored, as PostgreSQL does for both; so is a date's clock.
std::optional<std::string> CanonicalTimestamp(std::string_view text);

// The same in UTC, by its offset; without one, by the zone's clocks, or in UTC already.
std::optional<std::string> CanonicalTimestampTz(std::string_view text,
                                                const TimeZone* zone = nullptr);

// Whether a timestamp says its offset itself, so that every zone reads it alike.
bool SaysItsOffset(std::string_view timestamp);

// '1 year 2 mons -3 days 04:05:06.7', '2 weeks', '1.5 days', '90m', or nothing.
std::optional<Interval> ParseInterval(std::string_view text);

// Of these parts; nothing where they are longer together than an interval may be.
std::optional<Interval> MakeInterval(Int128 months, Int128 days, Int128 microseconds);

// How often an interval can be taken, forwards or backwards, so that what comes of it may be one.
int64_t TimesMax(const Interval& interval);

// As PostgreSQL shows it: "1 year 2 mons -3 days 04:05:06.7".
std::string ToString(const Interval& interval);

}  // namespace tacit::sql
