#pragma once

#include <cstddef>

#include "plan/private_plan.h"

namespace tacit::gateway {

// About how much memory a plan holds: for the limits of what is kept.
size_t BytesOf(const plan::PrivatePlan& plan);

}  // namespace tacit::gateway
