#pragma once

#include <optional>
#include <string>

// Files that only save work: what cannot be read is made again, what cannot be written is not kept.

namespace tacit::gateway {

std::optional<std::string> ReadSmallFile(const std::string& path);

// Whole or not at all, for the owner alone.
void WriteSmallFile(const std::string& path, const std::string& bytes);

}  // namespace tacit::gateway
