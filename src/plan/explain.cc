#include "plan/explain.h"

#include <cstdio>

#include "plan/mechanism.h"
#include "plan/selection.h"

namespace tacit::plan {
namespace {

using Json = nlohmann::ordered_json;

std::string Short(const Rational& value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", NearestDouble(value));
  return text;
}

Json MeasureJson(const Measure& measure) {
  return Json{{"column", measure.column.empty() ? measure.text : measure.column},
              {"aggregate", measure.aggregate},
              {"of", measure.text},
              {"mechanism", MechanismName(measure.mechanism)},
              {"sensitivity", NearestDouble(measure.sensitivity_l1)},
              {"scale", NearestDouble(measure.scale)},
              {"epsilon", NearestDouble(measure.cost.epsilon)},
              {"delta", NearestDouble(measure.cost.delta)},
              {"rho", NearestDouble(measure.cost.rho)},
              {"moe95", NearestDouble(measure.moe95)}};
}

std::string KeysText(const Release& release) {
  std::string text;
  for (const KeyColumn& key : release.keys) text += (text.empty() ? "" : ", ") + key.text;
  return text;
}

// How private keys are shown, as a release of its own.
void AddSelectionJson(const Release& release, Json& releases) {
  Json entry{{"column", KeysText(release)}, {"aggregate", "keys"}};
  if (const auto* noisy = std::get_if<NoisyThreshold>(&release.selection)) {
    entry["mechanism"] = "threshold";
    entry["of"] = release.measures[noisy->measure].text;
    entry["threshold"] = static_cast<double>(noisy->threshold);
    entry["epsilon"] = 0;
    entry["delta"] = NearestDouble(noisy->delta.value);
  } else if (const auto* units = std::get_if<UnitsChoice>(&release.selection)) {
    entry["mechanism"] = "truncated_geometric";
    entry["threshold"] = units->mechanism.ShownAtLeastHalf();
    entry["epsilon"] = NearestDouble(units->cost.epsilon);
    entry["delta"] = NearestDouble(units->cost.delta);
  } else {
    return;
  }
  entry["sensitivity"] = nullptr;
  entry["scale"] = nullptr;
  entry["moe95"] = nullptr;
  releases.push_back(std::move(entry));
}

void AddReleaseText(const Release& release, std::string& text) {
  text +=
      release.keys.empty() ? "one release\n" : "one release for each " + KeysText(release) + "\n";
  for (const std::string& fact : release.facts) text += "  " + fact + "\n";
  for (const Measure& measure : release.measures) {
    text += "  " + measure.text + ": " + MechanismName(measure.mechanism) + ", sensitivity " +
            Short(measure.sensitivity_l1) + ", scale " + Short(measure.scale) + ", within " +
            Short(measure.moe95) + " in 95 % of answers, ";
    text += measure.cost.rho == 0 ? "epsilon " + Short(measure.cost.epsilon)
                                  : "rho " + Short(measure.cost.rho);
    text += "\n";
  }
  const std::string notice = NoticeOf(release.selection);
  if (!notice.empty()) text += "  " + notice + "\n";
}

}  // namespace

double NearestDouble(const Rational& value) {
  const double down = ToDoubleDown(value);
  const double up = ToDoubleUp(value);
  if (down == up) return down;
  return Rational(value - RationalOf(down)) <= Rational(RationalOf(up) - value) ? down : up;
}

Json ExplainJson(const PrivatePlan& plan) {
  Json releases = Json::array();
  Json pushed = Json::array();
  for (const Release& release : plan.releases) {
    for (const Measure& measure : release.measures) releases.push_back(MeasureJson(measure));
    AddSelectionJson(release, releases);
    pushed.push_back(release.exact_sql);
  }
  for (const PublicTable& table : plan.public_tables) pushed.push_back(table.exact_sql);
  Json facts = Json::array();
  for (const Release& release : plan.releases) {
    for (const std::string& fact : release.facts) facts.push_back(fact);
  }
  return Json{{"releases", std::move(releases)},
              {"cost",
               {{"epsilon", NearestDouble(plan.cost.epsilon)},
                {"delta", NearestDouble(plan.cost.delta)},
                {"rho", NearestDouble(plan.cost.rho)}}},
              {"facts", std::move(facts)},
              {"notices", plan.notices},
              {"pushed", std::move(pushed)},
              {"post", plan.post_sql}};
}

std::string ExplainText(const PrivatePlan& plan) {
  std::string text =
      "price: epsilon " + Short(plan.cost.epsilon) + ", delta " + Short(plan.cost.delta);
  if (plan.cost.rho != 0) text += ", rho " + Short(plan.cost.rho);
  text += "\n";
  for (const OutputColumn& column : plan.columns) {
    text += "column " + column.name + " (" + column.type + ")";
    if (column.error) {
      text += ": within " + Short(column.error->moe95) + " of the truth in 95 % of answers";
      if (!column.error->condition.empty()) text += ", " + column.error->condition;
    }
    text += "\n";
  }
  for (const Release& release : plan.releases) AddReleaseText(release, text);
  for (const Release& release : plan.releases) text += "pushed down: " + release.exact_sql + "\n";
  for (const PublicTable& table : plan.public_tables) {
    text += "public: " + table.exact_sql + "\n";
  }
  return text + "after the noise: " + plan.post_sql + "\n";
}

}  // namespace tacit::plan
