#include "release/fit/adaptive.h"

#include <algorithm>

namespace tacit::release {
namespace {

// Of a round's rho, so much chooses: knowing roughly where the error is suffices.
const Rational kChoosingOfRound(1, 10);
// Why these: a start that knows most needs few steps, and the last fit may take its time.
constexpr int kRoundIterations = 60;
constexpr double kRoundRate = 0.05;

}  // namespace

size_t RoundsFor(size_t columns, size_t queries) {
  return std::min(queries, std::clamp<size_t>(2 * columns, 4, 30));
}

// proof: release/proof.md#3-what-a-choice-costs
AdaptiveFit FitAdaptively(const std::vector<Query>& queries, const Rational& rho,
                          const FitSettings& settings, Measured& measured, Curator& curator,
                          const Progress& progress) {
  AdaptiveFit fit{.targets = MakeTargets(measured, settings.threads),
                  .fitted = {},
                  .tables = {},
                  .answered = {}};
  const size_t rounds = RoundsFor(measured.views.size(), queries.size());
  const Rational round = rho * Rational(999'999, 1'000'000) /
                         MakeRational(static_cast<Int128>(std::max<size_t>(1, rounds)));
  FitSettings short_fit = settings;
  short_fit.iterations_max = kRoundIterations;
  fit.fitted = FitMixture(fit.targets, {}, short_fit, {}, curator.entropy(), nullptr);
  std::vector<Query> left = queries;
  std::vector<size_t> places(queries.size());
  for (size_t q = 0; q < queries.size(); ++q) places[q] = q;
  for (size_t i = 0; i < rounds; ++i) {
    const Asking asking{.wanted = 1,
                        .choosing = round * kChoosingOfRound,
                        .each = round * Rational(1 - kChoosingOfRound)};
    Answered answered = AskFarthest(left, asking, measured, fit.targets, fit.fitted.mixture,
                                    settings.threads, curator)[0];
    const Query query = left[answered.which];
    if (query.columns.size() == 2 && query.views.empty()) {
      measured.pairs.push_back(
          {.a = query.columns[0], .b = query.columns[1], .table = answered.table});
      fit.targets = MakeTargets(measured, settings.threads);
    } else {
      fit.tables.push_back(FitTableOf(query, answered, fit.targets, fit.fitted.mixture));
    }
    const auto at = static_cast<std::ptrdiff_t>(answered.which);
    answered.which = places[answered.which];
    fit.answered.push_back(std::move(answered));
    left.erase(left.begin() + at);
    places.erase(places.begin() + at);
    const bool last = i + 1 == rounds;
    FitSettings own = last ? settings : short_fit;
    own.rate = kRoundRate;
    // Pairs alone would say that it is enough before the other tables are fitted.
    if (!fit.tables.empty()) own.chi_square_enough = 0;
    fit.fitted = FitMixture(fit.targets, fit.tables, own, std::move(fit.fitted.mixture),
                            curator.entropy(), nullptr);
    if (progress) {
      progress("round " + std::to_string(i + 1) + " of " + std::to_string(rounds),
               100.0 * static_cast<double>(i + 1) / static_cast<double>(rounds));
    }
  }
  return fit;
}

}  // namespace tacit::release
