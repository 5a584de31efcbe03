#pragma once

#include <string>

#include "base/result.h"

namespace tacit::wire {

// Writes a fresh ECDSA P-256 key (mode 0600) and a certificate for localhost and this machine's
// name that it signs itself, for ten years. Refuses when the key file is there.
Result<Done> MakeSelfSigned(const std::string& certificate_path, const std::string& key_path);

}  // namespace tacit::wire
