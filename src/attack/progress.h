#pragma once

#include <functional>
#include <string_view>

namespace tacit::attack {

// Called as an attack goes on: what is being done, and the share done in [0, 1]. May be empty.
using Progress = std::function<void(std::string_view doing, double share)>;

inline void Tell(const Progress& progress, std::string_view doing, double share) {
  if (progress) progress(doing, share);
}

}  // namespace tacit::attack
