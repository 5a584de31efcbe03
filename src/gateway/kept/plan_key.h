#pragma once

#include <optional>
#include <string>

#include "gateway/services.h"

namespace tacit::gateway {

// Everything that a plan follows from beside the policy and the schema: the text, its parameters
// and the wish. Nothing when a parameter is no plain value.
std::optional<std::string> PlanKey(const Request& request);

}  // namespace tacit::gateway
