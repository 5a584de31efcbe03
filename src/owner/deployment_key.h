#pragma once

#include "base/result.h"
#include "base/secret_bytes.h"
#include "policy/policy.h"

namespace tacit::owner {

// The deployment's secret key as hexadecimal text: statements bind texts. kUnavailable when it is
// missing, open to others or not a key.
Result<SecretBytes> ReadDeploymentKey(const policy::Policy& policy);

}  // namespace tacit::owner
