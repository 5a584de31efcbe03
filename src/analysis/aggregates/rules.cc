#include "analysis/aggregates/rules.h"

#include <array>

namespace tacit::analysis {
namespace {

constexpr std::array<AggregateRule, 9> kAggregates = {{
    {"count", ReleaseCount},
    {"sum", ReleaseSum},
    {"avg", ReleaseAverage},
    {"var_pop", ReleaseVariance},
    {"var_samp", ReleaseVariance},
    {"variance", ReleaseVariance},
    {"stddev_pop", ReleaseVariance},
    {"stddev_samp", ReleaseVariance},
    {"stddev", ReleaseVariance},
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
