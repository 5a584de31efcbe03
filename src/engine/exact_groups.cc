#include "engine/exact_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tacit::engine {

using noise::Form;

ExactGroups::ExactGroups(size_t keys, const std::vector<Form>& forms) : keys_(keys) {
  for (const Form form : forms) measures_.push_back({.form = form});
}

void ExactGroups::Resize(size_t size) {
  for (KeyColumn& key : keys_) {
    if (key.is_whole) {
      key.wholes.resize(size);
    } else {
      key.values.resize(size);
    }
  }
  units_.resize(size);
  for (Numbers& measure : measures_) {
    if (measure.form == Form::kNumber) measure.wholes.resize(size);
    if (measure.form == Form::kCounts) measure.lists.resize(size);
    if (measure.form == Form::kFullCells) measure.cells.resize(size);
  }
}

void ExactGroups::Add(const ExactGroup& group) {
  const size_t last = size();
  Resize(last + 1);
  for (size_t k = 0; k < keys_.size(); ++k) SetKey(last, k, group.keys.at(k));
  units_[last] = group.units;
  for (size_t m = 0; m < measures_.size(); ++m) SetMeasure(last, m, group.measures.at(m));
}

Value ExactGroups::Key(size_t group, size_t key) const {
  const KeyColumn& column = keys_[key];
  return column.is_whole ? Value(column.wholes[group]) : column.values[group];
}

void ExactGroups::SetKey(size_t group, size_t key, Value value) {
  KeyColumn& column = keys_[key];
  if (column.is_whole) {
    if (const auto* whole = std::get_if<int64_t>(&value)) {
      column.wholes[group] = *whole;
      return;
    }
    column.values.assign(column.wholes.begin(), column.wholes.end());
    column.wholes = {};
    column.is_whole = false;
  }
  column.values[group] = std::move(value);
}

Value ExactGroups::TakeKey(size_t group, size_t key) {
  KeyColumn& column = keys_[key];
  return column.is_whole ? Value(column.wholes[group]) : std::move(column.values[group]);
}

void ExactGroups::SetMeasure(size_t group, size_t measure, ExactNumber number) {
  Numbers& column = measures_[measure];
  switch (column.form) {
    case Form::kNumber:
      column.wholes[group] = std::get<Int128>(number);
      break;
    case Form::kCounts:
      column.lists[group] = std::get<std::vector<uint64_t>>(std::move(number));
      break;
    case Form::kFullCells:
      column.cells[group] = std::get<noise::FullCells>(std::move(number));
      break;
  }
}

ExactNumber ExactGroups::Measure(size_t group, size_t measure) const {
  const Numbers& column = measures_[measure];
  if (column.form == Form::kCounts) return column.lists[group];
  if (column.form == Form::kFullCells) return column.cells[group];
  return column.wholes[group];
}

ExactGroup ExactGroups::At(size_t group) const {
  ExactGroup copy{.keys = {}, .units = units_[group], .measures = {}};
  for (size_t k = 0; k < keys_.size(); ++k) copy.keys.push_back(Key(group, k));
  for (size_t m = 0; m < measures_.size(); ++m) copy.measures.push_back(Measure(group, m));
  return copy;
}

bool ExactGroups::IsBefore(size_t one, size_t other) const {
  for (const KeyColumn& key : keys_) {
    if (key.is_whole) {
      if (key.wholes[one] != key.wholes[other]) return key.wholes[one] < key.wholes[other];
      continue;
    }
    if (key.values[one] < key.values[other]) return true;
    if (key.values[other] < key.values[one]) return false;
  }
  return false;
}

bool ExactGroups::HaveSameKeys(size_t one, size_t other) const {
  return std::all_of(keys_.begin(), keys_.end(), [&](const KeyColumn& key) {
    return key.is_whole ? key.wholes[one] == key.wholes[other]
                        : key.values[one] == key.values[other];
  });
}

void ExactGroups::Swap(size_t one, size_t other) {
  for (KeyColumn& key : keys_) {
    if (key.is_whole) {
      std::swap(key.wholes[one], key.wholes[other]);
    } else {
      std::swap(key.values[one], key.values[other]);
    }
  }
  std::swap(units_[one], units_[other]);
  for (Numbers& measure : measures_) {
    if (measure.form == Form::kNumber) std::swap(measure.wholes[one], measure.wholes[other]);
    if (measure.form == Form::kCounts) measure.lists[one].swap(measure.lists[other]);
    if (measure.form == Form::kFullCells) std::swap(measure.cells[one], measure.cells[other]);
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
