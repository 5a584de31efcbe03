#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sql/tree.h"

namespace tacit::sql {

// The canonical text of a date written as 2020-1-31 (years 1 to 9999), or nothing. Other spellings
// that PostgreSQL takes depend on its DateStyle setting, so they are left out on purpose.
std::optional<std::string> CanonicalDate(std::string_view text);

// The same for 2020-01-31, 2020-01-31 10:20, 2020-01-31T10:20:30.5, as "2020-01-31 10:20:30.5".
std::optional<std::string> CanonicalTimestamp(std::string_view text);

// '1 year 2 mons -3 days 04:05:06.7', '2 weeks', '90 minutes', or nothing.
std::optional<Interval> ParseInterval(std::string_view text);

// As PostgreSQL shows it: "1 year 2 mons -3 days 04:05:06.7".
std::string ToString(const Interval& interval);

}  // namespace tacit::sql
