#include "analysis/aggregates/rules.h"

#include <array>

namespace tacit::analysis {
namespace {

constexpr std::array<AggregateRule, 11> kAggregates = {{
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
