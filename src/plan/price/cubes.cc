#include "plan/price/cubes.h"

#include <algorithm>

#include "base/mutant.h"
#include "noise/cube/cube_column.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "plan/price/sensitivity.h"

namespace tacit::plan {
namespace {

using analysis::MeasureKind;

// Measures that count the same rows of a unit, and by how much a row moves each of them.
struct Together {
  MaybeCap cap;
  std::vector<size_t> measures;
  std::vector<Integer> widths;
};

bool ShowsGroups(size_t measure, const SelectionChoice& choice) {
  const bool by_measure =
      choice.kind == SelectionKind::kByMeasure || choice.kind == SelectionKind::kByUnits;
  return by_measure && choice.measure == measure;
}

// By how much one row moves the measure, in one group; nothing where it is not moved row by row.
std::optional<Integer> WidthOf(const analysis::ExactMeasure& measure, const analysis::Block& block,
                               const policy::Privacy& privacy) {
  if (analysis::ReadsCells(measure) || measure.own_sum) return std::nullopt;
  const Integer rows = RowsPerUnitOf(block, measure.cap).all * UnitsMoved(privacy);
  const Integer l1 = SensitivityOf(measure, block, privacy).l1;
  // A person of several rows counts once in a group: apart, such a count has less noise.
  if (measure.kind == MeasureKind::kUnits && l1 != rows) return std::nullopt;
  TACIT_ASSERT(l1 % rows == 0);
  return Integer(l1 / rows);
}

std::vector<Together> Gather(const analysis::Block& block, const SelectionChoice& choice,
                             const policy::Privacy& privacy) {
  std::vector<Together> all;
  for (size_t i = 0; i < block.measures.size(); ++i) {
    const analysis::ExactMeasure& measure = block.measures[i];
    const std::optional<Integer> width = WidthOf(measure, block, privacy);
    if (!width || ShowsGroups(i, choice)) continue;
    auto found = std::find_if(all.begin(), all.end(), [&](const Together& together) {
      return (together.cap == measure.cap || TACIT_MUTANT("cube_over_other_caps")) &&
             together.measures.size() < noise::kCubeColumnsMax;
    });
    if (found == all.end()) found = all.insert(all.end(), {measure.cap, {}, {}});
    found->measures.push_back(i);
    found->widths.push_back(*width);
  }
  return all;
}

// Where noise is small, a number drawn by itself is better: a cube's are flat over a row's width.
bool IsBetter(const noise::CubeNoise& cube, const Integer& width, const Integer& rows,
              const Share& share) {
  const Result<noise::DiscreteLaplace> apart =
      noise::DiscreteLaplace::Make({.sensitivity_l1 = width * rows, .epsilon = share.epsilon});
  return !apart.ok() || noise::CubeEstimate(cube).ErrorAt95(width) <= apart->ErrorAt95();
}

}  // namespace

std::map<size_t, noise::AnyMechanism> CubesOf(const analysis::Block& block,
                                              const SelectionChoice& choice,
                                              const policy::Privacy& privacy, const Share& share) {
  std::map<size_t, noise::AnyMechanism> mechanisms;
  if (privacy.accounting != policy::Accounting::kPure) return mechanisms;
  for (const Together& together : Gather(block, choice, privacy)) {
    const auto size = static_cast<unsigned long>(together.measures.size());
    if (size < 2) continue;
    const Integer rows = RowsPerUnitOf(block, together.cap).all * UnitsMoved(privacy);
    Result<noise::CubeNoise> made =
        noise::CubeNoise::Make({.widths = together.widths,
                                .rows = rows,
                                .epsilon = Epsilon(Rational(share.epsilon.value * size))});
    // What cannot be drawn together says by itself what is wrong, if anything is.
    if (!made.ok()) continue;
    const Integer widest = *std::max_element(together.widths.begin(), together.widths.end());
    if (!IsBetter(*made, widest, rows, share)) continue;
    const auto noise = std::make_shared<const noise::CubeNoise>(std::move(made).value());
    for (size_t i = 0; i < together.measures.size(); ++i) {
      mechanisms.emplace(together.measures[i], noise::CubeColumn(noise, i));
    }
  }
  return mechanisms;
}

}  // namespace tacit::plan
