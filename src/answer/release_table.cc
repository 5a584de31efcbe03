#include "answer/release_table.h"

#include "answer/table_bytes.h"
#include "noise/row_noise.h"

namespace tacit::answer {
namespace {

using engine::Value;

Value ValueOf(Int128 whole) { return engine::Numeric{.unscaled = whole, .scale = 0}; }

}  // namespace

// The noise of every measure and the choice of groups over the whole list at once: where keys are
// private, so is the list.
// proof: answer/release_table.md#claim
std::string TableNoise::Apply(engine::ExactGroups groups, Entropy& entropy) const {
  TableWriter table(columns_);
  std::vector<const noise::ColumnMechanism*> columns;
  for (const plan::Measure& measure : release_.measures) columns.push_back(&*measure.mechanism);
  noise::RowNoise noise(std::move(columns));
  std::vector<Int128> noisy(release_.measures.size());
  std::vector<Value> row(release_.keys.size() + noisy.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    // Noise is drawn for shown and withheld groups alike, so that the choice of one group does
    // not shift the noise of the next.
    noise.Apply([&](size_t i) { return groups.Measure(g, i); }, entropy, noisy);
    if (!IsShown(groups.Units(g), noisy, entropy)) continue;
    for (size_t k = 0; k < release_.keys.size(); ++k) row[k] = groups.TakeKey(g, k);
    for (size_t i = 0; i < noisy.size(); ++i) row[release_.keys.size() + i] = ValueOf(noisy[i]);
    table.Add(row);
  }
  return table.Take();
}

bool TableNoise::IsShown(uint64_t units, const std::vector<Int128>& noisy, Entropy& entropy) const {
  if (std::holds_alternative<plan::AllGroups>(release_.selection)) return true;
  if (const auto* threshold = std::get_if<plan::NoisyThreshold>(&release_.selection)) {
    return threshold->mechanism.Shows(noisy[threshold->measure]);
  }
  return std::get<plan::UnitsChoice>(release_.selection).mechanism.Apply(units, entropy);
}

}  // namespace tacit::answer
