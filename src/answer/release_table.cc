#include "answer/release_table.h"

#include "answer/table_bytes.h"
#include "noise/release.h"

namespace tacit::answer {
namespace {

using engine::Value;

Value ValueOf(Int128 whole) { return engine::Numeric{.unscaled = whole, .scale = 0}; }

// The composed mechanism of a release with private keys: the noise of every measure and the choice
// of groups, over the whole list at once, because the list itself is private.
// proof: answer/release_table.md#claim
class GroupsNoise {
 public:
  GroupsNoise(const plan::Release& release, const std::vector<engine::ResultColumn>& columns)
      : release_(release), columns_(columns) {}

  std::string Apply(engine::ExactGroups groups, Entropy& entropy) const {
    TableWriter table(columns_);
    for (size_t g = 0; g < groups.size(); ++g) {
      // Noise is drawn for shown and withheld groups alike, so that the choice of one group does
      // not shift the noise of the next.
      std::vector<Int128> noisy;
      for (size_t i = 0; i < release_.measures.size(); ++i) {
        noisy.push_back(release_.measures[i].mechanism->Apply(groups.Measure(g, i), entropy));
      }
      if (!IsShown(groups.Units(g), noisy, entropy)) continue;
      std::vector<Value> row;
      for (size_t k = 0; k < release_.keys.size(); ++k) row.push_back(std::move(groups.Key(g, k)));
      for (const Int128 number : noisy) row.push_back(ValueOf(number));
      table.Add(row);
    }
    return table.Take();
  }

 private:
  bool IsShown(uint64_t units, const std::vector<Int128>& noisy, Entropy& entropy) const {
    if (const auto* threshold = std::get_if<plan::NoisyThreshold>(&release_.selection)) {
      return threshold->mechanism.Shows(noisy[threshold->measure]);
    }
    return std::get<plan::UnitsChoice>(release_.selection).mechanism.Apply(units, entropy);
  }

  const plan::Release& release_;
  const std::vector<engine::ResultColumn>& columns_;
};

// proof: answer/release_table.md#claim
std::string ReleasePublic(const plan::Release& release,
                          const std::vector<engine::ResultColumn>& columns,
                          engine::ExactTable exact, Entropy& entropy) {
  TableWriter table(columns);
  for (engine::ExactRow& next : exact.rows) {
    const engine::ExactRow exact_row = std::move(next);  // let go of with this row
    std::vector<Value> row = exact_row.keys;
    for (size_t i = 0; i < release.measures.size(); ++i) {
      const noise::ColumnMechanism& noise = *release.measures[i].mechanism;
      row.push_back(ValueOf(noise::Release(noise, exact_row.measures[i], entropy).value()));
    }
    table.Add(row);
  }
  return table.Take();
}

}  // namespace

// proof: answer/release_table.md#claim
std::string TableNoise::Apply(engine::ExactRelease exact, Entropy& entropy) const {
  const bool all_groups = std::holds_alternative<plan::AllGroups>(release_.selection);
  if (auto* table = std::get_if<engine::ExactTable>(&exact)) {
    TACIT_ASSERT(all_groups);
    return ReleasePublic(release_, columns_, std::move(*table), entropy);
  }
  TACIT_ASSERT(!all_groups);
  return noise::Release(GroupsNoise(release_, columns_),
                        std::get<engine::PrivateTable>(std::move(exact)).groups, entropy)
      .value();
}

}  // namespace tacit::answer
