#pragma once

#include <cstdint>
#include <vector>

#include "base/numbers/int128.h"
#include "engine/value.h"
#include "noise/column_mechanism.h"

namespace tacit::engine {

// A measure of one group, as its mechanism reads it.
using noise::ExactNumber;

struct ExactGroup {
  std::vector<Value> keys;
  uint64_t units = 0;  // where the plan asks for it; else zero
  std::vector<ExactNumber> measures;
};

// Groups of one release side by side: without allocations of its own a group takes a third of the
// memory, and there may be a million.
class ExactGroups {
 public:
  // `forms` says of each measure what its mechanism reads.
  ExactGroups(size_t keys, const std::vector<noise::Form>& forms);

  size_t size() const { return units_.size(); }
  void Resize(size_t size);
  void Add(const ExactGroup& group);

  Value Key(size_t group, size_t key) const;
  void SetKey(size_t group, size_t key, Value value);
  Value TakeKey(size_t group, size_t key);  // nobody asks for it again
  uint64_t& Units(size_t group) { return units_[group]; }
  uint64_t Units(size_t group) const { return units_[group]; }
  // A number is of the measure's kind.
  void SetMeasure(size_t group, size_t measure, ExactNumber number);
  ExactNumber Measure(size_t group, size_t measure) const;

  // A copy of one.
  ExactGroup At(size_t group) const;

  // By keys.
  void Sort();
  bool HaveSameKeys(size_t one, size_t other) const;

 private:
  // Whole numbers, as most keys are, take eight bytes each; the first other value, NULL included,
  // makes values of them all.
  struct KeyColumn {
    std::vector<int64_t> wholes = {};
    std::vector<Value> values = {};
    bool is_whole = true;
  };
  struct Numbers {
    noise::Form form = noise::Form::kNumber;
    std::vector<Int128> wholes = {};
    std::vector<std::vector<uint64_t>> lists = {};
    std::vector<noise::FullCells> cells = {};
  };

  bool IsBefore(size_t one, size_t other) const;
  void Swap(size_t one, size_t other);

  std::vector<KeyColumn> keys_;
  std::vector<uint64_t> units_;
  std::vector<Numbers> measures_;
};

}  // namespace tacit::engine
