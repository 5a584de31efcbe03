#include "attack/dimension/dimension.h"

#include <algorithm>
#include <numeric>

#include "anonymize/partition/mondrian.h"
#include "attack/dice.h"
#include "attack/statistics.h"

namespace tacit::attack {
namespace {

using anonymize::Domain;

// For one k and one number of columns: over the orders.
struct Losses {
  std::vector<double> loss;     // normalised certainty penalty
  std::vector<double> average;  // rows a class
  std::vector<double> blurred;  // the share of cells that are no longer exact
};

double BlurredShare(const anonymize::Classes& classes) {
  uint64_t cells = 0;
  for (size_t c = 0; c < classes.size(); ++c) {
    for (const anonymize::Bounds& bounds : classes.BoundsOf(c)) {
      if (bounds.low != bounds.high) cells += classes.RowsOf(c).size();
    }
  }
  return static_cast<double>(cells) / static_cast<double>(classes.rows.size() * classes.columns);
}

// The orders in which columns are added: the one of the options, then random ones.
std::vector<std::vector<size_t>> Orders(size_t columns, const DimensionOptions& options) {
  std::vector<std::vector<size_t>> orders;
  for (uint32_t i = 0; i < options.orders; ++i) {
    std::vector<size_t>& order = orders.emplace_back(columns);
    std::iota(order.begin(), order.end(), size_t{0});
    if (i > 0) Dice(options.seed).Part(i).Shuffle(order);
  }
  return orders;
}

// Orders are few and no sample of anything: the bar is what was seen.
void SetRange(const std::vector<double>& over_orders, Point& point) {
  const auto [low, high] = std::minmax_element(over_orders.begin(), over_orders.end());
  point.low = 100 * *low;
  point.high = 100 * *high;
}

void AddFigures(const std::vector<std::vector<Losses>>& losses, const DimensionOptions& options,
                Report& report) {
  Chart cells{.title = "Cells that are no longer exact",
              .x = {.label = "columns that are released", .unit = ""},
              .y = {.label = "cells of these columns", .unit = "%", .low = 0, .high = 100},
              .series = {},
              .error_bars = "the least and the most over the orders of adding"};
  Chart chart{.title = "Information loss as attributes are added",
              .x = {.label = "columns that are released", .unit = ""},
              .y = {.label = "share of each column's range left open", .unit = "%", .low = 0},
              .series = {},
              .error_bars = "the least and the most over the orders of adding"};
  Table table{.title = "Information loss",
              .header = {"k", "quasi-identifiers", "loss (NCP)", "cells not exact", "rows a class"},
              .rows = {}};
  for (size_t i = 0; i < options.ks.size(); ++i) {
    Series series{.name = "k = " + std::to_string(options.ks[i]), .points = {}};
    Series exact = series;
    for (size_t d = 0; d < losses[i].size(); ++d) {
      const Estimate loss = MeanOf(losses[i][d].loss);
      const auto columns = static_cast<double>(d + 1);
      Point point{.x = columns, .y = 100 * loss.value};
      const Estimate blurred = MeanOf(losses[i][d].blurred);
      Point cell{.x = columns, .y = 100 * blurred.value};
      if (options.orders > 1) {
        SetRange(losses[i][d].loss, point);
        SetRange(losses[i][d].blurred, cell);
      }
      series.points.push_back(point);
      exact.points.push_back(cell);
      table.rows.push_back({Number(options.ks[i]), Number(columns), Percent(loss.value, 2),
                            Percent(blurred.value), Number(MeanOf(losses[i][d].average).value, 1)});
    }
    chart.series.push_back(std::move(series));
    cells.series.push_back(std::move(exact));
  }
  report.charts.push_back(std::move(cells));
  report.charts.push_back(std::move(chart));
  report.tables.push_back(std::move(table));
}

Result<std::vector<std::vector<Losses>>> Measure(const anonymize::Table& table,
                                                 const DimensionOptions& options,
                                                 const Progress& progress) {
  TACIT_TRY(const std::vector<Domain> domains,
            anonymize::MakeDomains(table, options.columns, options.rules));
  const std::vector<uint32_t> rows = anonymize::AllRows(table);
  std::vector<std::vector<Losses>> losses(options.ks.size(), std::vector<Losses>(domains.size()));
  const std::vector<std::vector<size_t>> orders = Orders(domains.size(), options);
  double done = 0;
  for (const std::vector<size_t>& order : orders) {
    std::vector<Domain> added;
    for (size_t d = 0; d < order.size(); ++d) {
      added.push_back(domains[order[d]]);
      for (size_t i = 0; i < options.ks.size(); ++i) {
        TACIT_TRY(const anonymize::Classes classes,
                  anonymize::Mondrian(added, rows, {.k = options.ks[i]}, nullptr));
        const anonymize::Measures measures = anonymize::Measure(added, classes, nullptr);
        losses[i][d].loss.push_back(measures.loss);
        losses[i][d].average.push_back(measures.average);
        losses[i][d].blurred.push_back(BlurredShare(classes));
      }
      Tell(progress, "attributes added",
           ++done / static_cast<double>(orders.size() * order.size()));
    }
  }
  return losses;
}

}  // namespace

Result<Report> AttackDimension(const anonymize::Table& table, const DimensionOptions& options,
                               const Progress& progress) {
  if (options.columns.empty() || options.ks.empty() || options.orders == 0) {
    return InvalidArgument("quasi-identifiers, k and the number of orders must be given",
                           "--qi age,sex,zip --k 2,5,10");
  }
  TACIT_TRY(const std::vector<std::vector<Losses>> losses, Measure(table, options, progress));
  Report report{.name = "dimension",
                .title = "What k-anonymity costs as attributes are added",
                .shows =
                    "Coarsens the table to k rows a class over 1, 2, ... quasi-identifiers "
                    "and measures how much of the cells is lost. No attacker is needed: the "
                    "more is recorded of people, the more unlike they are, and the less is "
                    "left of a release that makes them alike."};
  std::string names;
  for (const std::string& name : options.columns) names += (names.empty() ? "" : ", ") + name;
  report.parameters = {
      {"file", table.name},
      {"rows", Shown(table.rows)},
      {"quasi-identifiers", names},
      {"orders", "as named, and " + std::to_string(options.orders - 1) + " random"},
      {"method", "strict Mondrian"}};
  report.seed = options.seed;
  AddFigures(losses, options, report);
  for (size_t i = 0; i < options.ks.size(); ++i) {
    report.summary.push_back("k = " + std::to_string(options.ks[i]) + ": " +
                             Percent(MeanOf(losses[i].front().blurred).value).text +
                             " of the cells are no longer exact with one quasi-identifier, " +
                             Percent(MeanOf(losses[i].back().blurred).value).text + " with " +
                             std::to_string(options.columns.size()) + "; the loss rises from " +
                             Percent(MeanOf(losses[i].front().loss).value, 2).text + " to " +
                             Percent(MeanOf(losses[i].back().loss).value, 2).text + ".");
  }
  report.cautions = {
      "The loss is the normalised certainty penalty: 0 for an exact cell, the share of the "
      "column's range or values that a coarser one leaves open, averaged over the cells of the "
      "quasi-identifiers. Other measures give other numbers and the same direction."};
  report.defence = {"Pay for questions, not for columns",
                    "The noise of a differentially private answer depends on the question asked, "
                    "not on how many columns the table has."};
  return report;
}

}  // namespace tacit::attack
