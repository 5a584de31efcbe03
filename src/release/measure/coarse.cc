#include "release/measure/coarse.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tacit::release {
namespace {

// A NULL below this many standard deviations of its noise is taken for none.
constexpr double kNullDeviations = 3;

// Few where noise is large, more where it is small: what is lost by joining cells falls with their
// number, and what noise does grows with it. About as many as twentieths or more become twentieths
// or whole parts of them.
double BinsFor(double rows_per_noise, size_t values) {
  const double bins = kCoarseCells * std::cbrt(rows_per_noise / 1000);
  const double most = static_cast<double>(std::min(values, kCoarseCellsMost));
  const double twentieths = std::floor(std::min(bins, most) / kTwentieths);
  if (twentieths >= 1) return kTwentieths * twentieths;
  return bins >= 0.9 * kTwentieths ? kTwentieths : std::floor(std::max(bins, 8.0));
}

// Values that differ from their mean by no more than noise of this variance would are put there:
// the estimate of James and Stein, which is better than the values themselves.
void Shrink(double variance, std::vector<double>& values) {
  if (values.size() < 4) variance = 0;
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double square = 0;
  for (const double value : values) square += (value - mean) * (value - mean);
  const double noise = variance * (static_cast<double>(values.size()) - 3);
  const double kept = square > noise ? 1 - noise / square : 0;
  for (double& value : values) value = std::max(0.0, mean + kept * (value - mean));
}

}  // namespace

double Uniform(Entropy& entropy) { return static_cast<double>(entropy.NextWord() >> 11) * 0x1p-53; }

size_t UniformBelow(size_t bound, Entropy& entropy) {
  return std::min(bound - 1, static_cast<size_t>(Uniform(entropy) * static_cast<double>(bound)));
}

std::vector<size_t> Apportion(const std::vector<double>& shares, size_t total) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<size_t> parts(shares.size());
  std::vector<std::pair<double, size_t>> rest;
  size_t given = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    const double exact = sum > 0 ? shares[i] / sum * static_cast<double>(total)
                                 : static_cast<double>(total) / static_cast<double>(shares.size());
    parts[i] = std::min(total - given, static_cast<size_t>(exact));
    given += parts[i];
    rest.emplace_back(static_cast<double>(parts[i]) - exact, i);
  }
  std::sort(rest.begin(), rest.end());
  for (size_t i = 0; given < total; i = (i + 1) % rest.size(), ++given) ++parts[rest[i].second];
  return parts;
}

std::vector<uint16_t> Dealt(const std::vector<double>& shares, size_t count, Entropy& entropy) {
  std::vector<uint16_t> deck;
  deck.reserve(count);
  const std::vector<size_t> parts = Apportion(shares, count);
  for (size_t i = 0; i < parts.size(); ++i)
    deck.insert(deck.end(), parts[i], static_cast<uint16_t>(i));
  for (size_t i = deck.size(); i > 1; --i) std::swap(deck[i - 1], deck[UniformBelow(i, entropy)]);
  return deck;
}

View CoarseView(const ColumnShape& shape, const NoisyTable& histogram) {
  View view{.cell_of = std::vector<uint16_t>(shape.cells), .cells = 0};
  const size_t values = shape.cells - (shape.has_null ? 1 : 0);
  if (!shape.ordered || values <= kCoarseCells) {
    std::iota(view.cell_of.begin(), view.cell_of.end(), uint16_t{0});
    view.cells = values;
  } else {
    const std::vector<double> known(histogram.counts.begin(),
                                    histogram.counts.begin() + static_cast<std::ptrdiff_t>(values));
    double total = 0;
    for (const double count : known) total += std::max(0.0, count);
    const double bins = BinsFor(total / std::sqrt(histogram.variance), values);
    double seen = 0;
    double full = 0;  // bins of equal mass so far; others end where they have to
    uint16_t bin = 0;
    for (size_t i = 0; i < values; ++i) {
      view.cell_of[i] = bin;
      seen += std::max(0.0, known[i]);
      const bool ends = seen >= total / bins * (full + 1) && full + 1 < bins;
      if (ends) ++full;
      const bool cut = std::find(shape.cuts.begin(), shape.cuts.end(), i + 1) != shape.cuts.end();
      if ((ends || cut) && i + 1 < values) ++bin;
    }
    view.cells = bin + 1u;
  }
  if (shape.has_null) {
    const double least = kNullDeviations * std::sqrt(histogram.variance);
    const bool shown = histogram.counts.back() > least || view.cells == 0;
    view.cell_of.back() = shown ? static_cast<uint16_t>(view.cells) : kNowhere;
    if (shown) ++view.cells;
  }
  return view;
}

std::vector<double> OntoSimplex(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double shift = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] > candidate) shift = candidate;
  }
  std::vector<double> shares;
  for (const double value : values) shares.push_back(std::max(0.0, value - shift));
  return shares;
}

std::vector<uint16_t> Refined(const std::vector<uint16_t>& coarse, const View& view,
                              const std::vector<double>& shares, double variance,
                              Entropy& entropy) {
  std::vector<std::vector<uint16_t>> fine_of(view.cells);
  for (size_t i = 0; i < view.cell_of.size(); ++i) {
    if (view.cell_of[i] != kNowhere) fine_of[view.cell_of[i]].push_back(static_cast<uint16_t>(i));
  }
  std::vector<size_t> rows_of(view.cells);
  for (const uint16_t cell : coarse) ++rows_of[cell];
  std::vector<std::vector<uint16_t>> deck(view.cells);
  for (size_t cell = 0; cell < view.cells; ++cell) {
    std::vector<double> weights;
    for (const uint16_t fine : fine_of[cell]) weights.push_back(shares[fine]);
    Shrink(variance, weights);
    deck[cell] = Dealt(weights, rows_of[cell], entropy);
    for (uint16_t& dealt : deck[cell]) dealt = fine_of[cell][dealt];
  }
  std::vector<uint16_t> fine;
  fine.reserve(coarse.size());
  for (const uint16_t cell : coarse) {
    fine.push_back(deck[cell].back());
    deck[cell].pop_back();
  }
  return fine;
}

}  // namespace tacit::release
