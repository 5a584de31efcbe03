#include "accounting/pld/measure.h"

#include <algorithm>
#include <cmath>

#include "accounting/pld/event_losses.h"

namespace tacit::accounting::pld {
namespace {

// A few roundings on the way from a cell to its two ends.
constexpr double kRoundUp = 1 + 16 * kUnit;
constexpr double kRoundDown = 1 - 16 * kUnit;

Measure EmptyOver(const Losses& losses) {
  int64_t first = INT64_MAX;
  int64_t last = INT64_MIN;
  const auto include = [&](int64_t index) {
    first = std::min(first, index);
    last = std::max(last, index);
  };
  for (const Atom& atom : losses.atoms) include(atom.index);
  if (!losses.cells.empty()) {
    include(losses.cells.front().left);
    include(losses.cells.back().right);
  }
  Measure measure;
  measure.first = first;
  measure.mass.assign(static_cast<size_t>(last - first + 1), 0.0);
  return measure;
}

double& At(Measure& measure, int64_t index) {
  return measure.mass[static_cast<size_t>(index - measure.first)];
}

}  // namespace

// Connect the dots: a cell's masses under P and Q go to its ends such that both are kept.
Measure UpperMeasure(const Losses& losses, double step) {
  Measure measure = EmptyOver(losses);
  for (const Atom& atom : losses.atoms) At(measure, atom.index) += atom.p + atom.p_error;
  for (const Cell& cell : losses.cells) {
    const double width = step * static_cast<double>(cell.right - cell.left);
    const double p = cell.p + cell.p_error;
    const double right = std::min(p, (cell.u + cell.u_error) / -std::expm1(-width) * kRoundUp);
    At(measure, cell.right) += right;
    At(measure, cell.left) += (p - right) * kRoundUp;
  }
  measure.mass.front() += losses.below;
  measure.infinity = losses.infinity + losses.above;
  return measure;
}

// What meets at a grid point, from the cell below and the cell above, is merged, which
// post-processing may do; the parts are such that the merged ratio is the grid point's own. What
// finds no partner is rounded down to the grid point below.
Measure LowerMeasure(const Losses& losses, double step) {
  Measure measure = EmptyOver(losses);
  for (const Atom& atom : losses.atoms)
    At(measure, atom.index) += std::max(0.0, atom.p - atom.p_error);
  // What the cell before sent to its right end, and how much of P it lacks there.
  double waiting = 0;
  double lack = 0;
  int64_t waiting_left = 0;
  int64_t waiting_right = INT64_MIN;
  const auto settle = [&](double matched) {
    if (waiting <= 0) return;
    At(measure, waiting_right) += waiting * matched * kRoundDown;
    At(measure, waiting_left) += waiting * (1 - matched) * kRoundDown;
  };
  for (const Cell& cell : losses.cells) {
    const double width = step * static_cast<double>(cell.right - cell.left);
    const double p = std::max(0.0, cell.p - cell.p_error);
    const double u = std::max(0.0, cell.u - cell.u_error) * kRoundDown;
    // d = e^right q - p, from u = p - e^left q.
    const double d =
        std::max(0.0, std::expm1(width) * (cell.p + cell.p_error) * kRoundUp - std::exp(width) * u);
    double to_left = 0.5;
    if (waiting_right == cell.left && lack > 0) {
      to_left = std::min(1.0, u / lack >= 1 ? lack / u : 1.0);
      settle(std::min(1.0, u / lack));
    } else {
      settle(lack > 0 ? 0.0 : 1.0);
    }
    At(measure, cell.left) += to_left * p * kRoundDown;
    waiting = (1 - to_left) * p;
    lack = (1 - to_left) * d;
    waiting_left = cell.left;
    waiting_right = cell.right;
  }
  settle(lack > 0 ? 0.0 : 1.0);
  measure.infinity = losses.infinity * kRoundDown;
  return measure;
}

}  // namespace tacit::accounting::pld
