#pragma once

#include <string>

#include "base/result.h"

namespace tacit::app {

// Reads one line from stdin, twice and without echo on a terminal, and makes its SCRAM verifier.
// Fewer than kPasswordCharactersMin characters are refused unless `weak`.
Result<std::string> ReadVerifier(bool weak);

// Why 12: whoever has the policy's file can try passwords offline, at thousands a second for each
// core; twelve random letters stand against that for longer than the policy lives.
inline constexpr size_t kPasswordCharactersMin = 12;

}  // namespace tacit::app
