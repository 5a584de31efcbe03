#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "sql/tree.h"

namespace tacit::sql {

// The query at a moment, in microseconds since 1970: now(), current_date, current_timestamp and
// their like are that constant, as the zone's clocks show it (null: UTC). Without a moment they are
// refused.
Result<Query> AtMoment(const Query& query, std::optional<int64_t> moment,
                       const TimeZone* zone = nullptr);

// What the grammar writes without parentheses: current_date, localtimestamp.
bool IsMomentWord(const std::string& name);

}  // namespace tacit::sql
