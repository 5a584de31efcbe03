#include "anonymize/partition/constraint.h"

#include <algorithm>
#include <cmath>

namespace tacit::anonymize {
namespace {

// Classes whose entropy is log(l) but for the last bit of a sum of logarithms count as l-diverse.
constexpr double kRoundingSlack = 1e-9;

}  // namespace

SensitiveColumn::SensitiveColumn(std::span<const uint32_t> codes, size_t values,
                                 std::span<const uint32_t> rows, Distance distance)
    : codes_(codes), distance_(distance), overall_(values), counts_(values) {
  for (const uint32_t row : rows) overall_[codes[row]] += 1;
  for (double& share : overall_) share /= static_cast<double>(std::max<size_t>(rows.size(), 1));
}

double SensitiveColumn::DistanceOf(double size) const {
  if (distance_ == Distance::kEqual) {
    // Half the sum of |p - q|: only values with p > q are needed, and those are present.
    double moved = 0;
    for (const uint32_t code : present_) {
      moved += std::max(0.0, counts_[code] / size - overall_[code]);
    }
    return moved;
  }
  double carried = 0, work = 0;
  for (size_t code = 0; code < overall_.size(); ++code) {
    carried += counts_[code] / size - overall_[code];
    work += std::abs(carried);
  }
  return overall_.size() < 2 ? 0 : work / static_cast<double>(overall_.size() - 1);
}

Diversity SensitiveColumn::Measure(std::span<const uint32_t> class_codes) {
  present_.clear();
  for (const uint32_t code : class_codes) {
    if (counts_[code]++ == 0) present_.push_back(code);
  }
  const auto size = static_cast<double>(class_codes.size());
  Diversity found;
  found.distinct = static_cast<uint32_t>(present_.size());
  for (const uint32_t code : present_) {
    const double share = counts_[code] / size;
    found.entropy -= share * std::log(share);
    found.largest_share = std::max(found.largest_share, share);
  }
  found.distance = DistanceOf(size);
  for (const uint32_t code : present_) counts_[code] = 0;
  return found;
}

bool SensitiveColumn::Fulfils(const Requirement& requirement,
                              std::span<const uint32_t> class_codes) {
  const Diversity found = Measure(class_codes);
  const bool diverse = requirement.l_kind == LKind::kDistinct
                           ? found.distinct >= requirement.l
                           : found.entropy >= std::log(requirement.l) - kRoundingSlack;
  return diverse && found.distance <= requirement.t + kRoundingSlack;
}

}  // namespace tacit::anonymize
