#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::catalog {

// The parts of a possibly qualified, possibly quoted name; nothing when it is not one.
std::optional<std::vector<std::string>> ParseIdentifier(std::string_view text);

}  // namespace tacit::catalog
