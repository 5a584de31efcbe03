#pragma once

#include <string>
#include <vector>

namespace tacit::analysis {

// "did you mean ...?", or nothing when no name is near.
std::string NearestNameHint(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace tacit::analysis
