#include "learn/statistics/t_test.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tacit::learn {
namespace {

// Why 3999: the margin is one of their quantiles.
constexpr int kComparisonsDrawn = 3999;
// Why 3: below it one can hardly say that a group has rows at all.
constexpr double kGroupKnown = 3;

struct GroupMoments {
  double rows = 1;
  double mean = 0;
  double variance = 0;
};

// What u can be bounds what its mean and its variance can be, whatever the noise says.
GroupMoments MomentsOfGroup(const GroupSums& sums, double half) {
  GroupMoments moments;
  moments.rows = std::max(sums.rows, 1.0);
  moments.mean = std::clamp(sums.sum / moments.rows, -half, half);
  const double most = half * half - moments.mean * moments.mean;
  moments.variance =
      std::clamp(sums.squares / moments.rows - moments.mean * moments.mean, 0.0, most);
  return moments;
}

// Of the mean of a group: the noise in its sum and in its number of rows.
double NoiseVarianceOfMean(const GroupMoments& group, const TwoGroups& sums) {
  return (sums.sum_noise.variance() + group.mean * group.mean * sums.rows_noise.variance()) /
         (group.rows * group.rows);
}

struct Compared {
  double difference = 0;
  double noise = 0;   // a variance
  double sample = 0;  // likewise
  double t = 0;
};

Compared Compare(const std::array<GroupMoments, 2>& groups, const TwoGroups& sums) {
  Compared compared;
  compared.difference = groups[1].mean - groups[0].mean;
  for (const GroupMoments& group : groups) {
    compared.noise += NoiseVarianceOfMean(group, sums);
    compared.sample += group.variance / group.rows;
  }
  const double all = compared.noise + compared.sample;
  compared.t = all > 0 ? compared.difference / std::sqrt(all) : 0;
  return compared;
}

// The sums of a group of as many rows with this mean and this variance, and the same noise. The sum
// and the sum of squares go together as they do for a normal law.
GroupSums DrawGroup(const GroupMoments& law, const TwoGroups& sums, Chance& chance) {
  const double z = chance.Normal();
  const double w = chance.Normal();
  const double spread = std::sqrt(law.variance);
  const double root = std::sqrt(law.rows);
  GroupSums drawn;
  drawn.rows = law.rows + sums.rows_noise.Draw(chance);
  drawn.sum = law.rows * law.mean + root * spread * z + sums.sum_noise.Draw(chance);
  drawn.squares = law.rows * (law.mean * law.mean + law.variance) +
                  root * (2 * law.mean * spread * z + std::sqrt(2.0) * law.variance * w) +
                  sums.squares_noise.Draw(chance);
  return drawn;
}

}  // namespace

// proof: learn/statistics/statistics.md#t-test
TTest CompareMeans(const TwoGroups& sums) {
  TTest test;
  std::array<GroupMoments, 2> groups;
  std::vector<double> released;
  bool known = true;
  for (size_t g = 0; g < 2; ++g) {
    const GroupSums& group = sums.groups[g];
    test.rows[g] = group.rows;
    known = known && group.rows > std::max(kGroupKnown * sums.rows_noise.deviation(), 2.0);
    groups[g] = MomentsOfGroup(group, sums.half);
    released.insert(released.end(), {group.rows, group.sum, group.squares});
  }
  const Compared compared = Compare(groups, sums);
  if (!known || !(compared.noise + compared.sample > 0)) return test;
  TTest::Found found;
  for (size_t g = 0; g < 2; ++g) found.means[g] = groups[g].mean;
  found.difference = compared.difference;
  found.se_noise = std::sqrt(compared.noise);
  found.se_sample = std::sqrt(compared.sample);
  found.t = compared.t;

  // As if both groups had one mean.
  std::array<GroupMoments, 2> alike = groups;
  const double all_rows = groups[0].rows + groups[1].rows;
  const double mean =
      (groups[0].rows * groups[0].mean + groups[1].rows * groups[1].mean) / all_rows;
  for (GroupMoments& group : alike) group.mean = mean;
  Chance chance = Chance::Of("t_test", released);
  std::vector<double> sizes;
  int as_far = 0;
  for (int i = 0; i < kComparisonsDrawn; ++i) {
    std::array<GroupMoments, 2> drawn;
    for (size_t g = 0; g < 2; ++g) {
      drawn[g] = MomentsOfGroup(DrawGroup(alike[g], sums, chance), sums.half);
    }
    sizes.push_back(std::abs(Compare(drawn, sums).t));
    if (sizes.back() >= std::abs(found.t)) ++as_far;
  }
  found.p_value = (1.0 + as_far) / (1.0 + kComparisonsDrawn);
  const size_t at = static_cast<size_t>(std::ceil(0.95 * static_cast<double>(sizes.size()))) - 1;
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(at), sizes.end());
  found.margin = sizes[at] * std::sqrt(compared.noise + compared.sample);
  test.found = found;
  return test;
}

}  // namespace tacit::learn
