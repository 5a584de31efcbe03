#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/numbers/int128.h"

namespace tacit::engine {

struct Date {
  int32_t days = 0;  // since 1970-01-01
  auto operator<=>(const Date&) const = default;
};
struct Time {
  int64_t micros = 0;  // since midnight
  auto operator<=>(const Time&) const = default;
};
struct Timestamp {
  int64_t micros = 0;  // since 1970-01-01 00:00 (of UTC for timestamptz)
  bool with_zone = false;
  auto operator<=>(const Timestamp&) const = default;
};
struct Interval {
  int32_t months = 0;
  int32_t days = 0;
  int64_t micros = 0;
  auto operator<=>(const Interval&) const = default;
  // Not trivial on purpose. libstdc++ 12 takes a variant of texts and trivial types for one that is
  // never without a value, and when the copy of a text throws it destroys what was never made.
  constexpr ~Interval() {}  // NOLINT(modernize-use-equals-default)
};
// unscaled / 10^scale; integers wider than 64 bits have scale 0.
struct Numeric {
  Int128 unscaled = 0;
  int scale = 0;
  auto operator<=>(const Numeric&) const = default;
};

// One value of a row, NULL first. Values of one column hold one alternative (or NULL), so the
// variant's own order sorts a column; text sorts by bytes.
using Value = std::variant<std::monostate, bool, int64_t, Numeric, double, std::string, Date, Time,
                           Timestamp, Interval>;

inline bool IsNull(const Value& value) { return value.index() == 0; }

// As PostgreSQL prints it: t and f, 2024-02-29, 1e+20, 12.50. NULL is the empty text; the caller
// tells the two apart.
std::string ToText(const Value& value);
// A number of a column of type real: the shortest text that reads back as the same real.
std::string RealText(double value);

}  // namespace tacit::engine
