#include "anonymize/partition/group_rows.h"

#include <bit>

namespace tacit::anonymize {
namespace {

// With few combinations a table of all of them; else a hash table that is at most half full.
// Why 2^22: 16 MiB still come faster from memory than a probe costs.
constexpr uint64_t kTableMax = uint64_t{1} << 22;

Groups RefineByTable(const Groups& groups, std::span<const uint32_t> codes, size_t values) {
  std::vector<uint32_t> number(groups.count * values, UINT32_MAX);
  Groups finer{std::vector<uint32_t>(codes.size()), 0};
  for (size_t row = 0; row < codes.size(); ++row) {
    uint32_t& slot = number[groups.of[row] * values + codes[row]];
    if (slot == UINT32_MAX) slot = finer.count++;
    finer.of[row] = slot;
  }
  return finer;
}

Groups RefineByHash(const Groups& groups, std::span<const uint32_t> codes) {
  struct Slot {
    uint64_t key;
    uint32_t number = UINT32_MAX;
  };
  const size_t size = std::bit_ceil(codes.size() * 2 + 2);
  const int shift = 64 - std::countr_zero(size);
  std::vector<Slot> slots(size);
  Groups finer{std::vector<uint32_t>(codes.size()), 0};
  for (size_t row = 0; row < codes.size(); ++row) {
    const uint64_t key = uint64_t{groups.of[row]} << 32 | codes[row];
    size_t at = (key * 0x9e3779b97f4a7c15u) >> shift;
    while (slots[at].number != UINT32_MAX && slots[at].key != key) at = (at + 1) & (size - 1);
    if (slots[at].number == UINT32_MAX) slots[at] = {key, finer.count++};
    finer.of[row] = slots[at].number;
  }
  return finer;
}

}  // namespace

Groups Refine(const Groups& groups, std::span<const uint32_t> codes, size_t values) {
  const uint64_t combinations = uint64_t{groups.count} * values;
  return combinations <= kTableMax && combinations <= 16 * codes.size() + 64
             ? RefineByTable(groups, codes, values)
             : RefineByHash(groups, codes);
}

std::vector<uint32_t> SizesOf(const Groups& groups) {
  std::vector<uint32_t> sizes(groups.count);
  for (const uint32_t group : groups.of) ++sizes[group];
  return sizes;
}

}  // namespace tacit::anonymize
