#include "local/estimate/plan.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "tacit/commands.h"
#include "tacit/local/local.h"

namespace tacit::app {
namespace {

struct PlanFlags {
  uint32_t values = 0;
  uint64_t people = 0;
  std::string epsilon;
  std::string error;
  std::string format = "table";
};

void PrintTable(const local::LocalPlan& plan, const PlanFlags& flags) {
  const local::PlannedMechanism& best = plan.mechanisms.front();
  std::printf("%u values, %llu people, epsilon %s: use %s.\n\n", flags.values,
              static_cast<unsigned long long>(flags.people), flags.epsilon.c_str(),
              std::string(local::NameOf(best.design.mechanism)).c_str());
  const bool wished = !flags.error.empty();
  std::printf("%-22s %16s %18s %12s%s\n", "", "sd of a count", "95 % of a share", "bits sent",
              wished ? "   people needed" : "");
  for (const local::PlannedMechanism& planned : plan.mechanisms) {
    std::printf("%-22s %16.1f %16.2f %% %12.0f",
                std::string(local::NameOf(planned.design.mechanism)).c_str(), planned.deviation,
                100 * planned.margin95, std::ceil(planned.report_bits));
    if (wished) std::printf(" %15.0f", planned.people_needed);
    std::printf("\n");
  }
  std::printf("%-22s %16.1f %16.4f %% %12s", "a trusted collector", plan.central_deviation,
              100 * plan.central_margin95, "the answer");
  if (wished) std::printf(" %15.0f", plan.central_people_needed);
  std::printf(
      "\n\nFigures are for a value that few people hold. A trusted collector sees every answer and"
      "\nadds the noise itself; here nobody ever sees one, and the price is %.0f times the "
      "error.\n",
      best.deviation / plan.central_deviation);
  if (best.margin95 > 0.5) {
    std::printf(
        "With so few people the answer would say nothing: the margin is wider than half.\n");
  }
}

void PrintJson(const local::LocalPlan& plan, const PlanFlags& flags) {
  nlohmann::ordered_json json;
  json["values"] = flags.values;
  json["people"] = flags.people;
  const auto entry = [&](const std::string& name, double deviation, double margin, double needed) {
    nlohmann::ordered_json one{{"mechanism", name}, {"count_sd", deviation}, {"moe95", margin}};
    if (!flags.error.empty()) one["people_needed"] = needed;
    return one;
  };
  for (const local::PlannedMechanism& planned : plan.mechanisms) {
    nlohmann::ordered_json one = entry(std::string(local::NameOf(planned.design.mechanism)),
                                       planned.deviation, planned.margin95, planned.people_needed);
    one["epsilon"] = ToString(local::EpsilonUp(planned.design).value);
    one["bits"] = std::ceil(planned.report_bits);
    json["mechanisms"].push_back(one);
  }
  json["central"] = entry("discrete_laplace", plan.central_deviation, plan.central_margin95,
                          plan.central_people_needed);
  std::printf("%s\n", json.dump().c_str());
}

Result<Done> RunPlan(const PlanFlags& flags) {
  TACIT_TRY(const Rational number, ReadNumber("--epsilon", flags.epsilon));
  TACIT_TRY(const Epsilon epsilon, CheckedEpsilon(number, "--epsilon"));
  local::PlanWish wish{.values = flags.values, .people = flags.people, .epsilon = epsilon};
  if (!flags.error.empty()) {
    TACIT_TRY(const Rational margin, ReadNumber("--error", flags.error));
    wish.margin = margin.get_d();
  }
  TACIT_TRY(const local::LocalPlan plan, local::PlanCollection(wish));
  flags.format == "json" ? PrintJson(plan, flags) : PrintTable(plan, flags);
  return Done{};
}

}  // namespace

void AddLocalPlan(Command local) {
  auto flags = std::make_shared<PlanFlags>();
  Command command =
      local.Subcommand("plan", "Which mechanism, what error, and how many people it takes");
  command.Value("--values", flags->values, "How many values an answer can have").Required();
  command.Value("--people", flags->people, "How many people will answer").Required();
  command.Value("--epsilon", flags->epsilon, "What each person gives away at most").Required();
  command.Value("--error", flags->error, "Wished 95 % margin of a share, e.g. 0.01");
  command.Value("--format", flags->format, "table or json").OneOf({"table", "json"});
  command.Footer(
      "Example:\n  tacit local plan --values 14 --people 50000 --epsilon 1 --error 0.01");
  command.Action([flags] {
    const Result<Done> done = RunPlan(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
