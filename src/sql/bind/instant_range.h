#pragma once

#include <functional>
#include <optional>

#include "sql/bind/bind.h"

namespace tacit::sql {

// Where a number or a time lies that is made of dates and times whose ranges, in seconds since
// 1970, are known: fields of one, what lies between two, what is cut off or moved. Nothing where
// the function is none of these.
std::optional<Range> RangeFromInstants(const BoundApply& apply,
                                       const std::function<Range(const Bound&)>& range_of);

}  // namespace tacit::sql
