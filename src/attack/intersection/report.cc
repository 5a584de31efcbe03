#include <algorithm>
#include <cmath>

#include "attack/intersection/intersection.h"
#include "attack/intersection/private_releases.h"
#include "attack/statistics.h"

namespace tacit::attack {
namespace {

using anonymize::Domain;
using anonymize::Requirement;

struct Measured {
  Requirement requirement;
  uint32_t overlap;
  Breaches breaches;
};

struct MeasuredPrivate {
  uint32_t overlap;
  PrivateBreaches breaches;
};

Point PointOf(double x, const std::vector<double>& runs) {
  const Estimate mean = MeanOf(runs);
  Point point{.x = x, .y = 100 * mean.value};
  if (runs.size() > 1) {
    point.low = std::max(0.0, 100 * mean.low);
    point.high = std::min(100.0, 100 * mean.high);
  }
  return point;
}

bool IsPlainK(const Requirement& requirement) { return !requirement.LooksAtSensitive(); }

Table BreachTable(const std::vector<Measured>& all) {
  Table table{.title = "Two coarsened releases",
              .header = {"each release has", "in both", "one release: single value",
                         "perfect breach", "at most 2 left", "guess right",
                         "values left (1 release)", "values left (both)", "average partition"},
              .rows = {}};
  for (const Measured& one : all) {
    const Breaches& b = one.breaches;
    table.rows.push_back(
        {Text(NameOf(one.requirement)), Number(one.overlap), Percent(MeanOf(b.alone).value, 2),
         Percent(MeanOf(b.perfect).value, 2), Percent(MeanOf(b.partial).value, 2),
         Percent(MeanOf(b.guess).value, 2), Number(MeanOf(b.candidates_alone).value, 2),
         Number(MeanOf(b.candidates).value, 2), Number(MeanOf(b.average).value, 1)});
  }
  return table;
}

Chart ChartByK(const std::vector<Measured>& all, uint32_t overlap, uint32_t runs) {
  Chart chart{.title = "Perfect breach against k",
              .x = {.label = "k of each release", .unit = "rows", .logarithmic = true},
              .y = {.label = "people whose value is known", .unit = "%", .low = 0},
              .series = {},
              .error_bars = runs > 1 ? "95 % interval of the mean over runs" : ""};
  Series alone{.name = "one release", .points = {}}, both{.name = "both releases", .points = {}},
      two{.name = "both: at most 2 values left", .points = {}};
  for (const Measured& one : all) {
    if (!IsPlainK(one.requirement) || one.overlap != overlap) continue;
    alone.points.push_back(PointOf(one.requirement.k, one.breaches.alone));
    both.points.push_back(PointOf(one.requirement.k, one.breaches.perfect));
    two.points.push_back(PointOf(one.requirement.k, one.breaches.partial));
  }
  chart.series = {both, two, alone};
  return chart;
}

Chart ChartByOverlap(const std::vector<Measured>& all, const IntersectionOptions& options) {
  Chart chart{.title = "Perfect breach against the overlap",
              .x = {.label = "people in both releases", .unit = "people", .logarithmic = true},
              .y = {.label = "of them, value known", .unit = "%", .low = 0},
              .series = {},
              .error_bars = options.runs > 1 ? "95 % interval of the mean over runs" : ""};
  for (const Requirement& requirement : options.requirements) {
    Series series{.name = NameOf(requirement), .points = {}};
    for (const Measured& one : all) {
      if (NameOf(one.requirement) == series.name) {
        series.points.push_back(PointOf(one.overlap, one.breaches.perfect));
      }
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Table PrivateTable(const std::vector<MeasuredPrivate>& all) {
  Table table{.title = "Two differentially private releases",
              .header = {"epsilon of each", "in both", "one value left", "... and it is right",
                         "guess right", "guess right without the person's rows",
                         "most that 2 epsilon allows"},
              .rows = {}};
  for (const MeasuredPrivate& one : all) {
    const PrivateBreaches& b = one.breaches;
    const double without = MeanOf(b.guess_without).value;
    table.rows.push_back({Number(b.epsilon, 2), Number(one.overlap),
                          Percent(MeanOf(b.claimed).value, 2), Percent(MeanOf(b.right).value, 2),
                          Percent(MeanOf(b.guess_with).value, 2), Percent(without, 2),
                          Percent(std::min(1.0, std::exp(2 * b.epsilon) * without), 2)});
  }
  return table;
}

Chart PrivateChart(const std::vector<MeasuredPrivate>& all, uint32_t overlap, double blind,
                   uint32_t runs) {
  Chart chart{.title = "The same attack on two private releases: guesses that are right",
              .x = {.label = "epsilon of each release", .unit = "", .logarithmic = true},
              .y = {.label = "people guessed right", .unit = "%", .low = 0},
              .series = {},
              .error_bars = runs > 1 ? "95 % interval of the mean over runs" : ""};
  Series with{.name = "with the person's rows", .points = {}, .is_defended = true},
      without{.name = "without them", .points = {}, .is_reference = true},
      bound{.name = "most that 2 epsilon allows", .points = {}, .is_reference = true},
      prior{.name = "always the most frequent value", .points = {}, .is_reference = true};
  for (const MeasuredPrivate& one : all) {
    if (one.overlap != overlap) continue;
    const PrivateBreaches& b = one.breaches;
    with.points.push_back(PointOf(b.epsilon, b.guess_with));
    without.points.push_back(PointOf(b.epsilon, b.guess_without));
    bound.points.push_back(
        {.x = b.epsilon,
         .y = 100 * std::min(1.0, std::exp(2 * b.epsilon) * MeanOf(b.guess_without).value)});
    prior.points.push_back({.x = b.epsilon, .y = 100 * blind});
  }
  chart.series = {with, without, bound, prior};
  return chart;
}

void Summarise(const std::vector<Measured>& all, const std::vector<MeasuredPrivate>& all_private,
               double blind, Report& report) {
  for (const Measured& one : all) {
    report.summary.push_back(NameOf(one.requirement) + ", " + Shown(one.overlap) +
                             " people in both: the sensitive value of " +
                             Percent(MeanOf(one.breaches.perfect).value, 2).text +
                             " of them is known for certain (one release alone: " +
                             Percent(MeanOf(one.breaches.alone).value, 2).text +
                             "), at most two values are left for " +
                             Percent(MeanOf(one.breaches.partial).value, 1).text + ".");
  }
  for (const MeasuredPrivate& one : all_private) {
    const PrivateBreaches& b = one.breaches;
    report.summary.push_back(
        "Two private releases at epsilon " + Shown(b.epsilon, 2) + " each, " + Shown(one.overlap) +
        " people in both: one value is left and right for " +
        Percent(MeanOf(b.right).value, 2).text + "; the best guess is right for " +
        Percent(MeanOf(b.guess_with).value, 1).text + " of the people, and for " +
        Percent(MeanOf(b.guess_without).value, 1).text +
        " when their rows are in neither release; naming the most frequent value is right for " +
        Percent(blind, 1).text + ".");
  }
}

Result<Done> CheckOptions(const anonymize::Table& table, IntersectionOptions& options) {
  if (options.quasi_identifiers.empty() || options.sensitive.empty()) {
    return InvalidArgument("quasi-identifiers and a sensitive column are needed",
                           "--qi age,sex,zip --sensitive illness");
  }
  const auto& names = options.quasi_identifiers;
  if (std::find(names.begin(), names.end(), options.sensitive) != names.end()) {
    return InvalidArgument(
        "the sensitive column \"" + options.sensitive + "\" is among the quasi-identifiers",
        "a column is one or the other");
  }
  if (options.requirements.empty() || options.runs == 0) {
    return InvalidArgument("at least one k, l or t and one run are needed");
  }
  // Why 5,000 or a sixth: what the published study had, and what a small table can have.
  if (options.overlaps.empty()) options.overlaps = {std::min(5000u, std::max(1u, table.rows / 6))};
  for (const uint32_t overlap : options.overlaps) {
    if (overlap == 0 || overlap > table.rows) {
      return InvalidArgument("the overlap must be from 1 to the number of rows, " +
                             std::to_string(table.rows) + ", not " + std::to_string(overlap));
    }
  }
  std::sort(options.overlaps.begin(), options.overlaps.end());
  constexpr uint32_t kCellsMax = 1u << 20;
  if (options.cells == 0 || options.cells > kCellsMax) {
    return InvalidArgument("the private releases have 1 to 2^20 cells");
  }
  return Done{};
}

Report Words(const anonymize::Table& table, const IntersectionOptions& options) {
  Report report{.name = "intersection",
                .title = "Two releases, each fine alone",
                .shows =
                    "The table is split at random into two overlapping groups, as two "
                    "hospitals share patients, and each is coarsened by itself. Whoever knows "
                    "a person's quasi-identifiers, and that they are in both, takes what the "
                    "two matching classes have in common."};
  std::string names, overlaps;
  for (const std::string& name : options.quasi_identifiers) {
    names += (names.empty() ? "" : ", ") + name;
  }
  for (const uint32_t overlap : options.overlaps) {
    overlaps += (overlaps.empty() ? "" : ", ") + Shown(overlap);
  }
  report.parameters = {
      {"file", table.name},
      {"rows", Shown(table.rows)},
      {"quasi-identifiers", names},
      {"sensitive", options.sensitive},
      {"people in both", overlaps},
      {"runs", std::to_string(options.runs) + ", seeds " + std::to_string(options.seed) + " to " +
                   std::to_string(options.seed + options.runs - 1)},
      {"method", "strict Mondrian"}};
  if (options.targets < options.overlaps.back()) {
    report.parameters.push_back({"of them attacked in each run", Shown(options.targets)});
  }
  report.seed = options.seed;
  report.cautions = {
      "The attacker is given that the person is in both releases, and the exact quasi-identifiers. "
      "The share of people in both and the number of sensitive values decide: people in both "
      "classes are what keeps the intersection large."};
  if (!options.epsilons.empty()) {
    report.parameters.push_back({"private releases", "noisy counts of every value in " +
                                                         std::to_string(options.cells) +
                                                         " cells of a public grid"});
    report.cautions.push_back(
        "A good guess is not a breach: values that are frequent among people alike are guessed "
        "right whether or not the person is in the data. Epsilon bounds the difference. The noise "
        "of the private releases has no seed, so their figures change a little between runs.");
  }
  report.defence = {
      "A guarantee that composes",
      "Two differentially private releases cost the sum of their epsilons, whatever else the "
      "reader knows: what is learnt of a person in both changes the odds by at most e^(2 epsilon). "
      "k, l and t have no such rule."};
  return report;
}

}  // namespace

Result<Report> AttackIntersection(const anonymize::Table& table, IntersectionOptions options,
                                  const Progress& progress) {
  TACIT_CHECK(CheckOptions(table, options));
  TACIT_TRY(const std::vector<Domain> domains,
            anonymize::MakeDomains(table, options.quasi_identifiers, options.rules));
  TACIT_TRY(const Domain sensitive,
            anonymize::MakeSensitiveDomain(table, options.sensitive, options.rules));
  const double steps = static_cast<double>(options.overlaps.size()) *
                       static_cast<double>(options.requirements.size() + options.epsilons.size());
  double done = 0;
  std::vector<Measured> all;
  std::vector<MeasuredPrivate> all_private;
  for (const uint32_t overlap : options.overlaps) {
    for (Requirement requirement : options.requirements) {
      requirement.distance = anonymize::DistanceFor(sensitive);
      Tell(progress, NameOf(requirement), done++ / steps);
      TACIT_TRY(const Breaches breaches, Intersect(domains, sensitive, overlap, requirement,
                                                   options.runs, options.seed, options.targets));
      all.push_back({requirement, overlap, breaches});
    }
    for (const Epsilon& epsilon : options.epsilons) {
      Tell(progress, "private releases", done++ / steps);
      TACIT_TRY(const PrivateBreaches breaches,
                IntersectPrivate(domains, sensitive, overlap, epsilon, options.cells, options.runs,
                                 options.seed, options.targets));
      all_private.push_back({overlap, breaches});
    }
  }
  Report report = Words(table, options);
  const double blind = BlindGuess(sensitive);
  Summarise(all, all_private, blind, report);
  report.tables.push_back(BreachTable(all));
  if (std::count_if(options.requirements.begin(), options.requirements.end(), IsPlainK) > 0) {
    report.charts.push_back(ChartByK(all, options.overlaps.back(), options.runs));
  }
  if (options.overlaps.size() > 1) report.charts.push_back(ChartByOverlap(all, options));
  if (!all_private.empty()) {
    report.tables.push_back(PrivateTable(all_private));
    report.charts.push_back(
        PrivateChart(all_private, options.overlaps.back(), blind, options.runs));
  }
  return report;
}

}  // namespace tacit::attack
