#include "engine/exact_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tacit::engine {

ExactGroups::ExactGroups(size_t keys, const std::vector<bool>& lists) : width_(keys) {
  for (const bool is_list : lists) {
    measures_.push_back({.is_list = is_list, .wholes = {}, .lists = {}});
  }
}

void ExactGroups::Resize(size_t size) {
  keys_.resize(size * width_);
  units_.resize(size);
  for (Numbers& measure : measures_) {
    if (measure.is_list) {
      measure.lists.resize(size);
    } else {
      measure.wholes.resize(size);
    }
  }
}

void ExactGroups::Add(const ExactGroup& group) {
  const size_t last = size();
  Resize(last + 1);
  for (size_t k = 0; k < width_; ++k) Key(last, k) = group.keys.at(k);
  units_[last] = group.units;
  for (size_t m = 0; m < measures_.size(); ++m) SetMeasure(last, m, group.measures.at(m));
}

void ExactGroups::SetMeasure(size_t group, size_t measure, ExactNumber number) {
  Numbers& column = measures_[measure];
  if (column.is_list) {
    column.lists[group] = std::get<std::vector<uint64_t>>(std::move(number));
  } else {
    column.wholes[group] = std::get<Int128>(number);
  }
}

ExactNumber ExactGroups::Measure(size_t group, size_t measure) const {
  const Numbers& column = measures_[measure];
  if (column.is_list) return column.lists[group];
  return column.wholes[group];
}

ExactGroup ExactGroups::At(size_t group) const {
  ExactGroup copy{.keys = {}, .units = units_[group], .measures = {}};
  for (size_t k = 0; k < width_; ++k) copy.keys.push_back(Key(group, k));
  for (size_t m = 0; m < measures_.size(); ++m) copy.measures.push_back(Measure(group, m));
  return copy;
}

bool ExactGroups::IsBefore(size_t one, size_t other) const {
  for (size_t k = 0; k < width_; ++k) {
    if (Key(one, k) < Key(other, k)) return true;
    if (Key(other, k) < Key(one, k)) return false;
  }
  return false;
}

bool ExactGroups::HaveSameKeys(size_t one, size_t other) const {
  for (size_t k = 0; k < width_; ++k) {
    if (!(Key(one, k) == Key(other, k))) return false;
  }
  return true;
}

void ExactGroups::Swap(size_t one, size_t other) {
  for (size_t k = 0; k < width_; ++k) std::swap(Key(one, k), Key(other, k));
  std::swap(units_[one], units_[other]);
  for (Numbers& measure : measures_) {
    if (measure.is_list) {
      measure.lists[one].swap(measure.lists[other]);
    } else {
      std::swap(measure.wholes[one], measure.wholes[other]);
    }
  }
}

// The order is found first, and then every group goes to its place: nothing is held twice.
void ExactGroups::Sort() {
  std::vector<size_t> from(size());  // which group belongs at a place
  std::iota(from.begin(), from.end(), size_t{0});
  std::sort(from.begin(), from.end(), [this](size_t a, size_t b) { return IsBefore(a, b); });
  for (size_t place = 0; place < from.size(); ++place) {
    // One cycle of the permutation after the other; a place that is done points to itself.
    size_t to = place;
    while (from[to] != place) {
      Swap(to, from[to]);
      to = std::exchange(from[to], to);
    }
    from[to] = to;
  }
}

}  // namespace tacit::engine
