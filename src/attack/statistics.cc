#include "attack/statistics.h"

#include <algorithm>
#include <cmath>

namespace tacit::attack {
namespace {

constexpr double kNormal95 = 1.959963984540054;

// Student's 97.5 % points for 1 to 30 degrees of freedom; beyond, the normal one is within 4 %.
constexpr double kStudent95[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

// Both ascending.
double TprAt1Percent(const std::vector<double>& members, const std::vector<double>& others) {
  const auto allowed = static_cast<size_t>(0.01 * static_cast<double>(others.size()));
  const double threshold = others[others.size() - 1 - allowed];
  const auto above = members.end() - std::upper_bound(members.begin(), members.end(), threshold);
  return static_cast<double>(above) / static_cast<double>(members.size());
}

double Auc(const std::vector<double>& members, const std::vector<double>& others) {
  double wins = 0;
  auto low = others.begin();
  auto high = others.begin();
  for (const double score : members) {
    while (low != others.end() && *low < score) ++low;
    while (high != others.end() && *high <= score) ++high;
    wins += 0.5 * static_cast<double>((low - others.begin()) + (high - others.begin()));
  }
  return wins / (static_cast<double>(members.size()) * static_cast<double>(others.size()));
}

// As many draws with repetition, ascending: counted by index, so nothing is sorted again.
std::vector<double> Resampled(const std::vector<double>& sorted, Dice& dice) {
  std::vector<uint32_t> times(sorted.size());
  for (size_t i = 0; i < sorted.size(); ++i) ++times[dice.Below(sorted.size())];
  std::vector<double> drawn;
  drawn.reserve(sorted.size());
  for (size_t i = 0; i < sorted.size(); ++i) drawn.insert(drawn.end(), times[i], sorted[i]);
  return drawn;
}

Estimate Percentiles(double value, std::vector<double> draws) {
  std::sort(draws.begin(), draws.end());
  const auto at = [&](double share) {
    return draws[static_cast<size_t>(share * static_cast<double>(draws.size() - 1))];
  };
  return {value, std::min(value, at(0.025)), std::max(value, at(0.975))};
}

}  // namespace

Estimate ShareOf(int64_t successes, int64_t trials) {
  if (trials == 0) return {0, 0, 1};
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / n;
  const double z2 = kNormal95 * kNormal95;
  const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double half =
      kNormal95 * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  return {share, std::min(share, middle - half), std::max(share, middle + half)};
}

Estimate MeanOf(const std::vector<double>& runs) {
  if (runs.empty()) return {};
  const auto n = static_cast<double>(runs.size());
  double sum = 0;
  for (const double run : runs) sum += run;
  const double mean = sum / n;
  if (runs.size() == 1) return {mean, mean, mean};
  double squares = 0;
  for (const double run : runs) squares += (run - mean) * (run - mean);
  const size_t freedom = runs.size() - 1;
  const double factor = freedom <= 30 ? kStudent95[freedom - 1] : kNormal95;
  const double half = factor * std::sqrt(squares / static_cast<double>(freedom) / n);
  return {mean, mean - half, mean + half};
}

Separation SeparationOf(std::vector<double> members, std::vector<double> others, Dice dice) {
  std::sort(members.begin(), members.end());
  std::sort(others.begin(), others.end());
  constexpr int kResamples = 200;
  std::vector<double> tprs, aucs;
  for (int i = 0; i < kResamples; ++i) {
    const std::vector<double> some_members = Resampled(members, dice);
    const std::vector<double> some_others = Resampled(others, dice);
    tprs.push_back(TprAt1Percent(some_members, some_others));
    aucs.push_back(Auc(some_members, some_others));
  }
  return {Percentiles(TprAt1Percent(members, others), std::move(tprs)),
          Percentiles(Auc(members, others), std::move(aucs))};
}

}  // namespace tacit::attack
