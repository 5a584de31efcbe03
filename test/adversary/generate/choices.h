#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tacit::adversary {

// Every decision of the generator is a number drawn here and written down. The same list of
// decisions makes the same query again, and a query is made simpler by shortening and lowering the
// list, whatever the grammar: 0 always means the simplest way on.
class Choices {
 public:
  // Draws from a stream of its own for each (seed, query).
  Choices(uint64_t seed, uint64_t query);
  // Follows a list; after its end everything is 0.
  explicit Choices(std::vector<uint32_t> list);

  // One of 0 .. n - 1.
  uint32_t Below(uint32_t n);
  bool OneIn(uint32_t n) { return Below(n) == n - 1; }
  // The index of one of `weights`; the first is the simplest.
  size_t Weighted(std::span<const int> weights);
  size_t Weighted(std::initializer_list<int> weights) {
    return Weighted(std::span<const int>(weights.begin(), weights.size()));
  }
  template <class T>
  const T& Of(const std::vector<T>& list) {
    return list[Below(static_cast<uint32_t>(list.size()))];
  }

  const std::vector<uint32_t>& taken() const { return taken_; }

 private:
  uint64_t state_ = 0;
  bool follows_ = false;
  std::vector<uint32_t> list_;
  std::vector<uint32_t> taken_;
};

}  // namespace tacit::adversary
