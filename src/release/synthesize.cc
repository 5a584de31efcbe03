#include "release/synthesize.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "release/error_estimate.h"
#include "release/fit/adaptive.h"
#include "release/fit/mwem.h"

namespace tacit::release {
namespace {

constexpr size_t kTriplesAsked = 6;
constexpr size_t kPairsOfColumn = 4;
constexpr size_t kQueriesAsked = 32;
// Of the rho of queries, so much chooses them where not all are asked.
const Rational kChoosing(15, 100);
// What rounding may add to payments.
const Rational kNearlyAll(999'999, 1'000'000);
// Sweeps over the rows: one suffices where they come from a model; more where rows have to be
// turned away from what is impossible.
constexpr int kSweeps = 1;
constexpr int kSweepsDirect = 2;
// Of few columns: there a row is easily put right in the wrong column first.
constexpr int kSweepsOfFew = 3;
constexpr int kSweepsOfRules = 4;
// After queries were answered: what is known by then needs few and small steps.
constexpr int kRefitIterations = 60;
constexpr double kRefitRate = 0.03;
// How far a run has come, in percent, when the model is fitted: once, and with what was asked.
constexpr double kFittedOnce = 60;
constexpr double kFitted = 80;

// Why these: more kinds fit more finely and take longer, 4 x kinds x cells^2 operations an
// iteration; few suffice where many cells share them. Clear measurements are worth more steps.
FitSettings SettingsFor(const Targets& targets, double sigma, size_t threads) {
  FitSettings settings{.threads = threads};
  settings.components = targets.cells() <= 100   ? std::clamp<size_t>(20 * targets.cells(), 40, 500)
                        : targets.cells() <= 400 ? 1500
                                                 : 300;
  settings.iterations_max = targets.rows / sigma < 1500 ? 300 : 800;
  if (targets.cells() > 400) settings.iterations_max = 200;
  return settings;
}

// How far independent columns are from what was measured, less what noise alone would do. The
// columns' shares hardly depend on the noise of a single pair, so that is nearly unbiased.
void AddDependence(const Targets& targets, RunSummary& summary) {
  summary.chi_square_independent = ChiSquarePerCell(IndependentBlocks(targets), targets);
  const auto cells = static_cast<double>(summary.pair_cells);
  const double excess = summary.chi_square_independent - 1;
  const double sigma = summary.pair_sigma_least / targets.rows;
  // Total variation of a table whose cells are off by this much at root mean square: at most.
  const double size = cells / static_cast<double>(std::max<size_t>(1, summary.pairs));
  summary.dependence = 0.5 * size * sigma * std::sqrt(std::max(0.0, excess));
  summary.dependence_noise = 0.5 * size * sigma * std::sqrt(std::sqrt(2 / cells));
}

// About so many rows has the table, whatever they count.
double RowsIn(const Measured& measured, const Targets& targets, const SynthesisWish& wish) {
  const Weighing& weighing = wish.weighing;
  if (!weighing.IsOn()) return measured.rows;
  return measured.rows * weighing.RowsPerCount(targets.ones[weighing.column]);
}

size_t RowsFor(const Measured& measured, const Targets& targets, const SynthesisWish& wish) {
  const auto estimated = static_cast<size_t>(std::llround(RowsIn(measured, targets, wish)));
  const size_t rows = wish.rows.value_or(estimated);
  return wish.rows_max > 0 ? std::min(rows, wish.rows_max) : rows;
}

// The run, from histograms to rows of the views' cells.
class Run {
 public:
  Run(const Rho& rho, const Shares& shares, const SynthesisWish& wish, Curator& curator,
      const Progress& progress)
      : rho_(rho.value), shares_(shares), wish_(wish), curator_(curator), progress_(progress) {}

  Rows Make(Measured& measured, SyntheticTable& made) {
    for (const Impossible& rule : wish_.impossible) {
      rules_.impossible.push_back(ThroughViews(rule, measured.views));
    }
    if (shares_.pairs > 0) CountPairs(measured);
    targets_ = MakeTargets(measured, wish_.threads);
    count_ = RowsFor(measured, targets_, wish_);
    rules_.weighing = wish_.weighing;
    Rows rows = measured.views.size() == 1 ? DrawnIndependent() : Made(measured, made);
    if (measured.views.size() == 1 && !rules_.impossible.empty()) {
      ImproveRows(targets_.first, {}, {}, rules_, 1, rows, nullptr);
    }
    AddNoise(measured, made.summary);
    made.summary.rows_estimated = RowsIn(measured, targets_, wish_);
    if (!measured.pairs.empty()) {
      made.summary.chi_square = ChiSquarePerCell(PairsOf(rows, targets_, wish_.weighing), targets_);
      AddDependence(targets_, made.summary);
    }
    return rows;
  }

 private:
  Rows DrawnIndependent() const {
    return DrawIndependent(targets_, wish_.weighing, count_, curator_.entropy());
  }
  Rows DrawnFrom(const Mixture& mixture) const {
    return DrawRows(mixture, targets_, wish_.weighing, count_, curator_.entropy());
  }

  Rows Made(Measured& measured, SyntheticTable& made) {
    switch (wish_.method) {
      case Method::kDirect:
        return Direct();
      case Method::kMwem:
        return Mwem(measured, made);
      case Method::kAdaptive:
        return Adaptive(measured, made);
      case Method::kMixture:
        return Mixed(measured, made);
    }
    return {};
  }

  void CountPairs(Measured& measured) {
    const Rational for_pairs = rho_ * shares_.for_pairs;
    const std::vector<ColumnPair> pairs =
        shares_.choosing > 0 ? ChoosePairs(measured, shares_.pairs, rho_ * shares_.choosing,
                                           for_pairs, wish_.threads, curator_)
                             : AllPairs(measured.views.size());
    MeasurePairs(pairs, for_pairs, measured, curator_, Between(progress_, 0, kMeasured));
    done_ = kMeasured;
  }

  Rows Direct() {
    Rows rows = DrawnIndependent();
    std::vector<Matrix> clean;
    for (const Targets::Pair& pair : targets_.pairs) clean.push_back(pair.clean);
    Improve(clean, {}, kSweepsDirect, rows);
    return rows;
  }

  void Improve(const std::vector<Matrix>& pairs, const std::vector<FitTable>& tables, int sweeps,
               Rows& rows) {
    const double total = wish_.weighing.Total(rows);
    PairTargets near = PairTargetsOf(pairs, targets_, total);
    for (const FitTable& table : tables) near.tables.push_back(TableTargetOf(table, total));
    if (targets_.columns() <= 3) sweeps = std::max(sweeps, kSweepsOfFew);
    if (!rules_.impossible.empty()) sweeps = std::max(sweeps, kSweepsOfRules);
    ImproveRows(targets_.first, near.matrix, near.tables, rules_, sweeps, rows,
                Between(progress_, done_, 100));
  }

  FitSettings Settings(const Measured& measured) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Measured::Pair& pair : measured.pairs) least = std::min(least, pair.table.variance);
    return SettingsFor(targets_, std::max(1e-9, std::sqrt(least)), wish_.threads);
  }

  // The wish's own queries, or all tables of as many columns as its workload has.
  std::vector<Query> Queries(size_t ways) const {
    return wish_.workload == Workload::kQueries ? wish_.queries : AllTables(targets_, ways);
  }

  void Keep(std::vector<Answered> answered, SyntheticTable& made) const {
    made.summary.tables = answered.size();
    if (wish_.workload == Workload::kQueries) made.answered = std::move(answered);
  }

  Rows Mixed(Measured& measured, SyntheticTable& made) {
    FitSettings settings = Settings(measured);
    const double fitted_once = shares_.asked > 0 ? kFittedOnce : kFitted;
    Fitted fitted = FitMixture(targets_, {}, settings, {}, curator_.entropy(),
                               Between(progress_, kMeasured, fitted_once));
    std::vector<FitTable> tables;
    const std::vector<Query> queries = shares_.asked > 0 ? Queries(3) : std::vector<Query>();
    if (!queries.empty()) {
      const size_t asked = std::min(shares_.asked, queries.size());
      const Rational all = rho_ * shares_.queries * kNearlyAll;
      const Rational choosing = asked < queries.size() ? Rational(all * kChoosing) : Rational(0);
      const Asking asking{
          .wanted = asked,
          .choosing = choosing,
          .each = Rational(all - choosing) / MakeRational(static_cast<Int128>(asked))};
      std::vector<Answered> answered =
          AskFarthest(queries, asking, measured, targets_, fitted.mixture, wish_.threads, curator_);
      for (const Answered& one : answered) {
        tables.push_back(FitTableOf(queries[one.which], one, targets_, fitted.mixture));
      }
      Keep(std::move(answered), made);
      settings.iterations_max = kRefitIterations;
      settings.rate = kRefitRate;
      settings.chi_square_enough = 0;
      fitted = FitMixture(targets_, tables, settings, std::move(fitted.mixture), curator_.entropy(),
                          Between(progress_, fitted_once, kFitted));
    }
    done_ = kFitted;
    Rows rows = DrawnFrom(fitted.mixture);
    Improve(fitted.pairs, tables, kSweeps, rows);
    return rows;
  }

  Rows Adaptive(Measured& measured, SyntheticTable& made) {
    const size_t ways = wish_.workload == Workload::kTriples && targets_.columns() >= 3 ? 3 : 2;
    std::vector<Query> queries = Queries(2);
    if (ways == 3) {
      for (Query& table : AllTables(targets_, 3)) queries.push_back(std::move(table));
    }
    AdaptiveFit fit = FitAdaptively(queries, rho_ * shares_.queries, Settings(measured), measured,
                                    curator_, Between(progress_, 0, kFitted));
    done_ = kFitted;
    targets_ = std::move(fit.targets);
    Keep(std::move(fit.answered), made);
    Rows rows = DrawnFrom(fit.fitted.mixture);
    Improve(fit.fitted.pairs, fit.tables, kSweeps, rows);
    return rows;
  }

  Rows Mwem(const Measured& measured, SyntheticTable& made) {
    const size_t ways = wish_.workload == Workload::kTriples && targets_.columns() >= 3 ? 3 : 2;
    MwemFit fit = FitMwem(Queries(ways), rho_ * shares_.queries, measured, targets_, wish_.threads,
                          curator_, Between(progress_, 0, kFitted));
    done_ = kFitted;
    Rows rows = DrawCombinations(std::move(fit.weights), targets_, wish_.weighing, count_,
                                 curator_.entropy());
    Keep(std::move(fit.answered), made);
    if (!rules_.impossible.empty()) {
      ImproveRows(targets_.first, {}, {}, rules_, kSweepsOfRules, rows,
                  Between(progress_, done_, 100));
    }
    return rows;
  }

  const Rational& rho_;
  const Shares& shares_;
  const SynthesisWish& wish_;
  Curator& curator_;
  const Progress& progress_;
  RowRules rules_;
  Targets targets_;
  size_t count_ = 0;
  double done_ = 0;  // percent of the run
};

}  // namespace

void AddNoise(const Measured& measured, RunSummary& summary) {
  summary.rows_estimated = measured.rows;
  summary.histogram_sigma = std::sqrt(measured.histograms.front().variance);
  summary.pairs = measured.pairs.size();
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const Measured::Pair& pair : measured.pairs) {
    summary.pair_cells += pair.table.counts.size();
    least = std::min(least, pair.table.variance);
    most = std::max(most, pair.table.variance);
  }
  summary.pair_sigma_least = measured.pairs.empty() ? 0 : std::sqrt(least);
  summary.pair_sigma_most = std::sqrt(most);
}

Impossible ThroughViews(const Impossible& rule, const std::vector<View>& views) {
  Impossible through{.columns = rule.columns, .cells = {}};
  for (size_t i = 0; i < rule.columns.size(); ++i) {
    const View& view = views[rule.columns[i]];
    std::vector<bool>& cells = through.cells.emplace_back(view.cells);
    for (size_t cell = 0; cell < view.cell_of.size(); ++cell) {
      if (view.cell_of[cell] != kNowhere && rule.cells[i][cell]) cells[view.cell_of[cell]] = true;
    }
  }
  return through;
}

size_t PairsCounted(size_t columns) {
  const size_t all = columns * (columns - 1) / 2;
  return columns > kAllPairsColumns ? std::min(all, kPairsOfColumn * columns) : all;
}

// Histograms decide where wide columns are cut and what single values get: then they are worth
// much more. What a query of three columns adds to pairs is little; what somebody asks for by name
// is what the rows are for.
Shares SharesOf(const std::vector<ColumnShape>& columns, const SynthesisWish& wish) {
  const size_t count = columns.size();
  const bool wide = std::any_of(columns.begin(), columns.end(), [](const ColumnShape& column) {
    return column.ordered && column.cells > kCoarseCells + 1;
  });
  const bool rounds = wish.method == Method::kAdaptive || wish.method == Method::kMwem;
  Shares shares;
  if (count == 1) {
    shares.histograms = 1;
    return shares;
  }
  shares.histograms = wide ? Rational(7, 100) : Rational(1, 50);
  if (rounds) shares.histograms = Rational(1, 10);
  shares.estimate = Rational(1, 400);
  if (rounds) {
    shares.queries = 1 - shares.histograms - shares.estimate;
    return shares;
  }
  const bool asks_triples = wish.workload == Workload::kTriples && count >= 3 &&
                            count <= kAllPairsColumns && wish.method == Method::kMixture;
  if (asks_triples) {
    shares.queries = Rational(3, 50);
    shares.asked = std::min(kTriplesAsked, count * (count - 1) * (count - 2) / 6);
  }
  if (wish.workload == Workload::kQueries && wish.method == Method::kMixture) {
    shares.queries = Rational(2, 5);
    shares.asked = std::min(kQueriesAsked, wish.queries.size());
  }
  shares.pairs = PairsCounted(count);
  if (count > kAllPairsColumns) shares.choosing = Rational(1, 10);
  shares.for_pairs = 1 - shares.histograms - shares.choosing - shares.queries - shares.estimate;
  return shares;
}

// proof: release/proof.md#6-the-rest-is-post-processing
SyntheticTable Synthesize(const Joint& exact, const std::vector<ColumnShape>& columns,
                          const Moved& moved, const Rho& rho, const SynthesisWish& wish,
                          Entropy& entropy, const Progress& progress) {
  Curator curator(exact, moved, rho, entropy);
  const Shares shares = SharesOf(columns, wish);
  Measured measured = MeasureHistograms(columns, Rational(rho.value * shares.histograms), curator);
  SyntheticTable result;
  Run run(rho, shares, wish, curator, progress);
  const Rows rows = run.Make(measured, result);
  if (shares.estimate > 0) {
    const PairDistance error =
        EstimateError(rows, wish.weighing, measured, Rational(rho.value * shares.estimate),
                      wish.threads, curator);
    result.summary.error = error.total_variation;
    result.summary.error_noise = error.noise;
  }
  const double all = std::max(1.0, measured.rows);
  for (size_t c = 0; c < columns.size(); ++c) {
    result.cells.push_back(columns[c].cells);
    const NoisyTable& histogram = measured.histograms[c];
    std::vector<double> shares_of_cells = histogram.counts;
    for (double& share : shares_of_cells) share /= all;
    result.codes.push_back(Refined(rows[c], measured.views[c], shares_of_cells,
                                   histogram.variance / (all * all), entropy));
  }
  return result;
}

}  // namespace tacit::release
