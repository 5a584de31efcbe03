#include "attack/linkage/linkage.h"
#include "attack/statistics.h"

namespace tacit::attack {
namespace {

Cell ShareCell(uint64_t part, uint64_t whole) {
  if (whole == 0) return Text("-");
  return Percent(ShareOf(static_cast<int64_t>(part), static_cast<int64_t>(whole)).value);
}

Point SharePoint(double x, uint64_t part, uint64_t whole) {
  const Estimate share = ShareOf(static_cast<int64_t>(part), static_cast<int64_t>(whole));
  return {.x = x, .y = 100 * share.value, .low = 100 * share.low, .high = 100 * share.high};
}

// For the axis: the table beside the chart says what a step does.
std::string StepName(const Links& links, size_t step) {
  const std::string_view coarsened = "coarsened to ";
  if (links.how.starts_with(coarsened)) return links.how.substr(coarsened.size());
  return links.how.starts_with("as ") ? links.how : "step " + std::to_string(step);
}

void AddFigures(const std::vector<Links>& all, bool scored, Report& report) {
  Table table{.title = "Links against coarsening",
              .header = {"release", "links claimed", "precision", "recall", "guess right",
                         "rows that fit (median)"},
              .rows = {}};
  Chart chart{.title = "Precision and recall against coarsening",
              .x = {.label = "coarsening, as in the table"},
              .y = {.label = "share", .unit = "%", .low = 0, .high = 100},
              .series = {},
              .error_bars = "95 % interval of a share"};
  Series precision{.name = "precision: links that are right", .points = {}},
      recall{.name = "recall: people in both who are linked", .points = {}},
      guess{.name = "guess among the rows that fit", .points = {}};
  for (size_t i = 0; i < all.size(); ++i) {
    const Links& links = all[i];
    const auto x = static_cast<double>(i);
    chart.x.names.push_back(StepName(links, i));
    const auto claimed = static_cast<double>(links.claimed);
    if (!scored) {
      table.rows.push_back(
          {Text(links.how), Number(claimed), Text("-"), Text("-"), Text("-"), Text("-")});
      continue;
    }
    table.rows.push_back({Text(links.how), Number(claimed), ShareCell(links.right, links.claimed),
                          ShareCell(links.right, links.in_both), Percent(links.guess),
                          Number(links.median_fit)});
    if (links.claimed > 0) precision.points.push_back(SharePoint(x, links.right, links.claimed));
    if (links.in_both > 0) recall.points.push_back(SharePoint(x, links.right, links.in_both));
    guess.points.push_back({.x = x, .y = 100 * links.guess});
  }
  report.tables.push_back(std::move(table));
  if (!scored) return;
  chart.series = {precision, recall, guess};
  report.charts.push_back(std::move(chart));
}

std::string SentenceOf(const Links& links, bool scored) {
  const bool is_step = !links.how.starts_with("as ") && !links.how.starts_with("coarsened");
  std::string text = "The release " + (is_step ? "with " + links.how : links.how) + ": " +
                     Shown(static_cast<double>(links.claimed)) + " rows get a name";
  if (!scored) return text + ".";
  if (links.claimed > 0) text += ", " + ShareCell(links.right, links.claimed).text + " rightly";
  return text + "; " + ShareCell(links.right, links.in_both).text + " of the " +
         Shown(static_cast<double>(links.in_both)) +
         " people in both files are named. Whoever guesses among the rows that fit a person is "
         "right with a chance of " +
         Percent(links.guess).text + ".";
}

}  // namespace

Result<Report> AttackLinkage(const anonymize::Table& release, const anonymize::Table& list,
                             const LinkageOptions& options, const Progress& progress) {
  TACIT_TRY(const std::vector<Links> all, LinkFiles(release, list, options, progress));
  Report report{.name = "linkage",
                .title = "Putting the names back",
                .shows =
                    "Joins a release without names with a list with names on what both have. "
                    "A row that fits one person only, who fits that row only, is claimed to "
                    "be that person. It needs a list: voters, members, a neighbour's memory."};
  std::string on;
  for (const std::string& name : options.on) on += (on.empty() ? "" : ", ") + name;
  report.parameters = {{"release", release.name + ", " + Shown(release.rows) + " rows"},
                       {"list", list.name + ", " + Shown(list.rows) + " people"},
                       {"linked on", on}};
  if (options.invented) report.seed = options.seed;
  const bool scored = !options.truth.empty();
  AddFigures(all, scored, report);
  for (size_t i = 0; i < all.size(); ++i) {
    // The steps between are in the table.
    const bool is_step = !all[i].how.starts_with("coarsened");
    const bool is_between =
        i > 0 && is_step && i + 1 < all.size() && !all[i + 1].how.starts_with("coarsened");
    if (!is_between) report.summary.push_back(SentenceOf(all[i], scored));
  }
  if (!scored) {
    report.cautions.push_back(
        "Without --truth nobody knows which links are right: people who are "
        "in neither file make some of them wrong.");
  }
  report.cautions.push_back(
      "Links are wrong when the person who really is in the row is not on the list. The table "
      "counts that; an attacker with a longer list has fewer of them.");
  report.defence = {"Release no rows",
                    "There is nothing to join with: a differentially private answer is about "
                    "groups, and hardly changes when any one person's row is left out."};
  return report;
}

}  // namespace tacit::attack
