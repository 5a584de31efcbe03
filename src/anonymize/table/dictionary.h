#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::anonymize {

// Distinct texts, numbered in the order of their first appearance.
class Dictionary {
 public:
  uint32_t CodeOf(std::string_view text);
  std::vector<std::string> TakeValues() && { return std::move(values_); }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t code_plus_one = 0;  // 0 is an empty slot
  };
  void Grow();

  std::vector<std::string> values_;
  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half full
  uint32_t last_ = 0;  // the code of the row before: neighbouring rows are often alike
};

}  // namespace tacit::anonymize
