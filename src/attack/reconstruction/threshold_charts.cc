#include <cmath>

#include "attack/reconstruction/charts.h"
#include "attack/reconstruction/threshold.h"

namespace tacit::attack {
namespace {

constexpr double kNoises[] = {0.1, 0.25, 0.33, 0.5, 1, 2};

Axis ShareAxis() { return {.label = "secrets reconstructed", .unit = "%", .low = 50, .high = 100}; }

Result<Series> Curve(const std::string& name, const CoinExperiment& base, bool in_people,
                     const Dice& dice, const Progress& progress) {
  Series series{.name = name, .points = {}};
  for (size_t i = 0; i < std::size(kNoises); ++i) {
    Tell(progress, "reconstruction: " + name, static_cast<double>(i) / std::size(kNoises));
    CoinExperiment experiment = base;
    experiment.noise = kNoises[i];
    TACIT_TRY(const Estimate share, ReconstructCoins(experiment, dice.Part(i)));
    const double x = in_people ? kNoises[i] * std::sqrt(base.people) : kNoises[i];
    series.points.push_back({x, 100 * share.value, 100 * share.low, 100 * share.high});
  }
  return series;
}

}  // namespace

Result<Chart> ThresholdChart(const ReconstructionSettings& settings, const Progress& progress) {
  Chart chart{.title = "The threshold: noise around the square root of n",
              .x = {.label = "noise deviation / sqrt(n)", .logarithmic = true},
              .y = ShareAxis(),
              .series = {},
              .error_bars = "95 % interval (Wilson) over people and runs",
              .marks = {}};
  const Dice dice = Dice(settings.seed).Part(6);
  const uint32_t n = settings.coins;
  const auto add = [&](const std::string& name, const CoinExperiment& experiment) -> Result<Done> {
    const size_t done = chart.series.size();
    TACIT_TRY(Series series,
              Curve(name, experiment, false, dice.Part(done), PartOf(progress, done, 3)));
    chart.series.push_back(std::move(series));
    return Done{};
  };
  const std::string many = "n = " + std::to_string(n);
  TACIT_CHECK(add("least squares, " + many + ", 4n answers",
                  {.people = n, .answers = 4 * n, .runs = settings.runs}));
  TACIT_CHECK(add("least squares, " + many + ", 2n answers",
                  {.people = n, .answers = 2 * n, .runs = settings.runs}));
  const uint32_t few = settings.lp_coins;
  TACIT_CHECK(
      add("linear program, n = " + std::to_string(few) + ", 4n answers",
          {.people = few, .answers = 4 * few, .linear_program = true, .runs = settings.runs}));
  Series theory{.name = "theory of least squares, 4n answers", .points = {}, .is_reference = true};
  for (const double noise : kNoises) {
    theory.points.push_back({noise, 100 * LeastSquaresTheory(4, noise)});
  }
  chart.series.push_back(std::move(theory));
  return chart;
}

Result<Chart> NoiseChart(const ReconstructionSettings& settings, const Progress& progress) {
  Chart chart{.title = "The same noise protects few people, not many",
              .x = {.label = "noise deviation", .unit = "people", .logarithmic = true},
              .y = ShareAxis(),
              .series = {},
              .error_bars = "95 % interval (Wilson) over people and runs",
              .marks = {}};
  const Dice dice = Dice(settings.seed).Part(7);
  size_t part = 0;
  for (const uint32_t n : {settings.coins / 8, settings.coins / 4, settings.coins / 2}) {
    const Progress own = PartOf(progress, part++, 3);
    if (n < 8) continue;
    TACIT_TRY(Series series, Curve("n = " + std::to_string(n) + ", 4n answers",
                                   {.people = n, .answers = 4 * n, .runs = settings.runs}, true,
                                   dice.Part(n), own));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace tacit::attack
