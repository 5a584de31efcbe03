#include "release/measure/open_column.h"

#include <algorithm>

#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/group_keys/noisy_threshold.h"

namespace tacit::release {
namespace {

struct Showing {
  noise::DiscreteGaussian noise;
  noise::NoisyThreshold threshold;
};

// proof: release/proof.md#5-what-showing-values-costs
Showing ShowingFor(const Moved& moved, const ShowingPrice& price) {
  Result<noise::DiscreteGaussian> noise = noise::DiscreteGaussian::WithSigmaSquared(
      VarianceFor(price.rho, moved.l2_squared), Rational(moved.l2_squared));
  TACIT_ASSERT(noise.ok());
  // A value that only the moved rows have: at most so many of them, with so many rows each.
  Result<noise::NoisyThreshold> threshold =
      noise::NoisyThreshold::Over(*noise, {.units_moved = moved.rows,
                                           .groups = moved.different.value_or(moved.rows),
                                           .delta = price.delta});
  TACIT_ASSERT(threshold.ok());
  return {.noise = std::move(noise).value(), .threshold = std::move(threshold).value()};
}

}  // namespace

Int128 ShowingThreshold(const Moved& moved, const ShowingPrice& price) {
  return ShowingFor(moved, price).threshold.threshold();
}

std::vector<std::string> ShowValues(const OpenColumn& open, const Moved& moved,
                                    const ShowingPrice& price, Joint& joint, Entropy& entropy) {
  const Showing showing = ShowingFor(moved, price);
  std::vector<Int128> counts(open.values.size());
  for (size_t r = 0; r < open.ids.size(); ++r) {
    if (open.ids[r] != kNullId) counts[open.ids[r]] += joint.weights[r];
  }
  std::vector<std::pair<Int128, size_t>> shown;
  for (size_t v = 0; v < counts.size(); ++v) {
    const Int128 noisy = showing.noise.Apply(counts[v], entropy);
    if (showing.threshold.Shows(noisy)) shown.emplace_back(-noisy, v);
  }
  std::sort(shown.begin(), shown.end());
  shown.resize(std::min(shown.size(), kShownMax));
  std::vector<std::string> values;
  for (const auto& [noisy, v] : shown) values.push_back(open.values[v]);
  std::sort(values.begin(), values.end());
  CodeBy(values, open, joint);
  return values;
}

void CodeBy(const std::vector<std::string>& values, const OpenColumn& open, Joint& joint) {
  const auto others = static_cast<uint16_t>(values.size());
  std::vector<uint16_t> code_of;
  for (const std::string& value : open.values) {
    const auto place = std::lower_bound(values.begin(), values.end(), value);
    const bool shown = place != values.end() && *place == value;
    code_of.push_back(shown ? static_cast<uint16_t>(place - values.begin()) : others);
  }
  for (size_t r = 0; r < open.ids.size(); ++r) {
    joint.codes[open.column][r] =
        open.ids[r] == kNullId ? static_cast<uint16_t>(others + 1) : code_of[open.ids[r]];
  }
}

}  // namespace tacit::release
