#include "answer/shown/shortfall.h"

#include <cmath>

#include "answer/shown/margins.h"

namespace tacit::answer {
namespace {

// Below so many times its own error a number says little of its size.
constexpr double kClear = 2;
// Why so many: a price times that is too dear everywhere, and still a number. What is wished may be
// smaller than any double, and an error nearly as large as one can be.
constexpr double kFactorMax = 1e100;

Shortfall OfNumber(double number, double error, const plan::ErrorTarget& target) {
  const double wished = target.error.get_d();
  Shortfall one{.number = number, .is_relative = target.relative};
  double size = 1;
  if (target.relative) {
    size = std::abs(number);
    one.met = error <= wished * size;
    if (size < kClear * error) size += error;
  } else {
    one.met = error <= wished;
  }
  one.error = error > 0 ? error / size : 0;
  const double factor = one.error > 0 ? one.error / wished : 0;
  one.factor = factor <= kFactorMax ? factor : kFactorMax;
  return one;
}

}  // namespace

Shortfall ShortfallOf(const Answer& answer, const std::vector<plan::OutputColumn>& wished) {
  Shortfall worst;
  engine::PackedRows::Place place;
  std::vector<engine::Value> margins;
  for (const std::vector<engine::Value>& row : answer.rows) {
    if (!answer.margins.Next(place, margins)) margins.clear();
    for (size_t i = 0; i < wished.size() && i < row.size(); ++i) {
      if (!wished[i].target) continue;
      const std::optional<double> number = FiniteNumber(row[i]);
      if (!number) continue;  // no number, no error
      const std::optional<double> error = ErrorIn(margins, answer.columns[i]);
      const bool met = worst.met;
      Shortfall one = error ? OfNumber(*number, *error, *wished[i].target)
                            : Shortfall{.met = false, .known = false};
      one.column = answer.columns[i].name;
      if (!one.known) return one;
      if (worst.column.empty() || worst.factor < one.factor) worst = one;
      worst.met = met && one.met;
    }
  }
  return worst;
}

}  // namespace tacit::answer
