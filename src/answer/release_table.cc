#include "answer/release_table.h"

#include "noise/release.h"

namespace tacit::answer {
namespace {

using engine::ExactGroup;
using engine::ExactNumber;
using engine::Value;

Value ValueOf(Int128 whole) { return engine::Numeric{.unscaled = whole, .scale = 0}; }

// The mechanism of one measure, for whichever form its exact value has.
class MeasureNoise {
 public:
  explicit MeasureNoise(const plan::ColumnMechanism& mechanism) : mechanism_(mechanism) {}

  Int128 Apply(const ExactNumber& exact, Entropy& entropy) const {
    if (const auto* quantile = std::get_if<noise::QuantileSelection>(&mechanism_)) {
      return static_cast<Int128>(quantile->Apply(std::get<std::vector<uint64_t>>(exact), entropy));
    }
    if (const auto* mode = std::get_if<noise::ModeSelection>(&mechanism_)) {
      return static_cast<Int128>(mode->Apply(std::get<std::vector<uint64_t>>(exact), entropy));
    }
    const Int128 whole = std::get<Int128>(exact);
    if (const auto* laplace = std::get_if<noise::DiscreteLaplace>(&mechanism_)) {
      return laplace->Apply(whole, entropy);
    }
    return std::get<noise::DiscreteGaussian>(mechanism_).Apply(whole, entropy);
  }

 private:
  const plan::ColumnMechanism& mechanism_;
};

// The composed mechanism of a release with private keys: the noise of every measure and the choice
// of groups, over the whole list at once, because the list itself is private.
class GroupsNoise {
 public:
  explicit GroupsNoise(const plan::Release& release) : release_(release) {}

  ReleasedRows Apply(const std::vector<ExactGroup>& groups, Entropy& entropy) const {
    ReleasedRows rows;
    for (const ExactGroup& group : groups) {
      // Noise is drawn for shown and withheld groups alike, so that the choice of one group does
      // not shift the noise of the next.
      std::vector<Int128> noisy;
      for (size_t i = 0; i < release_.measures.size(); ++i) {
        noisy.push_back(
            MeasureNoise(release_.measures[i].mechanism).Apply(group.measures[i], entropy));
      }
      if (!IsShown(group, noisy, entropy)) continue;
      std::vector<Value> row = group.keys;
      for (const Int128 number : noisy) row.push_back(ValueOf(number));
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  bool IsShown(const ExactGroup& group, const std::vector<Int128>& noisy, Entropy& entropy) const {
    if (const auto* threshold = std::get_if<plan::NoisyThreshold>(&release_.selection)) {
      return threshold->mechanism.Shows(noisy[threshold->measure]);
    }
    return std::get<plan::UnitsChoice>(release_.selection).mechanism.Apply(group.units, entropy);
  }

  const plan::Release& release_;
};

ReleasedRows ReleasePublic(const plan::Release& release, const engine::ExactTable& table,
                           Entropy& entropy) {
  ReleasedRows rows;
  for (const engine::ExactRow& exact : table.rows) {
    std::vector<Value> row = exact.keys;
    for (size_t i = 0; i < release.measures.size(); ++i) {
      const MeasureNoise noise(release.measures[i].mechanism);
      row.push_back(ValueOf(noise::Release(noise, exact.measures[i], entropy).value()));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

ReleasedRows ReleaseTable(const plan::Release& release, const engine::ExactRelease& exact,
                          Entropy& entropy) {
  const bool all_groups = std::holds_alternative<plan::AllGroups>(release.selection);
  if (const auto* table = std::get_if<engine::ExactTable>(&exact)) {
    TACIT_ASSERT(all_groups);
    return ReleasePublic(release, *table, entropy);
  }
  TACIT_ASSERT(!all_groups);
  return noise::Release(GroupsNoise(release), std::get<engine::PrivateTable>(exact).groups, entropy)
      .value();
}

}  // namespace tacit::answer
