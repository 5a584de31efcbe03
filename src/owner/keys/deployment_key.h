#pragma once

#include <string_view>

#include "base/result.h"
#include "base/secrets/secret_bytes.h"
#include "policy/policy.h"

namespace tacit::owner {

// The deployment's secret key as hexadecimal text: statements bind texts. kUnavailable when it is
// missing, open to others, under a second name, or not a key.
Result<SecretBytes> ReadDeploymentKey(const policy::Policy& policy);

inline constexpr size_t kKeyBytes = 32;
// The key's bytes as that text.
SecretBytes KeyText(std::string_view bytes);

}  // namespace tacit::owner
