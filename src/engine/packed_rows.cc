#include "engine/packed_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/assert.h"

namespace tacit::engine {
namespace {

// Why 64 KiB: of a million rows few blocks, and what is not filled or not let go of yet is little.
constexpr size_t kBlockBytes = size_t{64} << 10;

// A row is the number of its cells, then for each which alternative it holds and its value.

// Seven bits a byte, the lowest first; the highest bit says that another byte follows.
template <class Number>
void PutNumber(Number number, std::string& to) {
  for (; number > 0x7f; number >>= 7) {
    to += static_cast<char>(0x80 | static_cast<uint8_t>(number & 0x7f));
  }
  to += static_cast<char>(number);
}

template <class Number>
Number TakeNumber(const char*& at) {
  Number number = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<uint8_t>(*at++);
    number |= static_cast<Number>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
}

// Small numbers of either sign as small ones: 0, -1, 1, -2, ...
void PutSigned(Int128 number, std::string& to) {
  PutNumber<UInt128>((static_cast<UInt128>(number) << 1) ^ static_cast<UInt128>(number >> 127), to);
}
Int128 TakeSigned(const char*& at) {
  const auto folded = TakeNumber<UInt128>(at);
  return static_cast<Int128>((folded >> 1) ^ (UInt128{0} - (folded & 1)));
}

template <class Held>
void Put(const Held& held, std::string& to) {
  if constexpr (std::is_same_v<Held, std::string>) {
    PutNumber<uint64_t>(held.size(), to);
    to += held;
  } else if constexpr (std::is_same_v<Held, int64_t>) {
    PutSigned(held, to);
  } else if constexpr (std::is_same_v<Held, Numeric>) {
    PutSigned(held.unscaled, to);
    PutSigned(held.scale, to);
  } else if constexpr (std::is_same_v<Held, Interval>) {
    PutSigned(held.months, to);
    PutSigned(held.days, to);
    PutSigned(held.micros, to);
  } else if constexpr (!std::is_empty_v<Held>) {
    static_assert(std::is_trivially_copyable_v<Held>);
    to.append(reinterpret_cast<const char*>(&held), sizeof held);
  }
}

template <class Held>
Held Take(const char*& at) {
  if constexpr (std::is_same_v<Held, std::string>) {
    const auto size = static_cast<size_t>(TakeNumber<uint64_t>(at));
    return {std::exchange(at, at + size), size};
  } else if constexpr (std::is_same_v<Held, int64_t>) {
    return static_cast<int64_t>(TakeSigned(at));
  } else if constexpr (std::is_same_v<Held, Numeric>) {
    const Int128 unscaled = TakeSigned(at);
    return {.unscaled = unscaled, .scale = static_cast<int>(TakeSigned(at))};
  } else if constexpr (std::is_same_v<Held, Interval>) {
    const auto months = static_cast<int32_t>(TakeSigned(at));
    const auto days = static_cast<int32_t>(TakeSigned(at));
    return {months, days, static_cast<int64_t>(TakeSigned(at))};
  } else {
    Held held{};
    if constexpr (!std::is_empty_v<Held>) {
      std::memcpy(&held, std::exchange(at, at + sizeof held), sizeof held);
    }
    return held;
  }
}

void PutCell(const Value& value, std::string& to) {
  to += static_cast<char>(value.index());
  std::visit([&to](const auto& held) { Put(held, to); }, value);
}

template <size_t kIndex>
void TakeAs(const char*& at, Value& value) {
  value.emplace<kIndex>(Take<std::variant_alternative_t<kIndex, Value>>(at));
}

template <size_t... kIndices>
constexpr auto TakersOf(std::index_sequence<kIndices...>) {
  return std::array{&TakeAs<kIndices>...};
}

void TakeCell(const char*& at, Value& value) {
  static constexpr auto kTakers = TakersOf(std::make_index_sequence<std::variant_size_v<Value>>());
  kTakers[static_cast<uint8_t>(*at++)](at, value);
}

}  // namespace

PackedRows::PackedRows(std::initializer_list<Row> rows) {
  for (const Row& row : rows) push_back(row);
}

PackedRows::PackedRows(const std::vector<Row>& rows) {
  for (const Row& row : rows) push_back(row);
}

void PackedRows::push_back(const Row& row) {
  std::string packed;  // whole, or when memory is refused not at all
  PutNumber<uint64_t>(row.size(), packed);
  for (const Value& cell : row) PutCell(cell, packed);
  if (!blocks_.empty() && blocks_.back().bytes.size() + packed.size() <= kBlockBytes) {
    blocks_.back().bytes += packed;
    ++blocks_.back().rows;
    return;
  }
  Block block{.first_row = size(), .rows = 1};
  if (!blocks_.empty()) block.bytes.reserve(std::max(kBlockBytes, packed.size()));
  block.bytes += packed;
  blocks_.push_back(std::move(block));
}

size_t PackedRows::size() const {
  return blocks_.empty() ? 0 : blocks_.back().first_row + blocks_.back().rows;
}

size_t PackedRows::bytes() const {
  size_t bytes = 0;
  for (const Block& block : blocks_) bytes += sizeof block + block.bytes.capacity();
  return bytes;
}

bool PackedRows::Next(Place& place, Row& row) const {
  if (place.row == size()) return false;
  if (place.row == blocks_[place.block].first_row + blocks_[place.block].rows) {
    ++place.block;
    place.byte = 0;
  }
  const std::string& bytes = blocks_[place.block].bytes;
  TACIT_ASSERT(place.byte < bytes.size());
  const char* at = bytes.data() + place.byte;
  row.resize(static_cast<size_t>(TakeNumber<uint64_t>(at)));
  for (Value& cell : row) TakeCell(at, cell);
  place.byte = static_cast<size_t>(at - bytes.data());
  TACIT_ASSERT(place.byte <= bytes.size());
  ++place.row;
  return true;
}

void PackedRows::LetGoBefore(const Place& place) {
  for (size_t i = place.block; i > 0 && !blocks_[i - 1].bytes.empty(); --i) {
    std::string().swap(blocks_[i - 1].bytes);
  }
}

PackedRows::Copy PackedRows::operator[](size_t row) const {
  TACIT_ASSERT(row < size());
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), row,
                       [](size_t number, const Block& block) { return number < block.first_row; });
  Place place{.row = std::prev(after)->first_row,
              .block = static_cast<size_t>(std::prev(after) - blocks_.begin())};
  Copy found;
  while (place.row <= row) (void)Next(place, found);
  return found;
}

PackedRows::Iterator& PackedRows::Iterator::operator++() {
  ++at_;
  (void)rows_->Next(next_, row_);
  return *this;
}

PackedRows::Iterator PackedRows::Iterator::operator++(int) {
  Iterator before = *this;
  ++*this;
  return before;
}

PackedRows::Iterator PackedRows::begin() const {
  Iterator first;
  first.rows_ = this;
  (void)Next(first.next_, first.row_);
  return first;
}

PackedRows::Iterator PackedRows::end() const {
  Iterator behind;
  behind.at_ = size();
  return behind;
}

bool operator==(const PackedRows& a, const PackedRows& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace tacit::engine
