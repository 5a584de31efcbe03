#pragma once

#include <string>

#include "base/result.h"

namespace tacit::policy::read {

// A secret by reference: "file:PATH" (relative to `folder`, readable by nobody else), "env:NAME",
// or "credential:NAME" (a file that systemd puts into $CREDENTIALS_DIRECTORY). Anything else is
// itself. Its first line, without the line feed. Errors name the reference, never what it holds.
Result<std::string> ReadSecret(const std::string& text, const std::string& folder);

}  // namespace tacit::policy::read
