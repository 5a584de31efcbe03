#include "anonymize/table/dictionary.h"

#include <functional>

namespace tacit::anonymize {

uint32_t Dictionary::CodeOf(std::string_view text) {
  if (!values_.empty() && values_[last_] == text) return last_;
  const auto hash = static_cast<uint32_t>(std::hash<std::string_view>{}(text) >> 16);
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].code_plus_one != 0) {
    const uint32_t code = slots_[at].code_plus_one - 1;
    if (slots_[at].hash == hash && values_[code] == text) return last_ = code;
    at = (at + 1) & mask;
  }
  const auto code = static_cast<uint32_t>(values_.size());
  values_.emplace_back(text);
  slots_[at] = {hash, code + 1};
  if (values_.size() * 2 > slots_.size()) Grow();
  return last_ = code;
}

void Dictionary::Grow() {
  std::vector<Slot> wider(slots_.size() * 4);
  const size_t mask = wider.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.code_plus_one == 0) continue;
    size_t at = slot.hash & mask;
    while (wider[at].code_plus_one != 0) at = (at + 1) & mask;
    wider[at] = slot;
  }
  slots_ = std::move(wider);
}

}  // namespace tacit::anonymize
