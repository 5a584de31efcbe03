#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sql/tree.h"

// Dates and times that a query writes, computed as PostgreSQL computes them. An instant is the
// microseconds since 1970 in no zone, within the years 1 to 9999: what leaves them has no value.
namespace tacit::sql {

inline constexpr int64_t kDayMicroseconds = int64_t{24} * 3600 * 1'000'000;

// Of a date, a timestamp, or a timestamp with time zone in UTC; nothing for other literals.
std::optional<int64_t> InstantOf(const Literal& literal);

// An instant as a literal of one of these kinds; a date is its day.
std::optional<Literal> InstantLiteral(LiteralKind kind, int64_t microseconds);

// Months first, then days, then the clock; the day of a shorter month is its last.
std::optional<int64_t> AddInterval(int64_t instant, const Interval& interval);

// The beginning of the instant's year, month, ...; nothing for a unit that has none.
std::optional<int64_t> Truncated(std::string_view unit, int64_t instant);

// extract(field FROM instant), of the fields that are whole numbers; nothing for others.
std::optional<int64_t> FieldOf(std::string_view field, int64_t instant);

// to_date and to_timestamp: a text read by a pattern of YYYY MM DD HH24 MI SS US MS Mon Month and
// what stands between them. Nothing where one does not fit the other.
std::optional<int64_t> ReadByPattern(std::string_view text, std::string_view pattern);

// 'MONTHS', 'Month', 'mon': the one name of a unit of time, or the word in lower case.
std::string UnitName(std::string_view word);

}  // namespace tacit::sql
