#include "attack/membership/membership.h"

#include "attack/membership/scores.h"
#include "attack/statistics.h"

namespace tacit::attack {
namespace {

Chart EmptyChart(const std::string& title, const std::string& x) {
  return {.title = title,
          .x = {.label = x, .logarithmic = true},
          .y = {.label = "members found at 1 % false alarms", .unit = "%", .low = 0, .high = 100},
          .series = {},
          .error_bars = "95 % interval (resampling)"};
}

Table EmptyTable(const std::string& title) {
  return {.title = title,
          .header = {"group", "published", "release", "found at 1 % false alarms", "AUC"},
          .rows = {}};
}

void Add(const Separation& separation, double x, Series& series) {
  const Estimate& tpr = separation.tpr_at_1_percent;
  series.points.push_back({x, 100 * tpr.value, 100 * tpr.low, 100 * tpr.high});
}

std::vector<Cell> RowOf(uint32_t people, uint32_t attributes, bool noisy,
                        const Separation& separation) {
  const Estimate& tpr = separation.tpr_at_1_percent;
  const Estimate& auc = separation.auc;
  return {Number(people), Number(attributes), Text(noisy ? "epsilon 1, delta 1e-9" : "exact means"),
          Interval(tpr.value, tpr.low, tpr.high), Interval(auc.value, auc.low, auc.high)};
}

Series BoundOf(const Series& like) {
  Series bound{.name = "the most that epsilon 1 allows", .points = {}, .is_reference = true};
  for (const Point& point : like.points) bound.points.push_back({point.x, 100 * TprBoundUp()});
  return bound;
}

// A rate may stand above its bound by luck: the interval says so.
std::string IntervalOf(const Point& point) {
  if (!point.low || !point.high) return "";
  return " (95 % interval " + Shown(*point.low, 1) + " to " + Shown(*point.high, 1) + ")";
}

Result<Done> AddBits(const MembershipSettings& settings, const Progress& progress, Report& report) {
  Chart chart = EmptyChart("Invented people with many yes-or-no facts", "published means");
  Table table = EmptyTable("Membership in a group of invented people");
  const Dice dice = Dice(settings.seed).Part(9);
  uint64_t part = 0;
  Series noisy{.name = "n = 1,000, epsilon 1", .points = {}, .is_defended = true};
  for (const uint32_t people : {100u, 1000u}) {
    Series exact{.name = "n = " + Shown(people) + ", exact means", .points = {}};
    for (const uint32_t attributes : {300u, 1000u, 5000u, 20000u}) {
      if (attributes > settings.attributes) continue;
      for (const bool is_noisy : {false, true}) {
        Tell(progress, "membership: invented people", static_cast<double>(part) / 16);
        BitsExperiment experiment{.people = people,
                                  .attributes = attributes,
                                  .worlds = people < 1000 ? 2 * settings.worlds : settings.worlds,
                                  .noisy = is_noisy};
        TACIT_TRY(Scores scores, ScoreBits(experiment, dice.Part(part / 2)));
        const Separation separation = SeparationOf(std::move(scores.members),
                                                   std::move(scores.others), dice.Part(100 + part));
        ++part;
        table.rows.push_back(RowOf(people, attributes, is_noisy, separation));
        if (!is_noisy) Add(separation, attributes, exact);
        if (is_noisy && people == 1000) Add(separation, attributes, noisy);
      }
    }
    report.summary.push_back("Invented people, a group of " + Shown(people) + ": from " +
                             Shown(exact.points.back().x) + " exact means " +
                             Shown(exact.points.back().y, 1) +
                             " % of the members are found at 1 % false alarms.");
    chart.series.push_back(std::move(exact));
  }
  chart.series.push_back(noisy);
  chart.series.push_back(BoundOf(noisy));
  report.charts.push_back(std::move(chart));
  report.tables.push_back(std::move(table));
  return Done{};
}

Result<Done> AddOwners(const OwnersRows& owners, const MembershipSettings& settings,
                       const Progress& progress, Report& report) {
  const AttributeLists lists = ListAttributes(owners);
  if (lists.per_person == 0 || lists.people.size() < 200) {
    report.cautions.push_back(
        "The table has too few people or too few columns with repeated values "
        "for this attack; only invented people follow.");
    return Done{};
  }
  Chart chart = EmptyChart("Your people: groups whose one- and two-way tables are published",
                           "people in the group");
  Table table = EmptyTable("Membership in a random group of " + owners.source);
  Series exact{.name = "exact tables", .points = {}};
  Series noisy{.name = "tables with epsilon 1", .points = {}, .is_defended = true};
  const Dice dice = Dice(settings.seed).Part(10);
  double done = 0;
  for (const uint32_t people : {30u, 100u, 300u, 1000u, 3000u}) {
    if (people > lists.people.size() / 4) continue;
    for (const bool is_noisy : {false, true}) {
      Tell(progress, "membership: your people", done++ / 10);
      TACIT_TRY(Scores scores,
                ScoreGroups(lists,
                            {.people = people,
                             .worlds = people < 1000 ? 2 * settings.worlds : settings.worlds,
                             .noisy = is_noisy},
                            dice.Part(people)));
      const Separation separation =
          SeparationOf(std::move(scores.members), std::move(scores.others), dice.Part(people + 1));
      table.rows.push_back(RowOf(people, lists.attributes, is_noisy, separation));
      Add(separation, people, is_noisy ? noisy : exact);
    }
  }
  report.summary.push_back("Your people: in a published group of " + Shown(exact.points[0].x) +
                           ", " + Shown(exact.points[0].y, 1) +
                           " % of the members are found at 1 % false "
                           "alarms from exact tables, " +
                           Shown(noisy.points[0].y, 1) + " %" + IntervalOf(noisy.points[0]) +
                           " from tables with epsilon 1, which allows at most " +
                           Shown(100 * TprBoundUp(), 1) + " %.");
  chart.series = {exact, noisy, BoundOf(noisy)};
  report.charts.push_back(std::move(chart));
  report.tables.push_back(std::move(table));
  return Done{};
}

}  // namespace

Result<Report> AttackMembership(const std::optional<OwnersRows>& owners,
                                const MembershipSettings& settings, const Progress& progress) {
  if (settings.worlds < 1) return InvalidArgument("--worlds is at least 1");
  if (settings.attributes < 300) return InvalidArgument("--attributes is at least 300");
  Report report{
      .name = "membership",
      .title = "Membership: was she in the group?",
      .shows =
          "Only means of a group are published, of a study about a disease, say. The attacker "
          "knows her values and the population's means: if the group's means lean her way on "
          "thousands of attributes, she was in it.",
      .parameters = {{"people", owners ? owners->source + " and invented ones" : "invented"},
                     {"worlds", std::to_string(settings.worlds)},
                     {"outsiders in each world", "1000"}},
      .seed = settings.seed,
      .cautions = {
          "The noise of the defended release is drawn by Tacit's own sampler and cannot be "
          "seeded: those figures change from run to run within their intervals."}};
  if (owners) TACIT_CHECK(AddOwners(*owners, settings, Between(progress, 0, 0.4), report));
  TACIT_CHECK(AddBits(settings, Between(progress, owners ? 0.4 : 0, 1), report));
  report.summary.push_back("With epsilon 1 no test, known or unknown, finds more than " +
                           Shown(100 * TprBoundUp(), 2) + " % of the members at 1 % false alarms.");
  report.defence = {
      "Noise in proportion to what one person adds to all published means",
      "A person is counted in every published mean, so the noise on each grows with "
      "the square root of their number. e^epsilon times the false alarms, plus delta, "
      "bounds what any test finds: the dashed line."};
  return report;
}

}  // namespace tacit::attack
