#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tacit::anonymize {

// What a class says of one quasi-identifier: its smallest and largest code, or nothing.
struct Bounds {
  uint32_t low = 0, high = 0;

  static constexpr Bounds Suppressed() { return {1, 0}; }
  bool suppressed() const { return low > high; }
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

// Rows grouped into classes that look alike.
struct Classes {
  std::vector<uint32_t> rows;          // grouped
  std::vector<uint32_t> begins = {0};  // class c is rows[begins[c]] to rows[begins[c + 1] - 1]
  size_t columns = 0;                  // quasi-identifiers
  std::vector<Bounds> bounds;          // class by class, `columns` each

  size_t size() const { return begins.size() - 1; }
  std::span<const uint32_t> RowsOf(size_t c) const {
    return std::span(rows).subspan(begins[c], begins[c + 1] - begins[c]);
  }
  std::span<const Bounds> BoundsOf(size_t c) const {
    return std::span(bounds).subspan(c * columns, columns);
  }
};

}  // namespace tacit::anonymize
