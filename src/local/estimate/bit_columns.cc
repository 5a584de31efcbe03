#include "local/estimate/bit_columns.h"

#include <algorithm>

#include "base/assert.h"

namespace tacit::local {
namespace {

struct SumAndCarry {
  uint64_t sum, carry;
};

SumAndCarry AddThree(uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t half = a ^ b;
  return {half ^ c, (a & b) | (half & c)};
}

constexpr uint64_t kEachByte = 0x0101010101010101;
constexpr uint32_t kByteMax = 255;

}  // namespace

BitColumns::BitColumns(uint32_t words)
    : words_(words),
      batch_(size_t{words} * kBatch),
      ones_(words),
      twos_(words),
      fours_(words),
      eights_(words),
      counts_(size_t{words} * 64) {}

void BitColumns::Add(std::span<const uint64_t> row) {
  TACIT_ASSERT(row.size() == words_);
  std::copy(row.begin(), row.end(), batch_.begin() + std::ptrdiff_t{waiting_} * words_);
  if (++waiting_ == kBatch) AddBatch();
}

void BitColumns::AddBatch() {
  for (uint32_t word = 0; word < words_; ++word) {
    const auto row = [&](uint32_t i) { return batch_[size_t{i} * words_ + word]; };
    const auto [one_a, two_a] = AddThree(ones_[word], row(0), row(1));
    const auto [one_b, two_b] = AddThree(one_a, row(2), row(3));
    const auto [one_c, two_c] = AddThree(one_b, row(4), row(5));
    const auto [one_d, two_d] = AddThree(one_c, row(6), row(7));
    const auto [two_e, four_a] = AddThree(twos_[word], two_a, two_b);
    const auto [two_f, four_b] = AddThree(two_e, two_c, two_d);
    const auto [four_c, eight] = AddThree(fours_[word], four_a, four_b);
    ones_[word] = one_d;
    twos_[word] = two_f;
    fours_[word] = four_c;
    for (uint32_t b = 0; b < 8; ++b) eights_[word][b] += eight >> b & kEachByte;
  }
  waiting_ = 0;
  if (++eights_added_ == kByteMax) EmptyEights();
}

void BitColumns::EmptyEights() {
  for (uint32_t word = 0; word < words_; ++word) {
    for (uint32_t bit = 0; bit < 64; ++bit) {
      counts_[size_t{word} * 64 + 63 - bit] += 8 * (eights_[word][bit % 8] >> (bit / 8 * 8) & 0xff);
    }
    eights_[word].fill(0);
  }
  eights_added_ = 0;
}

void BitColumns::Spread(uint32_t word, uint64_t bits, uint64_t weight) {
  for (uint32_t bit = 0; bit < 64; ++bit) {
    counts_[size_t{word} * 64 + 63 - bit] += weight * (bits >> bit & 1);
  }
}

std::vector<uint64_t> BitColumns::Counts() const {
  BitColumns rest = *this;
  rest.EmptyEights();
  for (uint32_t word = 0; word < words_; ++word) {
    for (uint32_t i = 0; i < waiting_; ++i) {
      rest.Spread(word, batch_[size_t{i} * words_ + word], 1);
    }
    rest.Spread(word, ones_[word], 1);
    rest.Spread(word, twos_[word], 2);
    rest.Spread(word, fours_[word], 4);
  }
  return rest.counts_;
}

void BitColumns::Merge(const BitColumns& other) {
  TACIT_ASSERT(words_ == other.words_);
  const std::vector<uint64_t> theirs = other.Counts();
  for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += theirs[i];
}

}  // namespace tacit::local
