#include "attack/auxiliary/auxiliary.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "attack/auxiliary/town.h"
#include "attack/server/tacit_in_process.h"
#include "attack/statistics.h"

namespace tacit::attack {
namespace {

// Tacit in one of the two worlds.
struct World {
  InventedDeployment deployment;
  TacitInProcess gateway;
  int asked = 0;

  // A new draw of the same statistic: nobody has this id, so the condition changes the question and
  // not its answer.
  Result<double> Draw(const std::string& aggregate, const std::string& where,
                      const Epsilon& price) {
    const std::string sql = "SELECT " + aggregate + " FROM people WHERE " + where + " AND id <> " +
                            std::to_string(1'000'000'000 + asked++);
    TACIT_TRY(const nlohmann::json seen, gateway.Ask(sql, price));
    return seen.at("rows").at(0).at(0).get<double>();
  }
};

Result<World> MakeWorld(const std::string& csv) {
  TACIT_TRY(InventedDeployment deployment, MakeInventedDeployment(csv, TownPolicy()));
  TACIT_TRY(TacitInProcess gateway, TacitInProcess::Open(deployment.policy));
  return World{std::move(deployment), std::move(gateway)};
}

struct Beliefs {
  std::vector<double> risk;    // of a smoker, in percent
  std::vector<double> salary;  // twice the average
};

Result<Beliefs> Learn(World& world, int draws) {
  Beliefs beliefs;
  const Epsilon price(Rational(1));
  for (int i = 0; i < draws; ++i) {
    TACIT_TRY(const double cancers, world.Draw("count(*)", "smokes = 1 AND cancer = 1", price));
    TACIT_TRY(const double smokers, world.Draw("count(*)", "smokes = 1", price));
    TACIT_TRY(const double average, world.Draw("avg(salary)", "salary >= 0", price));
    beliefs.risk.push_back(100 * cancers / smokers);
    beliefs.salary.push_back(2 * average);
  }
  return beliefs;
}

// How often the better of the two worlds is named from one noisy count of smokers with cancer.
Result<Chart> TellApart(World& with, World& without, const Town& town,
                        const AuxiliarySettings& settings, const Progress& progress) {
  Chart chart{.title = "Is Ada in the data? What epsilon bounds",
              .x = {.label = "epsilon of the release", .logarithmic = true},
              .y = {.label = "worlds named rightly", .unit = "%", .low = 40, .high = 100},
              .series = {{.name = "measured", .is_defended = true},
                         {.name = "the most that epsilon allows anyone", .is_reference = true},
                         {.name = "blind guessing", .is_reference = true}},
              .error_bars = "95 % interval (Wilson)"};
  const double middle = static_cast<double>(town.smokers_with_cancer) + 0.5;
  int done = 0;
  for (const int tenths : {1, 3, 10, 30}) {
    const Epsilon price(tenths, 10);
    const double epsilon = tenths / 10.0;
    int64_t right = 0;
    for (int i = 0; i < settings.draws; ++i) {
      Tell(progress, "auxiliary: two worlds", 0.3 + 0.7 * done++ / (4 * settings.draws));
      TACIT_TRY(const double a, with.Draw("count(*)", "smokes = 1 AND cancer = 1", price));
      TACIT_TRY(const double b, without.Draw("count(*)", "smokes = 1 AND cancer = 1", price));
      right += (a > middle ? 1 : 0) + (b < middle ? 1 : 0);
    }
    const Estimate share = ShareOf(right, 2 * settings.draws);
    chart.series[0].points.push_back(
        {epsilon, 100 * share.value, 100 * share.low, 100 * share.high});
    chart.series[1].points.push_back({epsilon, 100 * GuessBoundUp({.epsilon = epsilon})});
    chart.series[2].points.push_back({epsilon, 50});
  }
  return chart;
}

Chart HarmChart(const Town& town, const Estimate& without, const Estimate& with) {
  return {.title = "What an insurer believes about Ada, who is known to smoke",
          .x = {.label = "",
                .names = {"before any release", "after, her row not in the data",
                          "after, her row in the data"}},
          .y = {.label = "believed risk of cancer", .unit = "%", .low = 0},
          .series = {{.name = "believed risk",
                      .points = {{0, 100 * town.cancer_share},
                                 {1, without.value, without.low, without.high},
                                 {2, with.value, with.low, with.high}}}},
          .error_bars = "95 % interval (Student) over the draws"};
}

Table HarmTable(const Town& town, const Estimate risk[2], const Estimate salary[2]) {
  Table table{.title = "The same harm in both worlds",
              .header = {"outside knowledge", "before", "after, without her row",
                         "after, with her row", "the truth about her"},
              .rows = {}};
  table.rows.push_back({Text("she smokes: her risk of cancer"), Percent(town.cancer_share),
                        Percent(risk[0].value / 100, 2), Percent(risk[1].value / 100, 2),
                        Text("she has it")});
  table.rows.push_back({Text("she earns twice the average: her salary"), Text("unknown"),
                        Number(salary[0].value), Number(salary[1].value), Number(town.ada_salary)});
  return table;
}

}  // namespace

Result<Report> AttackWithAuxiliary(const AuxiliarySettings& settings, const Progress& progress) {
  if (settings.people < 1000 || settings.people > 1'000'000) {
    return InvalidArgument("--people is between 1,000 and 1,000,000");
  }
  if (settings.draws < 2) return InvalidArgument("--draws is at least 2");
  Tell(progress, "auxiliary: building the town", 0);
  const Town town = BuildTown(settings.people, Dice(settings.seed).Part(11));
  TACIT_TRY(World without, MakeWorld(town.csv_without));
  TACIT_TRY(World with, MakeWorld(town.csv_with_ada));
  const int few = std::min(settings.draws, 20);
  TACIT_TRY(const Beliefs beliefs_without, Learn(without, few));
  TACIT_TRY(const Beliefs beliefs_with, Learn(with, few));
  TACIT_TRY(Chart apart, TellApart(with, without, town, settings, progress));
  const Estimate risk[2] = {MeanOf(beliefs_without.risk), MeanOf(beliefs_with.risk)};
  const Estimate salary[2] = {MeanOf(beliefs_without.salary), MeanOf(beliefs_with.salary)};
  const Point& at_one = apart.series[0].points[2];
  Report report{
      .name = "auxiliary",
      .title = "Outside knowledge: the harm that no mechanism can prevent",
      .shows =
          "A town's survey is released with epsilon 1 a statistic. An insurer knows that Ada "
          "smokes; a neighbour knows that she earns twice the average. The same is done in two "
          "worlds, with Ada's row in the survey and without it.",
      .parameters = {{"people", Shown(settings.people) + " invented"},
                     {"draws", std::to_string(settings.draws)}},
      .seed = settings.seed,
      .summary =
          {"The survey teaches that smokers get cancer: the insurer's belief about Ada goes from " +
               Shown(100 * town.cancer_share, 1) + " % to " + Shown(risk[1].value, 1) +
               " %; had she not taken part, to " + Shown(risk[0].value, 1) + " %.",
           "Twice the released average is " + Shown(salary[1].value) + " with her row and " +
               Shown(salary[0].value) + " without; she earns " + Shown(town.ada_salary) +
               ". Her salary is out although her row was never needed.",
           "Whether her row is in the data is named rightly in " + Shown(at_one.y, 0) +
               " % of tries (" + Shown(*at_one.low, 0) + " to " + Shown(*at_one.high, 0) +
               ") at epsilon 1; 50 % is blind guessing, and no attacker's chance exceeds " +
               Shown(apart.series[1].points[2].y, 1) + " %."},
      .charts = {HarmChart(town, risk[0], risk[1]), std::move(apart)},
      .tables = {HarmTable(town, risk, salary)},
      .cautions =
          {"That the first harm exists is a theorem: Dwork (2006) showed that a release with "
           "any use at all can always be joined with some outside knowledge that makes it a "
           "disclosure, even about people who are not in the data. docs/attacks/auxiliary.md "
           "explains it.",
           "Tacit's noise has no seed: the town is the same for a seed, the answers are not."},
      .defence = {"Differential privacy bounds the gap, not the harm",
                  "What can be promised to Ada is that taking part changes next to nothing: every "
                  "conclusion about her is drawn nearly as often without her row. The teachings of "
                  "the survey itself, that smoking causes cancer, are its purpose."}};
  return report;
}

}  // namespace tacit::attack
