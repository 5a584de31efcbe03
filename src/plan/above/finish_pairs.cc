#include "plan/above/finish_pairs.h"

#include "plan/above/post_text.h"

namespace tacit::plan {
namespace {

using analysis::PairColumn;
using analysis::PairStatistic;

std::string Number(size_t measure) {
  return "CAST(m" + std::to_string(measure + 1) + " AS DOUBLE)";
}

std::string Within(const std::string& value, const Rational& low, const Rational& high) {
  return "least(greatest(" + value + ", " + DoubleText(low) + "), " + DoubleText(high) + ")";
}

// One of the two columns: its grid, around its centre.
struct Axis {
  policy::Grid grid;
  Int128 centre = 0;
  Rational largest;  // steps from the centre

  Axis(const policy::Grid& g, Int128 c) : grid(g), centre(c) {
    const Integer low = abs(ToInteger(grid.low_steps) - ToInteger(centre));
    const Integer high = abs(ToInteger(grid.high_steps) - ToInteger(centre));
    largest = Rational(low < high ? high : low);
  }
  Rational Middle() const { return Rational(MakeRational(centre) * grid.step); }
  Rational Reach() const { return Rational(largest * grid.step); }
  // Of values spread evenly over the range; at least a step.
  Rational EvenVariance() const {
    const Rational width = Rational(MakeRational(grid.high_steps - grid.low_steps) * grid.step);
    const Rational even = Rational(width * width / 12);
    const Rational least = Rational(grid.step * grid.step);
    return even < least ? least : even;
  }
};

Axis AxisOf(const analysis::ExactMeasure& sum) { return Axis(sum.grid, sum.centre); }

// The moments' texts, all in steps around the centres. Each is a number whatever the noise was.
class PairPrinter {
 public:
  PairPrinter(const PairColumn& pair, const analysis::Block& block) : pair_(pair), block_(block) {}

  std::string Print() const {
    switch (pair_.statistic) {
      case PairStatistic::kCount:
        return "CAST(least(greatest(m" + std::to_string(pair_.count + 1) +
               ", -9223372036854775808), 9223372036854775807) AS BIGINT)";
      case PairStatistic::kAverageX:
        return Average(X(), Mean(*pair_.sum_x, X()));
      case PairStatistic::kAverageY:
        return Average(Y(), Mean(*pair_.sum_y, Y()));
      case PairStatistic::kCovariancePopulation:
        return Covariance() + " * " + StepXY();
      case PairStatistic::kCovarianceSample: {
        const std::string two = "CAST(greatest(m" + Index(pair_.count) + ", 2) AS DOUBLE)";
        return Covariance() + " * " + StepXY() + " * " + two + " / (" + two + " - 1)";
      }
      case PairStatistic::kSumXY:
        return Covariance() + " * " + StepXY() + " * " + Count();
      case PairStatistic::kSumXX:
        return SumOfSquares(*pair_.squares_x, *pair_.sum_x, X());
      case PairStatistic::kSumYY:
        return SumOfSquares(*pair_.squares_y, *pair_.sum_y, Y());
      case PairStatistic::kSlope:
        return Slope();
      case PairStatistic::kIntercept:
        return Average(Y(), Mean(*pair_.sum_y, Y())) + " - (" + Slope() + ") * (" +
               Average(X(), Mean(*pair_.sum_x, X())) + ")";
      case PairStatistic::kCorrelation:
        return "CASE WHEN " + VarianceX() + " > 0 AND " + VarianceY() + " > 0 THEN " +
               Correlation() + " END";
      case PairStatistic::kR2:
        return "CASE WHEN " + VarianceX() + " <= 0 THEN NULL WHEN " + VarianceY() +
               " <= 0 THEN 1 ELSE " + Correlation() + " * " + Correlation() + " END";
    }
    TACIT_ASSERT(false);
    return "";
  }

  Axis X() const { return AxisOf(block_.measures[pair_.sum_x.value()]); }
  Axis Y() const { return AxisOf(block_.measures[pair_.sum_y.value()]); }

 private:
  static std::string Index(size_t measure) { return std::to_string(measure + 1); }

  std::string Count() const { return "CAST(greatest(m" + Index(pair_.count) + ", 1) AS DOUBLE)"; }

  std::string Mean(size_t sum, const Axis& axis) const {
    return Within(Number(sum) + " / " + Count(), Rational(-axis.largest), axis.largest);
  }

  static std::string Average(const Axis& axis, const std::string& mean) {
    const Rational low = Rational(MakeRational(axis.grid.low_steps) * axis.grid.step);
    const Rational high = Rational(MakeRational(axis.grid.high_steps) * axis.grid.step);
    return Within(mean + " * " + DoubleText(axis.grid.step) + " + " + DoubleText(axis.Middle()),
                  low, high);
  }

  std::string Variance(size_t squares, size_t sum, const Axis& axis) const {
    const std::string mean = Mean(sum, axis);
    return Within(Number(squares) + " / " + Count() + " - " + mean + " * " + mean, 0,
                  Rational(axis.largest * axis.largest));
  }
  std::string VarianceX() const { return Variance(*pair_.squares_x, *pair_.sum_x, X()); }
  std::string VarianceY() const { return Variance(*pair_.squares_y, *pair_.sum_y, Y()); }

  std::string SumOfSquares(size_t squares, size_t sum, const Axis& axis) const {
    return Variance(squares, sum, axis) + " * " +
           DoubleText(Rational(axis.grid.step * axis.grid.step)) + " * " + Count();
  }

  std::string Covariance() const {
    const Rational most = Rational(X().largest * Y().largest);
    return Within(Number(*pair_.products) + " / " + Count() + " - " + Mean(*pair_.sum_x, X()) +
                      " * " + Mean(*pair_.sum_y, Y()),
                  Rational(-most), most);
  }

  std::string StepXY() const { return DoubleText(Rational(X().grid.step * Y().grid.step)); }

  std::string Correlation() const {
    return Within(Covariance() + " / (sqrt(" + VarianceX() + ") * sqrt(" + VarianceY() + "))", -1,
                  1);
  }

  // C / X, with |C| <= sqrt(X) * the largest |y|.
  std::string Slope() const {
    const std::string reach = "sqrt(" + VarianceX() + ") * " + DoubleText(Y().largest);
    const std::string kept =
        "least(greatest(" + Covariance() + ", -(" + reach + ")), " + reach + ")";
    return "CASE WHEN " + VarianceX() + " > 0 THEN " + kept + " / " + VarianceX() + " * " +
           DoubleText(Rational(Y().grid.step / X().grid.step)) + " END";
  }

  const PairColumn& pair_;
  const analysis::Block& block_;
};

Rational Root(const Rational& a, const Rational& b, const Rational& c = 0, const Rational& d = 0) {
  return SquareRootUp(Rational(a * a + b * b + c * c + d * d));
}

// What kPeopleForMeans people leave of the moments' noises.
class PairErrors {
 public:
  PairErrors(const PairColumn& pair, const analysis::Block& block,
             const std::vector<Measure>& measures)
      : pair_(pair), printer_(pair, block), measures_(measures) {}

  Rational Of(PairStatistic statistic) const {
    switch (statistic) {
      case PairStatistic::kCount:
        return measures_[pair_.count].moe95;
      case PairStatistic::kAverageX:
        return Mean(*pair_.sum_x, printer_.X());
      case PairStatistic::kAverageY:
        return Mean(*pair_.sum_y, printer_.Y());
      case PairStatistic::kCovariancePopulation:
      case PairStatistic::kCovarianceSample:
        return Covariance();
      case PairStatistic::kSumXY:
        return Rational(Covariance() * kPeopleForMeans);
      case PairStatistic::kSumXX:
        return Rational(Variance(*pair_.squares_x, *pair_.sum_x, printer_.X()) * kPeopleForMeans);
      case PairStatistic::kSumYY:
        return Rational(Variance(*pair_.squares_y, *pair_.sum_y, printer_.Y()) * kPeopleForMeans);
      case PairStatistic::kSlope:
        return Slope();
      case PairStatistic::kIntercept:
        return Root(Mean(*pair_.sum_y, printer_.Y()),
                    Rational(abs(printer_.X().Middle()) * Slope()));
      case PairStatistic::kCorrelation:
        return Correlation();
      case PairStatistic::kR2: {
        const Rational twice = Rational(2 * Correlation());
        return twice < 1 ? twice : Rational(1);
      }
    }
    TACIT_ASSERT(false);
    return 0;
  }

 private:
  Rational Noise(size_t measure) const {
    return Rational(measures_[measure].moe95 / kPeopleForMeans);
  }
  Rational Mean(size_t sum, const Axis& axis) const {
    return Root(Noise(sum), Rational(axis.Reach() * Noise(pair_.count)));
  }
  Rational Covariance() const {
    const Rational x = printer_.X().Reach();
    const Rational y = printer_.Y().Reach();
    return Root(Noise(*pair_.products), Rational(y * Noise(*pair_.sum_x)),
                Rational(x * Noise(*pair_.sum_y)), Rational(x * y * Noise(pair_.count)));
  }
  Rational Variance(size_t squares, size_t sum, const Axis& axis) const {
    const Rational m = axis.Reach();
    return Root(Noise(squares), Rational(2 * m * Noise(sum)), Rational(m * m * Noise(pair_.count)));
  }
  Rational Correlation() const {
    const Rational x = printer_.X().EvenVariance();
    const Rational y = printer_.Y().EvenVariance();
    const Rational spread = SquareRootUp(Rational(x * y));
    const Rational by_x =
        Rational(Variance(*pair_.squares_x, *pair_.sum_x, printer_.X()) / (2 * x));
    const Rational by_y =
        Rational(Variance(*pair_.squares_y, *pair_.sum_y, printer_.Y()) / (2 * y));
    const Rational error = Root(Rational(Covariance() / spread), by_x, by_y);
    return error < 2 ? error : Rational(2);
  }
  // Of a slope of at most one deviation of y for one of x.
  Rational Slope() const {
    const Rational x = printer_.X().EvenVariance();
    const Rational y = printer_.Y().EvenVariance();
    const Rational slope = SquareRootUp(Rational(y / x));
    const Rational by_x = Rational(Variance(*pair_.squares_x, *pair_.sum_x, printer_.X()) / x);
    return Root(Rational(Covariance() / x), Rational(slope * by_x));
  }

  const PairColumn& pair_;
  PairPrinter printer_;
  const std::vector<Measure>& measures_;
};

bool DependsOnSpread(PairStatistic statistic) {
  return statistic == PairStatistic::kCorrelation || statistic == PairStatistic::kR2 ||
         statistic == PairStatistic::kSlope || statistic == PairStatistic::kIntercept;
}

// The measure whose mechanism is named: the last moment that the statistic needs.
size_t NamedMeasure(const PairColumn& pair) {
  for (const auto& moment :
       {pair.products, pair.squares_x, pair.squares_y, pair.sum_x, pair.sum_y}) {
    if (moment) return *moment;
  }
  return pair.count;
}

}  // namespace

std::string PrintPair(const PairColumn& pair, const analysis::Block& block) {
  return PairPrinter(pair, block).Print();
}

ErrorEstimate PairError(const PairColumn& pair, const analysis::Block& block,
                        const std::vector<Measure>& measures) {
  std::string condition = pair.statistic == PairStatistic::kCount ? "" : "if 1,000 people match";
  if (DependsOnSpread(pair.statistic)) {
    condition = "if 1,000 people match, spread evenly over the bounds of both";
  }
  return {.measure = &measures[NamedMeasure(pair)],
          .moe95 = PairErrors(pair, block, measures).Of(pair.statistic),
          .condition = std::move(condition)};
}

}  // namespace tacit::plan
