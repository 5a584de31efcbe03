#pragma once

#include <string_view>

#include "policy/policy.h"

namespace tacit::owner {

// Whether there is a fresh copy of every table with a cap. False where the server cannot say.
bool IsPreparedOnServer(const policy::Policy& policy, const policy::PostgresSettings& settings,
                        std::string_view deployment_key);

}  // namespace tacit::owner
