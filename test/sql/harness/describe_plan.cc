#include "harness/describe_plan.h"

namespace tacit::golden {
namespace {

std::string CostText(const plan::Cost& cost) {
  std::string text;
  if (cost.epsilon != 0) text += " epsilon " + ToString(cost.epsilon);
  if (cost.delta != 0) text += " delta " + ToString(cost.delta);
  if (cost.rho != 0) text += " rho " + ToString(cost.rho);
  return text.empty() ? " nothing" : text;
}

void DescribeRelease(const plan::Release& release, std::vector<std::string>& lines) {
  for (const plan::KeyColumn& key : release.keys) {
    lines.push_back((key.is_public ? "public key " : "private key ") + key.text + " " +
                    PostgresName(key.type));
  }
  for (const plan::Measure& measure : release.measures) {
    lines.push_back(measure.text + ": " + measure.mechanism->Name() + " sensitivity " +
                    ToString(measure.sensitivity_l1) + CostText(measure.cost));
  }
  if (const auto* noisy = std::get_if<plan::NoisyThreshold>(&release.selection)) {
    lines.push_back("groups with noisy " + release.measures[noisy->measure].text + " of at least " +
                    ToString(noisy->mechanism.threshold()));
  }
  if (const auto* units = std::get_if<plan::UnitsChoice>(&release.selection)) {
    lines.push_back("groups by truncated geometric" + CostText(units->cost));
  }
}

}  // namespace

std::vector<std::string> DescribePlan(const plan::PrivatePlan& plan) {
  std::vector<std::string> lines;
  for (const plan::OutputColumn& column : plan.columns) {
    lines.push_back("column " + column.name + " " + column.TypeName());
  }
  for (const plan::Release& release : plan.releases) DescribeRelease(release, lines);
  for (const std::string& notice : plan.notices) lines.push_back("notice " + notice);
  lines.push_back("cost" + CostText(plan.cost));
  return lines;
}

}  // namespace tacit::golden
