#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace tacit::selection {

// What was drawn, as the ledger keeps it: one of `count` questions, or none of them.
std::string IndexToBytes(std::optional<size_t> index);
Result<std::optional<size_t>> IndexFromBytes(const std::string& bytes, size_t count);
Error CannotReadDrawn();

}  // namespace tacit::selection
