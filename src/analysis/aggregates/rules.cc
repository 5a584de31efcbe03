#include "analysis/aggregates/rules.h"

#include <array>

namespace tacit::analysis {
namespace {

constexpr std::array<AggregateRule, 26> kAggregates = {{
    {"count", ReleaseCount, false},
    {"sum", ReleaseSum, false},
    {"avg", ReleaseAverage, false},
    {"var_pop", ReleaseVariance, false},
    {"var_samp", ReleaseVariance, false},
    {"variance", ReleaseVariance, false},
    {"stddev_pop", ReleaseVariance, false},
    {"stddev_samp", ReleaseVariance, false},
    {"stddev", ReleaseVariance, false},
    {"percentile_cont", ReleaseQuantile, true},
    {"percentile_disc", ReleaseQuantile, true},
    {"min", ReleaseExtreme, false},
    {"max", ReleaseExtreme, false},
    {"mode", ReleaseMode, true},
    {"covar_pop", ReleasePair, false},
    {"covar_samp", ReleasePair, false},
    {"corr", ReleasePair, false},
    {"regr_slope", ReleasePair, false},
    {"regr_intercept", ReleasePair, false},
    {"regr_r2", ReleasePair, false},
    {"regr_count", ReleasePair, false},
    {"regr_avgx", ReleasePair, false},
    {"regr_avgy", ReleasePair, false},
    {"regr_sxx", ReleasePair, false},
    {"regr_sxy", ReleasePair, false},
    {"regr_syy", ReleasePair, false},
}};

}  // namespace

const AggregateRule* FindAggregateRule(const std::string& name) {
  for (const AggregateRule& rule : kAggregates) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

std::vector<std::string> AggregatesWithRules() {
  std::vector<std::string> names;
  for (const AggregateRule& rule : kAggregates) names.emplace_back(rule.name);
  return names;
}

}  // namespace tacit::analysis
