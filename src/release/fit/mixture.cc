#include "release/fit/mixture.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "release/fit/team.h"

namespace tacit::release {
namespace {

// Why 4: enough for the threads of a small machine; the sums of the parts are added in their order,
// so the number is part of the result.
constexpr size_t kParts = 4;

// Adam's usual constants, with a rate that falls along half a cosine to a twentieth.
constexpr float kMomentum = 0.9F;
constexpr float kSquares = 0.99F;
constexpr double kRate = 0.1;
constexpr double kLastRate = 0.05;
constexpr float kTiny = 1e-10F;
constexpr double kSpread = 0.3;       // of the kinds at the start
constexpr double kLeastShare = 1e-6;  // whose logarithm a share of nothing starts at
constexpr int kLookEvery = 10;

double Normal(Entropy& entropy) {
  const double radius = std::sqrt(-2 * std::log(1 - Uniform(entropy)));
  return radius * std::cos(2 * std::numbers::pi * Uniform(entropy));
}

class Descent {
 public:
  Descent(const Targets& targets, const FitSettings& settings, Entropy& entropy)
      : targets_(targets), settings_(settings) {
    const auto rows = static_cast<Eigen::Index>(settings.components);
    const auto cells = static_cast<Eigen::Index>(targets.cells());
    logits_ = Matrix(rows, cells);
    for (Eigen::Index k = 0; k < rows; ++k) {
      for (size_t c = 0; c < targets.columns(); ++c) {
        for (size_t i = 0; i < targets.CellsOf(c); ++i) {
          logits_(k, static_cast<Eigen::Index>(targets.first[c] + i)) = static_cast<float>(
              std::log(std::max(kLeastShare, targets.ones[c][i])) + kSpread * Normal(entropy));
        }
      }
    }
    shares_ = Matrix::Zero(rows, cells);
    momentum_ = Matrix::Zero(rows, cells);
    squares_ = Matrix::Zero(rows, cells);
    MakeWeights();
    for (size_t part = 0; part <= kParts; ++part) {
      part_first_.push_back(static_cast<Eigen::Index>(settings.components * part / kParts));
    }
    sums_.resize(kParts);
    column_sums_.resize(kParts);
  }

  // The pairs of the present mixture.
  void Forward() {
    InParts(kParts, settings_.threads, [this](size_t part) {
      Softmax(part);
      const auto own = shares_.middleRows(part_first_[part], Size(part));
      sums_[part].noalias() = own.transpose() * own;
      column_sums_[part] = own.colwise().sum();
    });
    pairs_ = sums_[0];
    ones_ = column_sums_[0];
    for (size_t part = 1; part < kParts; ++part) {
      pairs_ += sums_[part];
      ones_ += column_sums_[part];
    }
    pairs_ /= static_cast<float>(settings_.components);
    ones_ /= static_cast<float>(settings_.components);
  }

  void Step(int iteration) {
    const Matrix residual = (pairs_ - targets_.pairs).cwiseProduct(weights_);
    const Eigen::RowVectorXf single = (ones_ - one_targets_).cwiseProduct(one_weights_);
    const double along = static_cast<double>(iteration) / settings_.iterations_max;
    const double rate =
        kRate * (kLastRate + (1 - kLastRate) * (1 + std::cos(std::numbers::pi * along)) / 2);
    const auto warm = [&](float decay) {
      return 1 - static_cast<float>(std::pow(static_cast<double>(decay), iteration + 1));
    };
    const auto step = static_cast<float>(rate) / warm(kMomentum);
    const float scale = 1 / warm(kSquares);
    InParts(kParts, settings_.threads, [&](size_t part) {
      const Eigen::Index first = part_first_[part];
      const Eigen::Index size = Size(part);
      const auto own = shares_.middleRows(first, size);
      Matrix gradient(size, own.cols());
      gradient.noalias() = own * residual;
      gradient.rowwise() += single;
      ThroughSoftmax(part, gradient);
      auto momentum = momentum_.middleRows(first, size).array();
      auto squares = squares_.middleRows(first, size).array();
      momentum = kMomentum * momentum + (1 - kMomentum) * gradient.array();
      squares = kSquares * squares + (1 - kSquares) * gradient.array().square();
      logits_.middleRows(first, size).array() -=
          step * momentum / ((squares * scale).sqrt() + kTiny);
    });
  }

  const Matrix& pairs() const { return pairs_; }
  Matrix TakeShares() { return std::move(shares_); }
  Matrix TakePairs() { return std::move(pairs_); }

 private:
  Eigen::Index Size(size_t part) const { return part_first_[part + 1] - part_first_[part]; }

  // By precision, scaled so that the mean over cells of pairs is 1.
  void MakeWeights() {
    const auto cells = static_cast<Eigen::Index>(targets_.cells());
    weights_ = Matrix::Zero(cells, cells);
    one_weights_ = Eigen::RowVectorXf::Zero(cells);
    one_targets_ = Eigen::RowVectorXf::Zero(cells);
    double sum = 0;
    double counted = 0;
    for (size_t a = 0; a < targets_.columns(); ++a) {
      for (size_t b = 0; b < targets_.columns(); ++b) {
        if (a == b) continue;
        const double size = static_cast<double>(targets_.CellsOf(a) * targets_.CellsOf(b));
        sum += size / VarianceOf(a, b);
        counted += size;
      }
    }
    const double mean = counted > 0 ? sum / counted : 1;
    for (size_t a = 0; a < targets_.columns(); ++a) {
      const auto at_a = static_cast<Eigen::Index>(targets_.first[a]);
      const auto size_a = static_cast<Eigen::Index>(targets_.CellsOf(a));
      for (size_t b = 0; b < targets_.columns(); ++b) {
        if (a == b) continue;
        weights_
            .block(at_a, static_cast<Eigen::Index>(targets_.first[b]), size_a,
                   static_cast<Eigen::Index>(targets_.CellsOf(b)))
            .setConstant(static_cast<float>(1 / VarianceOf(a, b) / mean));
      }
      one_weights_.segment(at_a, size_a)
          .setConstant(static_cast<float>(1 / targets_.one_variances[a] / mean));
      for (Eigen::Index i = 0; i < size_a; ++i) {
        one_targets_(at_a + i) = static_cast<float>(targets_.ones[a][static_cast<size_t>(i)]);
      }
    }
  }

  double VarianceOf(size_t a, size_t b) const {
    return targets_.pair_variances(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
  }

  void Softmax(size_t part) {
    auto own = shares_.middleRows(part_first_[part], Size(part));
    const auto logits = logits_.middleRows(part_first_[part], Size(part));
    for (size_t c = 0; c < targets_.columns(); ++c) {
      const auto at = static_cast<Eigen::Index>(targets_.first[c]);
      const auto size = static_cast<Eigen::Index>(targets_.CellsOf(c));
      const Eigen::VectorXf most = logits.middleCols(at, size).rowwise().maxCoeff();
      own.middleCols(at, size) = logits.middleCols(at, size).colwise() - most;
    }
    own.array() = own.array().exp();
    for (size_t c = 0; c < targets_.columns(); ++c) {
      const auto at = static_cast<Eigen::Index>(targets_.first[c]);
      const auto size = static_cast<Eigen::Index>(targets_.CellsOf(c));
      const Eigen::VectorXf total = own.middleCols(at, size).rowwise().sum();
      own.middleCols(at, size).array().colwise() /= total.array();
    }
  }

  void ThroughSoftmax(size_t part, Matrix& gradient) const {
    const auto own = shares_.middleRows(part_first_[part], Size(part));
    gradient.array() *= own.array();
    for (size_t c = 0; c < targets_.columns(); ++c) {
      const auto at = static_cast<Eigen::Index>(targets_.first[c]);
      const auto size = static_cast<Eigen::Index>(targets_.CellsOf(c));
      const Eigen::VectorXf total = gradient.middleCols(at, size).rowwise().sum();
      gradient.middleCols(at, size).array() -=
          own.middleCols(at, size).array().colwise() * total.array();
    }
  }

  const Targets& targets_;
  const FitSettings& settings_;
  Matrix logits_, shares_, momentum_, squares_;
  Matrix weights_, pairs_;
  Eigen::RowVectorXf one_weights_, one_targets_, ones_;
  std::vector<Eigen::Index> part_first_;
  std::vector<Matrix> sums_;
  std::vector<Eigen::RowVectorXf> column_sums_;
};

}  // namespace

Fitted FitMixture(const Targets& targets, const FitSettings& settings, Entropy& entropy,
                  const Progress& progress) {
  Descent descent(targets, settings, entropy);
  Fitted fitted;
  for (int i = 0; i < settings.iterations_max; ++i) {
    descent.Forward();
    if (i % kLookEvery == 0 && i > 0) {
      fitted.chi_square = ChiSquarePerCell(descent.pairs(), targets);
      if (progress) progress("fitting", 100.0 * i / settings.iterations_max);
      if (fitted.chi_square <= settings.chi_square_enough) break;
    }
    descent.Step(i);
    fitted.iterations = i + 1;
  }
  descent.Forward();
  fitted.chi_square = ChiSquarePerCell(descent.pairs(), targets);
  fitted.mixture.shares = descent.TakeShares();
  fitted.pairs = descent.TakePairs();
  return fitted;
}

}  // namespace tacit::release
