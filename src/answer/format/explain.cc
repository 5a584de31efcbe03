#include "answer/assemble.h"
#include "answer/format/format.h"
#include "answer/format/numbers.h"
#include "plan/tree/words.h"

namespace tacit::answer {
namespace {

std::string Up(const Rational& value) { return ShortNumber(value, Rounding::kUp); }

std::string CostText(const plan::Cost& cost) {
  std::string text = "epsilon " + Up(cost.epsilon);
  if (cost.rho > 0) text += " (rho " + Up(cost.rho) + ")";
  if (cost.delta > 0) text += ", delta " + Up(cost.delta);
  return text;
}

std::string MeasureText(const plan::Measure& measure) {
  std::string text = "  " + measure.text;
  if (!measure.column.empty()) text += " -> " + measure.column;
  return text + "\n    " + measure.mechanism->WordsFor(Up(measure.scale)) +
         "; one person changes it by " + Up(measure.sensitivity_l1) + " at most\n    within " +
         Up(measure.moe95) + (measure.mechanism->ReadsCells() ? " rows" : "") +
         " of the truth in 95 % of answers; costs " + CostText(measure.cost) + "\n";
}

std::string SelectionText(const plan::Release& release) {
  if (const auto* threshold = std::get_if<plan::NoisyThreshold>(&release.selection)) {
    return "  groups are shown from a noisy number of people of " +
           ToString(threshold->mechanism.threshold()) + "; delta " +
           Up(threshold->mechanism.delta().value) + "\n";
  }
  if (const auto* choice = std::get_if<plan::UnitsChoice>(&release.selection)) {
    return "  groups of " + std::to_string(choice->mechanism.ShownAtLeastHalf()) +
           " people are shown at least half of the time; costs " + CostText(choice->cost) + "\n";
  }
  return release.keys.empty() ? "" : "  every group of the public keys is shown, zeros included\n";
}

// `name` is for people; what the engines are told has the plan's own.
std::string ReleaseText(const plan::Release& release, const std::string& name,
                        const engine::Told* told, bool verbose) {
  std::string text = "release " + name + (verbose ? " (" + release.name + ")" : "");
  for (size_t i = 0; i < release.keys.size(); ++i) {
    text += (i == 0 ? " by " : ", ") + release.keys[i].text +
            (release.keys[i].is_public ? "" : " (private)");
  }
  text += "\n";
  for (const std::string& fact : release.facts) text += "  " + fact + "\n";
  if (told != nullptr) {
    for (const std::string& fact : told->storage) text += "  " + fact + "\n";
  }
  text += SelectionText(release);
  for (const plan::Measure& measure : release.measures) text += MeasureText(measure);
  if (told == nullptr || !verbose) return text;
  text += "  computed from protected rows:\n";
  for (const std::string& line : plan::tree::Words(release.exact)) text += "    " + line + "\n";
  text += "  pushed down: " + told->statement + "\n";
  return text;
}

std::string ColumnsText(const plan::PrivatePlan& plan) {
  std::string text;
  for (const plan::OutputColumn& column : plan.columns) {
    text += "  " + column.name + " " + column.TypeName();
    if (column.error && column.error->in_rows) {
      text += ": in 95 % of answers it " + RankWords(*column.error);
    } else if (column.error) {
      text += ": within " + Up(column.error->moe95) + " of the truth in 95 % of answers";
      if (!column.error->condition.empty()) text += " " + column.error->condition;
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string FormatText(const Explanation& explanation) {
  const plan::PrivatePlan& plan = explanation.plan;
  std::string text = "price: " + CostText(plan.cost) + "\n";
  if (explanation.no_room) {
    text += "  it would be refused now: " + *explanation.no_room + "\n";
  } else {
    text += "  if you ask: " + PriceSentence(explanation.privacy) + "\n";
  }
  text += "columns:\n" + ColumnsText(plan);
  const auto told = [&](size_t i) {
    return i < explanation.told.size() ? &explanation.told[i] : nullptr;
  };
  for (size_t i = 0; i < plan.releases.size(); ++i) {
    text += ReleaseText(plan.releases[i], std::to_string(i + 1), told(i), explanation.verbose);
  }
  for (size_t i = 0; i < plan.public_tables.size(); ++i) {
    const engine::Told* read = told(plan.releases.size() + i);
    text += "public table " + plan.public_tables[i].name + ", free";
    text += (read == nullptr || !explanation.verbose ? "" : ": " + read->statement) + "\n";
  }
  if (explanation.verbose) text += "after the noise: " + plan.post_sql + "\n";
  for (const std::string& notice : plan.notices) text += "notice: " + notice + "\n";
  return text;
}

}  // namespace tacit::answer
