#include "answer/shown/nonnegative.h"

#include <algorithm>

namespace tacit::answer {
namespace {

// NULL and what is no number stay as they are.
void RaiseToZero(engine::Value& value) {
  if (auto* whole = std::get_if<int64_t>(&value)) {
    *whole = std::max<int64_t>(*whole, 0);
  } else if (auto* numeric = std::get_if<engine::Numeric>(&value)) {
    numeric->unscaled = std::max<Int128>(numeric->unscaled, 0);
  } else if (auto* number = std::get_if<double>(&value)) {
    if (*number < 0) *number = 0;
  }
}

}  // namespace

engine::PackedRows NoneBelowZero(const std::vector<plan::OutputColumn>& columns,
                                 engine::PackedRows rows) {
  std::vector<size_t> raised;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].none_below_zero) raised.push_back(i);
  }
  if (raised.empty()) return rows;
  engine::PackedRows shown;
  engine::PackedRows::Place place;
  std::vector<engine::Value> row;
  while (rows.Next(place, row)) {
    for (const size_t i : raised) RaiseToZero(row.at(i));
    shown.push_back(row);
    rows.LetGoBefore(place);
  }
  return shown;
}

}  // namespace tacit::answer
