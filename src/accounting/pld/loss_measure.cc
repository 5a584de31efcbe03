#include "accounting/pld/loss_measure.h"

#include <algorithm>
#include <cmath>

#include "accounting/pld/losses/event_losses.h"

namespace tacit::accounting::pld {
namespace {

// A few roundings on the way from a cell to its two ends.
constexpr double kRoundUp = 1 + 16 * kUnit;
constexpr double kRoundDown = 1 - 16 * kUnit;

LossMeasure EmptyOver(const Losses& losses) {
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
  LossMeasure measure;
  measure.first = first;
  measure.mass.assign(static_cast<size_t>(last - first + 1), 0.0);
  return measure;
}

double& At(LossMeasure& measure, int64_t index) {
  return measure.mass[static_cast<size_t>(index - measure.first)];
}

}  // namespace

// Connect the dots: a cell's masses under P and Q go to its ends such that both are kept.
// proof: accounting/pld/pld.md#claim
LossMeasure UpperMeasure(const Losses& losses, double step) {
  LossMeasure measure = EmptyOver(losses);
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

namespace {

// A cell seen from both ends: what it has too much of P for its left end, and too little for its
// right end, if merged there.
struct Ends {
  double p = 0;
  double excess_left = 0;
  double lack_right = 0;
  double to_left = 0.5;  // the share that goes to the left end
};

std::vector<Ends> EndsOf(const std::vector<Cell>& cells, double step) {
  std::vector<Ends> ends;
  ends.reserve(cells.size());
  for (const Cell& cell : cells) {
    const double width = step * static_cast<double>(cell.right - cell.left);
    const double u = std::max(0.0, cell.u - cell.u_error) * kRoundDown;
    // e^right q - p, from u = p - e^left q.
    const double lack =
        std::expm1(width) * (cell.p + cell.p_error) * kRoundUp - std::exp(width) * u;
    ends.push_back({std::max(0.0, cell.p - cell.p_error), u, std::max(0.0, lack), 0.5});
  }
  return ends;
}

// The shares, from both tails towards the heaviest cell: a light cell always finds a partner in the
// heavier one beside it, so next to nothing is left unmatched.
void ShareOut(const std::vector<Cell>& cells, std::vector<Ends>* ends) {
  const auto heaviest = std::max_element(cells.begin(), cells.end(),
                                         [](const Cell& a, const Cell& b) { return a.p < b.p; });
  const auto middle = static_cast<size_t>(heaviest - cells.begin());
  std::vector<Ends>& e = *ends;
  const auto touch = [&](size_t i) { return cells[i].right == cells[i + 1].left; };
  for (size_t i = cells.size() - 1; i > middle; --i) {
    if (i + 1 == cells.size() || !touch(i)) e[i].to_left = 1;
    if (!touch(i - 1)) continue;
    const double excess = e[i].to_left * e[i].excess_left;
    const double share = e[i - 1].lack_right > 0 ? excess / e[i - 1].lack_right : 1;
    e[i - 1].to_left = 1 - std::min(1.0, share);
  }
  const double from_right = 1 - e[middle].to_left;
  for (size_t i = 1; i <= middle; ++i) {
    if (!touch(i - 1)) continue;
    const double lack = (1 - e[i - 1].to_left) * e[i - 1].lack_right;
    e[i].to_left = e[i].excess_left > 0 ? std::min(1.0, lack / e[i].excess_left) : 1;
  }
  // The heaviest cell serves its right neighbour first; what its left one misses is rounded down.
  if (middle + 1 < cells.size() && touch(middle)) e[middle].to_left = 1 - from_right;
}

}  // namespace

// What meets at a grid point, from the cell below and the cell above, is merged, which
// post-processing may do; the shares are such that the merged ratio is the grid point's own. What
// finds no partner is rounded down to the grid point below.
// proof: accounting/pld/pld.md#claim
LossMeasure LowerMeasure(const Losses& losses, double step) {
  LossMeasure measure = EmptyOver(losses);
  for (const Atom& atom : losses.atoms) {
    At(measure, atom.index) += std::max(0.0, atom.p - atom.p_error);
  }
  measure.infinity = losses.infinity * kRoundDown;
  const std::vector<Cell>& cells = losses.cells;
  if (cells.empty()) return measure;
  std::vector<Ends> ends = EndsOf(cells, step);
  ShareOut(cells, &ends);
  for (size_t i = 0; i < cells.size(); ++i) {
    At(measure, cells[i].left) += ends[i].to_left * ends[i].p * kRoundDown;
    const double rest = (1 - ends[i].to_left) * ends[i].p * kRoundDown;
    const double lack = (1 - ends[i].to_left) * ends[i].lack_right;
    double matched = lack > 0 ? 0 : 1;
    if (lack > 0 && i + 1 < cells.size() && cells[i].right == cells[i + 1].left) {
      matched = std::min(1.0, ends[i + 1].to_left * ends[i + 1].excess_left / lack * kRoundDown);
    }
    At(measure, cells[i].right) += rest * matched;
    At(measure, cells[i].left) += rest * (1 - matched) * kRoundDown;
  }
  return measure;
}

}  // namespace tacit::accounting::pld
