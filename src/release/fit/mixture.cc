#include "release/fit/mixture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "release/fit/kernel/kinds.h"
#include "release/fit/kernel/product.h"
#include "release/fit/table_gradient.h"
#include "release/fit/team.h"

namespace tacit::release {
namespace {

using Index = Eigen::Index;

// Why 4: enough for the threads of a small machine; the sums of the parts are added in their order,
// so the number is part of the result.
constexpr size_t kParts = 4;

// The rate falls along half a cosine to a twentieth.
constexpr double kLastRate = 0.05;
constexpr double kSpread = 0.3;       // of the kinds at the start
constexpr double kLeastShare = 1e-6;  // whose logarithm a share of nothing starts at
constexpr int kLookEvery = 10;
// Why ten million: a step of fewer takes less time than threads need to meet, above all on a busy
// machine.
constexpr size_t kProductsOfThreads = 10'000'000;

double Normal(Entropy& entropy) {
  const double radius = std::sqrt(-2 * std::log(1 - Uniform(entropy)));
  return radius * std::cos(2 * std::numbers::pi * Uniform(entropy));
}

// A part of the kinds. Matrices have a row a cell and a column a kind: see kernel/kinds.h.
struct Part {
  Matrix logits, shares, momentum, squares, gradient;
  Matrix turned, turned_gradient;  // a row a kind; where there are tables
  // What its kinds add up to.
  Matrix pairs;                // over all cells, above the diagonal; where dense
  std::vector<Matrix> blocks;  // where not: pairs in the targets' order
  Eigen::VectorXf ones;
  std::vector<std::vector<float>> tables;

  size_t kinds() const { return static_cast<size_t>(logits.cols()); }
};

// These rows of a matrix.
FloatMatrix RowsOf(const Matrix& matrix, size_t first, size_t rows) {
  const auto columns = static_cast<size_t>(matrix.cols());
  return {.first = matrix.data() + first * columns,
          .rows = rows,
          .columns = columns,
          .row_step = columns};
}
FloatMatrix AllOf(const Matrix& matrix) {
  return RowsOf(matrix, 0, static_cast<size_t>(matrix.rows()));
}
FloatMatrix Transposed(const Matrix& matrix) {
  const FloatMatrix own = AllOf(matrix);
  return {.first = own.first,
          .rows = own.columns,
          .columns = own.rows,
          .row_step = 1,
          .step = own.row_step};
}

class Descent {
 public:
  Descent(const Targets& targets, const std::vector<FitTable>& tables, const FitSettings& settings,
          const Mixture& start, Entropy& entropy)
      : targets_(targets),
        settings_(settings),
        dense_(targets.IsDense()),
        threads_(settings.threads) {
    Matrix logits;  // a row a kind
    if (start.shares.size() > 0) {
      logits = start.shares.array().max(kLeastShareOfKind).log();
    } else {
      logits = NearIndependence(entropy);
    }
    kinds_ = static_cast<size_t>(logits.rows());
    const size_t products = kinds_ * targets.cells() * targets.cells();
    if (dense_ && products < kProductsOfThreads) threads_ = 1;
    for (const FitTable& table : tables) AddTable(table);
    MakeWeights();
    for (size_t i = 0; i < kParts; ++i) {
      const size_t first = kinds_ * i / kParts;
      const size_t end = kinds_ * (i + 1) / kParts;
      Part& part = parts_.emplace_back();
      part.logits =
          logits.middleRows(static_cast<Index>(first), static_cast<Index>(end - first)).transpose();
      part.shares = Matrix::Zero(part.logits.rows(), part.logits.cols());
      part.momentum = part.shares;
      part.squares = part.shares;
      part.gradient = part.shares;
    }
  }

  // The tables of the present mixture.
  void Forward() {
    InParts(kParts, threads_, [this](size_t part) { AddUp(parts_[part]); });
    const auto cells = static_cast<Index>(targets_.cells());
    const auto kinds = static_cast<float>(kinds_);
    ones_ = Eigen::VectorXf::Zero(cells);
    for (const Part& part : parts_) ones_ += part.ones;
    ones_ /= kinds;
    if (dense_) {
      pairs_ = parts_[0].pairs;
      for (size_t i = 1; i < kParts; ++i) pairs_ += parts_[i].pairs;
      pairs_ /= kinds;
      for (Index i = 0; i < cells; ++i) {
        for (Index j = 0; j < i; ++j) pairs_(i, j) = pairs_(j, i);
      }
    } else {
      blocks_ = parts_[0].blocks;
      for (size_t p = 0; p < blocks_.size(); ++p) {
        for (size_t i = 1; i < kParts; ++i) blocks_[p] += parts_[i].blocks[p];
        blocks_[p] /= kinds;
      }
    }
    means_.resize(tables_.size());
    for (size_t t = 0; t < tables_.size(); ++t) {
      means_[t].assign(tables_[t].cells(), 0);
      for (const Part& part : parts_) {
        for (size_t i = 0; i < means_[t].size(); ++i) means_[t][i] += part.tables[t][i];
      }
      for (float& mean : means_[t]) mean /= kinds;
    }
  }

  // After Forward.
  void Step(int iteration) {
    if (dense_) pairs_ = (pairs_ - target_).cwiseProduct(weights_);
    for (size_t p = 0; p < blocks_.size(); ++p) {
      blocks_[p] = (blocks_[p] - targets_.pairs[p].clean) * block_weights_[p];
    }
    ones_ = (ones_ - one_targets_).cwiseProduct(one_weights_);
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
    const KindsStep step = AdamStep(rate, iteration);
    InParts(kParts, threads_, [&](size_t i) {
      Part& part = parts_[i];
      part.gradient.setZero();
      AddGradient(part);
      StepOfLogits(targets_.first, part.kinds(), step, part.shares.data(), ones_.data(),
                   part.gradient.data(), part.momentum.data(), part.squares.data(),
                   part.logits.data());
    });
  }

  // In the targets' order. After Forward.
  std::vector<Matrix> Pairs() const { return dense_ ? BlocksOf(pairs_, targets_) : blocks_; }
  // A row a kind.
  Matrix Shares() const {
    Matrix shares(static_cast<Index>(kinds_), static_cast<Index>(targets_.cells()));
    Index at = 0;
    for (const Part& part : parts_) {
      shares.middleRows(at, part.shares.cols()) = part.shares.transpose();
      at += part.shares.cols();
    }
    return shares;
  }

 private:
  // Why: below it a kind would hardly come back.
  static constexpr float kLeastShareOfKind = 1e-9F;

  Matrix NearIndependence(Entropy& entropy) const {
    Matrix logits(static_cast<Index>(settings_.components), static_cast<Index>(targets_.cells()));
    for (Index k = 0; k < logits.rows(); ++k) {
      for (size_t c = 0; c < targets_.columns(); ++c) {
        for (size_t i = 0; i < targets_.CellsOf(c); ++i) {
          logits(k, static_cast<Index>(targets_.first[c] + i)) = static_cast<float>(
              std::log(std::max(kLeastShare, targets_.ones[c][i])) + kSpread * Normal(entropy));
        }
      }
    }
    return logits;
  }

  void AddTable(const FitTable& table) {
    fit_tables_.push_back(&table);
    tables_.emplace_back(table, targets_.first);
  }

  FloatMatrix SideOf(const Matrix& matrix, size_t column) const {
    return RowsOf(matrix, targets_.first[column], targets_.CellsOf(column));
  }

  void AddUp(Part& part) const {
    const size_t cells = targets_.cells();
    SharesOfLogits(targets_.first, part.kinds(), part.logits.data(), part.shares.data());
    part.ones = part.shares.rowwise().sum();
    if (dense_) {
      part.pairs.setZero(static_cast<Index>(cells), static_cast<Index>(cells));
      AddProductWithTransposed(AllOf(part.shares), AllOf(part.shares), Triangle::kUpper,
                               part.pairs.data(), cells);
    } else {
      part.blocks.resize(targets_.pairs.size());
      for (size_t p = 0; p < part.blocks.size(); ++p) {
        const Targets::Pair& pair = targets_.pairs[p];
        part.blocks[p].setZero(pair.raw.rows(), pair.raw.cols());
        AddProductWithTransposed(SideOf(part.shares, pair.a), SideOf(part.shares, pair.b),
                                 Triangle::kBoth, part.blocks[p].data(), targets_.CellsOf(pair.b));
      }
    }
    part.tables.resize(tables_.size());
    if (!tables_.empty()) part.turned = part.shares.transpose();
    for (size_t t = 0; t < tables_.size(); ++t) {
      part.tables[t].assign(tables_[t].cells(), 0);
      for (Index k = 0; k < part.turned.rows(); ++k) {
        tables_[t].Add(part.turned.row(k).data(), part.tables[t]);
      }
    }
  }

  void AddGradient(Part& part) const {
    const size_t kinds = part.kinds();
    if (dense_) AddProduct(AllOf(pairs_), AllOf(part.shares), part.gradient.data(), kinds);
    for (size_t p = 0; p < blocks_.size(); ++p) {
      const Targets::Pair& pair = targets_.pairs[p];
      AddProduct(AllOf(blocks_[p]), SideOf(part.shares, pair.b),
                 part.gradient.data() + targets_.first[pair.a] * kinds, kinds);
      AddProduct(Transposed(blocks_[p]), SideOf(part.shares, pair.a),
                 part.gradient.data() + targets_.first[pair.b] * kinds, kinds);
    }
    if (tables_.empty()) return;
    part.turned_gradient.setZero(part.turned.rows(), part.turned.cols());
    for (size_t t = 0; t < tables_.size(); ++t) {
      for (Index k = 0; k < part.turned.rows(); ++k) {
        tables_[t].AddGradient(part.turned.row(k).data(), means_[t],
                               part.turned_gradient.row(k).data());
      }
    }
    part.gradient += part.turned_gradient.transpose();
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
    const auto cells = static_cast<Index>(targets_.cells());
    one_weights_ = Eigen::VectorXf::Zero(cells);
    one_targets_ = Eigen::VectorXf::Zero(cells);
    for (size_t c = 0; c < targets_.columns(); ++c) {
      for (size_t i = 0; i < targets_.CellsOf(c); ++i) {
        const auto at = static_cast<Index>(targets_.first[c] + i);
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
      const auto at_a = static_cast<Index>(targets_.first[pair.a]);
      const auto at_b = static_cast<Index>(targets_.first[pair.b]);
      const Index height = pair.raw.rows();
      const Index width = pair.raw.cols();
      const auto weight = static_cast<float>(1 / pair.variance / mean);
      weights_.block(at_a, at_b, height, width).setConstant(weight);
      weights_.block(at_b, at_a, width, height).setConstant(weight);
      target_.block(at_a, at_b, height, width) = pair.clean;
      target_.block(at_b, at_a, width, height) = pair.clean.transpose();
    }
  }

  const Targets& targets_;
  const FitSettings& settings_;
  const bool dense_;  // pairs stand in one matrix, and else each in its own
  size_t threads_;
  size_t kinds_ = 0;
  std::vector<Part> parts_;
  Matrix target_, weights_;  // where dense
  std::vector<float> block_weights_;
  Eigen::VectorXf one_weights_, one_targets_;
  std::vector<const FitTable*> fit_tables_;
  std::vector<TableOfKinds> tables_;
  std::vector<float> table_weights_;
  // What the mixture has, and in a step how far that is off, by weight.
  Matrix pairs_;
  std::vector<Matrix> blocks_;
  Eigen::VectorXf ones_;
  std::vector<std::vector<float>> means_;
};

}  // namespace

Fitted FitMixture(const Targets& targets, const std::vector<FitTable>& tables,
                  const FitSettings& settings, const Mixture& start, Entropy& entropy,
                  const Progress& progress) {
  Descent descent(targets, tables, settings, start, entropy);
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
  fitted.mixture.shares = descent.Shares();
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
