#pragma once

#include <chrono>

#include "gateway/services.h"

// What now() is. A question about the last 30 days asked twice a day is asked once: the moment is
// rounded down to what the policy says, and is a constant of the transaction.
namespace tacit::gateway {

using WallTime = std::chrono::system_clock::time_point;

// Of a transaction that began then; absent: that begins now.
int64_t RoundedNow(const policy::Policy& policy, std::optional<WallTime> began = {});

// A request whose id was charged for before is that question again, at the moment of its first
// try; any other is as it came.
Result<Request> AsFirstAsked(const Request& request, Services& services);

}  // namespace tacit::gateway
