#include "learn/classify/naive_bayes.h"

#include <algorithm>
#include <cmath>

namespace tacit::learn {
namespace {

// The noisy numbers of rows of one feature, by class and cell.
using BayesCounts = std::vector<std::vector<double>>;

// The mean of estimates of one number, each made of so many numbers with the same noise.
struct BayesMean {
  double weighted = 0;
  double weights = 0;
  void Add(double value, size_t numbers) {
    weighted += value / static_cast<double>(numbers);
    weights += 1 / static_cast<double>(numbers);
  }
  double Value() const { return weighted / weights; }
};

}  // namespace

std::vector<Round> NaiveBayesRounds(const CellWish& wish) {
  Round round{.what = "rows by class and cell of each feature",
              .tables = {},
              .nonnegative = true,
              .unit = 1,
              .share = 1};
  for (const CellColumn& feature : wish.features) {
    round.tables.push_back({.cells = feature.Cells() * wish.target.Cells(), .limit = 1});
  }
  return {round};
}

CellFit TrainNaiveBayes(const CellWish& wish, Rounds& rounds) {
  const size_t classes = wish.target.Cells();
  const std::vector<double> counted =
      rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
        for (size_t f = 0; f < wish.features.size(); ++f) {
          summands[f] = {codes[0] * wish.features[f].Cells() + codes[f + 1], 1};
        }
      });
  const double noise = rounds.DeviationOf(0);
  std::vector<BayesCounts> counts;
  std::vector<BayesMean> means(classes);
  size_t at = 0;
  double best_cells = 0;
  for (const CellColumn& feature : wish.features) {
    BayesCounts of(classes);
    for (size_t c = 0; c < classes; ++c) {
      double sum = 0;
      for (size_t cell = 0; cell < feature.Cells(); ++cell) {
        of[c].push_back(counted[at]);
        sum += counted[at++];
      }
      means[c].Add(sum, feature.Cells());
    }
    best_cells += 1 / static_cast<double>(feature.Cells());
    counts.push_back(std::move(of));
  }
  CellFit fit;
  for (const BayesMean& mean : means) {
    fit.class_rows.push_back(mean.Value());
    fit.rows += mean.Value();
  }
  const double rows_noise = noise * std::sqrt(static_cast<double>(classes) / best_cells);
  fit.known = fit.rows > std::max(kRowsOverNoise3 * rows_noise, 1.0);
  if (!fit.known) return fit;
  // A count that the noise hides says no more than that it is not much larger.
  const double least = std::max(noise, 1.0);
  for (size_t c = 0; c < classes; ++c) {
    fit.constants.push_back(std::log(std::max(fit.class_rows[c], least) / fit.rows));
    fit.weights.emplace_back();
    fit.noise.emplace_back();
    for (const BayesCounts& of : counts) {
      double sum = 0;
      for (const double count : of[c]) sum += std::max(count, least);
      std::vector<double> weights;
      std::vector<double> errors;
      for (const double count : of[c]) {
        weights.push_back(std::log(std::max(count, least) / sum));
        errors.push_back(noise / std::max(count, least));
      }
      fit.weights[c].push_back(std::move(weights));
      fit.noise[c].push_back(std::move(errors));
    }
  }
  return fit;
}

}  // namespace tacit::learn
