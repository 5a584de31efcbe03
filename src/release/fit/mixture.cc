#include "release/fit/mixture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "release/fit/table_gradient.h"
#include "release/fit/team.h"

namespace tacit::release {
namespace {

// Why 4: enough for the threads of a small machine; the sums of the parts are added in their order,
// so the number is part of the result.
constexpr size_t kParts = 4;

// Adam's usual constants, with a rate that falls along half a cosine to a twentieth.
constexpr float kMomentum = 0.9F;
constexpr float kSquares = 0.99F;
constexpr double kLastRate = 0.05;
constexpr float kTiny = 1e-10F;
constexpr double kSpread = 0.3;       // of the kinds at the start
constexpr double kLeastShare = 1e-6;  // whose logarithm a share of nothing starts at
constexpr int kLookEvery = 10;

double Normal(Entropy& entropy) {
  const double radius = std::sqrt(-2 * std::log(1 - Uniform(entropy)));
  return radius * std::cos(2 * std::numbers::pi * Uniform(entropy));
}

// The columns of a matrix over all cells that are this column's.
template <class Shares>
auto SideOf(const Targets& targets, Shares& shares, size_t column) {
  return shares.middleCols(static_cast<Eigen::Index>(targets.first[column]),
                           static_cast<Eigen::Index>(targets.CellsOf(column)));
}

class Descent {
 public:
  Descent(const Targets& targets, const std::vector<FitTable>& tables, const FitSettings& settings,
          Mixture start, Entropy& entropy)
      : targets_(targets), settings_(settings), dense_(targets.IsDense()) {
    if (start.shares.size() > 0) {
      logits_ = start.shares.array().max(kLeastShareOfKind).log();
    } else {
      StartNearIndependence(entropy);
    }
    shares_ = Matrix::Zero(logits_.rows(), logits_.cols());
    momentum_ = shares_;
    squares_ = shares_;
    for (const FitTable& table : tables) AddTable(table);
    MakeWeights();
    const auto kinds = static_cast<size_t>(logits_.rows());
    for (size_t part = 0; part <= kParts; ++part) {
      part_first_.push_back(static_cast<Eigen::Index>(kinds * part / kParts));
    }
    sums_.resize(kParts);
    column_sums_.resize(kParts);
    table_sums_.resize(kParts);
    block_sums_.resize(kParts);
  }

  // The tables of the present mixture.
  void Forward() {
    InParts(kParts, settings_.threads, [this](size_t part) {
      Softmax(part);
      const auto own = shares_.middleRows(part_first_[part], Size(part));
      if (dense_) {
        sums_[part].noalias() = own.transpose() * own;
      } else {
        std::vector<Matrix>& sums = block_sums_[part];
        sums.resize(targets_.pairs.size());
        for (size_t p = 0; p < sums.size(); ++p) {
          sums[p].noalias() = SideOf(targets_, own, targets_.pairs[p].a).transpose() *
                              SideOf(targets_, own, targets_.pairs[p].b);
        }
      }
      column_sums_[part] = own.colwise().sum();
      std::vector<std::vector<float>>& sums = table_sums_[part];
      sums.resize(tables_.size());
      for (size_t t = 0; t < tables_.size(); ++t) {
        sums[t].assign(tables_[t].cells(), 0);
        for (Eigen::Index k = 0; k < own.rows(); ++k) tables_[t].Add(own.row(k).data(), sums[t]);
      }
    });
    const float kinds = static_cast<float>(logits_.rows());
    if (dense_) pairs_ = Matrix::Zero(logits_.cols(), logits_.cols());
    ones_ = Eigen::RowVectorXf::Zero(logits_.cols());
    for (size_t part = 0; part < kParts; ++part) {
      if (dense_) pairs_ += sums_[part];
      ones_ += column_sums_[part];
    }
    pairs_ /= kinds;
    ones_ /= kinds;
    if (!dense_) {
      blocks_ = block_sums_[0];
      for (size_t p = 0; p < blocks_.size(); ++p) {
        for (size_t part = 1; part < kParts; ++part) blocks_[p] += block_sums_[part][p];
        blocks_[p] /= kinds;
      }
    }
    means_.resize(tables_.size());
    for (size_t t = 0; t < tables_.size(); ++t) {
      means_[t].assign(tables_[t].cells(), 0);
      for (size_t part = 0; part < kParts; ++part) {
        for (size_t i = 0; i < means_[t].size(); ++i) means_[t][i] += table_sums_[part][t][i];
      }
      for (float& mean : means_[t]) mean /= kinds;
    }
  }

  void Step(int iteration) {
    Matrix residual;
    if (dense_) residual = (pairs_ - target_).cwiseProduct(weights_);
    for (size_t p = 0; p < blocks_.size(); ++p) {
      blocks_[p] = (blocks_[p] - targets_.pairs[p].clean) * block_weights_[p];
    }
    const Eigen::RowVectorXf single = (ones_ - one_targets_).cwiseProduct(one_weights_);
    for (size_t t = 0; t < tables_.size(); ++t) {
      const std::vector<float>& wanted = fit_tables_[t]->shares;
      for (size_t i = 0; i < wanted.size(); ++i) {
        means_[t][i] = (means_[t][i] - wanted[i]) * table_weights_[t];
      }
    }
    const double along = static_cast<double>(iteration) / settings_.iterations_max;
    const double rate =
        settings_.rate *
        (kLastRate + (1 - kLastRate) * (1 + std::cos(std::numbers::pi * along)) / 2);
    const auto warm = [&](float decay) {
      return 1 - static_cast<float>(std::pow(static_cast<double>(decay), iteration + 1));
    };
    const auto step = static_cast<float>(rate) / warm(kMomentum);
    const float scale = 1 / warm(kSquares);
    InParts(kParts, settings_.threads, [&](size_t part) {
      const Eigen::Index first = part_first_[part];
      const Eigen::Index size = Size(part);
      const auto own = shares_.middleRows(first, size);
      Matrix gradient = Matrix::Zero(size, own.cols());
      if (dense_) gradient.noalias() = own * residual;
      for (size_t p = 0; p < blocks_.size(); ++p) {
        const Targets::Pair& pair = targets_.pairs[p];
        SideOf(targets_, gradient, pair.a).noalias() +=
            SideOf(targets_, own, pair.b) * blocks_[p].transpose();
        SideOf(targets_, gradient, pair.b).noalias() += SideOf(targets_, own, pair.a) * blocks_[p];
      }
      for (size_t t = 0; t < tables_.size(); ++t) {
        for (Eigen::Index k = 0; k < size; ++k) {
          tables_[t].AddGradient(own.row(k).data(), means_[t], gradient.row(k).data());
        }
      }
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

  // In the targets' order. After Forward.
  std::vector<Matrix> Pairs() const { return dense_ ? BlocksOf(pairs_, targets_) : blocks_; }
  Matrix TakeShares() { return std::move(shares_); }

 private:
  // Why: below it a kind would hardly come back.
  static constexpr float kLeastShareOfKind = 1e-9F;

  Eigen::Index Size(size_t part) const { return part_first_[part + 1] - part_first_[part]; }

  void StartNearIndependence(Entropy& entropy) {
    logits_ = Matrix(static_cast<Eigen::Index>(settings_.components),
                     static_cast<Eigen::Index>(targets_.cells()));
    for (Eigen::Index k = 0; k < logits_.rows(); ++k) {
      for (size_t c = 0; c < targets_.columns(); ++c) {
        for (size_t i = 0; i < targets_.CellsOf(c); ++i) {
          logits_(k, static_cast<Eigen::Index>(targets_.first[c] + i)) = static_cast<float>(
              std::log(std::max(kLeastShare, targets_.ones[c][i])) + kSpread * Normal(entropy));
        }
      }
    }
  }

  void AddTable(const FitTable& table) {
    fit_tables_.push_back(&table);
    tables_.emplace_back(table, targets_.first);
  }

  // By precision, scaled so that the mean over cells of pairs is 1.
  void MakeWeights() {
    double sum = 0;
    double counted = 0;
    for (const Targets::Pair& pair : targets_.pairs) {
      sum += static_cast<double>(pair.raw.size()) / pair.variance;
      counted += static_cast<double>(pair.raw.size());
    }
    const double mean = counted > 0 ? sum / counted : 1 / targets_.one_variances[0];
    for (const FitTable* table : fit_tables_) {
      table_weights_.push_back(static_cast<float>(1 / table->variance / mean));
    }
    const auto cells = static_cast<Eigen::Index>(targets_.cells());
    one_weights_ = Eigen::RowVectorXf::Zero(cells);
    one_targets_ = Eigen::RowVectorXf::Zero(cells);
    for (size_t c = 0; c < targets_.columns(); ++c) {
      for (size_t i = 0; i < targets_.CellsOf(c); ++i) {
        const auto at = static_cast<Eigen::Index>(targets_.first[c] + i);
        one_weights_(at) = static_cast<float>(1 / targets_.one_variances[c] / mean);
        one_targets_(at) = static_cast<float>(targets_.ones[c][i]);
      }
    }
    if (!dense_) {
      for (const Targets::Pair& pair : targets_.pairs) {
        block_weights_.push_back(static_cast<float>(1 / pair.variance / mean));
      }
      return;
    }
    weights_ = Matrix::Zero(cells, cells);
    target_ = Matrix::Zero(cells, cells);
    for (const Targets::Pair& pair : targets_.pairs) {
      const auto at_a = static_cast<Eigen::Index>(targets_.first[pair.a]);
      const auto at_b = static_cast<Eigen::Index>(targets_.first[pair.b]);
      const Eigen::Index height = pair.raw.rows();
      const Eigen::Index width = pair.raw.cols();
      const auto weight = static_cast<float>(1 / pair.variance / mean);
      weights_.block(at_a, at_b, height, width).setConstant(weight);
      weights_.block(at_b, at_a, width, height).setConstant(weight);
      target_.block(at_a, at_b, height, width) = pair.clean;
      target_.block(at_b, at_a, width, height) = pair.clean.transpose();
    }
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
  const bool dense_;  // pairs stand in one matrix, and else each in its own
  Matrix logits_, shares_, momentum_, squares_;
  Matrix target_, weights_, pairs_;  // where dense
  Eigen::RowVectorXf one_weights_, one_targets_, ones_;
  std::vector<Matrix> blocks_;  // where not: pairs in the targets' order
  std::vector<float> block_weights_;
  std::vector<const FitTable*> fit_tables_;
  std::vector<TableOfKinds> tables_;
  std::vector<float> table_weights_;
  std::vector<std::vector<float>> means_;
  std::vector<Eigen::Index> part_first_;
  std::vector<Matrix> sums_;
  std::vector<std::vector<Matrix>> block_sums_;
  std::vector<Eigen::RowVectorXf> column_sums_;
  std::vector<std::vector<std::vector<float>>> table_sums_;
};

}  // namespace

Fitted FitMixture(const Targets& targets, const std::vector<FitTable>& tables,
                  const FitSettings& settings, Mixture start, Entropy& entropy,
                  const Progress& progress) {
  Descent descent(targets, tables, settings, std::move(start), entropy);
  Fitted fitted;
  for (int i = 0; i < settings.iterations_max; ++i) {
    descent.Forward();
    if (i % kLookEvery == 0 && i > 0) {
      fitted.chi_square = ChiSquarePerCell(descent.Pairs(), targets);
      if (progress) {
        char doing[64];
        std::snprintf(doing, sizeof doing, "fitting, chi-square %.3f", fitted.chi_square);
        progress(doing, 100.0 * i / settings.iterations_max);
      }
      const bool enough = fitted.chi_square <= settings.chi_square_enough;
      if (enough && !targets.pairs.empty()) break;
    }
    descent.Step(i);
    fitted.iterations = i + 1;
  }
  descent.Forward();
  fitted.pairs = descent.Pairs();
  fitted.chi_square = ChiSquarePerCell(fitted.pairs, targets);
  fitted.mixture.shares = descent.TakeShares();
  return fitted;
}

std::vector<float> TableOf(const Mixture& mixture, const Targets& targets,
                           const std::vector<size_t>& columns, const std::vector<View>& views) {
  const FitTable shape{.columns = columns, .views = views, .shares = {}, .variance = 0};
  const TableOfKinds table(shape, targets.first);
  std::vector<float> shares(table.cells());
  for (Eigen::Index k = 0; k < mixture.shares.rows(); ++k) {
    table.Add(mixture.shares.row(k).data(), shares);
  }
  for (float& share : shares) share /= static_cast<float>(mixture.components());
  return shares;
}

}  // namespace tacit::release
