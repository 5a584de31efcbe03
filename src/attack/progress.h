#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string_view>

namespace tacit::attack {

// Called as an attack goes on: what is being done, and the share done in [0, 1]. May be empty.
using Progress = std::function<void(std::string_view doing, double share)>;

inline void Tell(const Progress& progress, std::string_view doing, double share) {
  if (progress) progress(doing, share);
}

// The progress of one of several parts that follow each other: its 0 and 1 are these shares of the
// whole.
inline Progress Between(const Progress& whole, double from, double to) {
  if (!whole) return {};
  return [=](std::string_view doing, double share) {
    whole(doing, from + std::clamp(share, 0.0, 1.0) * (to - from));
  };
}

// One of `count` parts, each as much work as the others.
inline Progress PartOf(const Progress& whole, size_t part, size_t count) {
  const auto all = static_cast<double>(count);
  return Between(whole, static_cast<double>(part) / all, static_cast<double>(part + 1) / all);
}

}  // namespace tacit::attack
