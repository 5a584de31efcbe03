#pragma once

#include <functional>
#include <string>

#include "policy/policy.h"

namespace tacit::owner {

// Reads the policy's file, has `edit` change its text (policy/edit.h), and exchanges the file at
// once if what came out is a policy that loads. The errors of either; nothing was changed then.
Result<policy::Policy> EditPolicy(
    const std::string& path,
    const std::function<Result<std::string>(const std::string& text, const policy::Policy& policy)>&
        edit);

}  // namespace tacit::owner
