#include "learn/cells/fit.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace tacit::learn {
namespace {

// Why 3: below it one can hardly say that there are rows at all.
constexpr double kRowsOverNoise = 3;

struct NamedTask {
  CellTask task;
  const char* name;
  const char* title;
};
constexpr NamedTask kNamedTasks[] = {
    {CellTask::kNaiveBayes, "naive_bayes", "naive Bayes"},
    {CellTask::kSvm, "svm", "linear support vector machine"},
    {CellTask::kLogistic, "logistic_regression", "logistic regression"},
    {CellTask::kTree, "tree", "decision tree"},
    {CellTask::kBoost, "boosted_trees", "boosted trees"},
};

}  // namespace

std::string NameOf(CellTask task) {
  for (const NamedTask& named : kNamedTasks) {
    if (named.task == task) return named.name;
  }
  return "";
}

std::optional<CellTask> CellTaskNamed(std::string_view name) {
  for (const NamedTask& named : kNamedTasks) {
    if (named.name == name) return named.task;
  }
  return std::nullopt;
}

std::string TitleOf(CellTask task) {
  for (const NamedTask& named : kNamedTasks) {
    if (named.task == task) return named.title;
  }
  return "";
}

const CellNode& CellTree::LeafOf(const uint16_t* cells) const {
  size_t at = 0;
  while (nodes[at].feature) {
    const CellNode& node = nodes[at];
    at = node.goes_right[cells[*node.feature]] ? node.right : node.left;
  }
  return nodes[at];
}

std::vector<double> OutputsOf(const CellFit& fit, const std::vector<uint16_t>& cells) {
  std::vector<double> outputs = fit.constants;
  for (size_t o = 0; o < outputs.size() && !fit.weights.empty(); ++o) {
    TACIT_ASSERT(fit.weights[o].size() == cells.size());
    for (size_t f = 0; f < cells.size(); ++f) outputs[o] += fit.weights[o][f][cells[f]];
  }
  for (const CellTree& tree : fit.trees) {
    const CellNode& leaf = tree.LeafOf(cells.data());
    for (size_t o = 0; o < outputs.size(); ++o) outputs[o] += leaf.values[o];
  }
  return outputs;
}

std::optional<Accuracy> AccuracyOf(const CellScore& score) {
  Accuracy found;
  double right = 0;
  double most = 0;
  for (size_t c = 0; c < score.right.size(); ++c) {
    right += score.right[c];
    found.rows += score.right[c] + score.wrong[c];
    most = std::max(most, score.right[c] + score.wrong[c]);
  }
  const double counts = static_cast<double>(score.right.size());
  if (found.rows <= std::max(kRowsOverNoise * score.noise * std::sqrt(2 * counts), 1.0)) {
    return std::nullopt;
  }
  found.right = std::clamp(right / found.rows, 0.0, 1.0);
  found.commonest = std::clamp(most / found.rows, 0.0, 1.0);
  // What is right moves the share by (1 - share) / rows, what is wrong by -share / rows.
  found.se_noise =
      score.noise * std::sqrt(counts) * std::hypot(1 - found.right, found.right) / found.rows;
  found.se_sample = std::sqrt(found.right * (1 - found.right) / found.rows);
  return found;
}

std::vector<double> SharesOf(CellTask task, const std::vector<double>& outputs) {
  if (task == CellTask::kSvm) return {};
  if (task == CellTask::kTree) return outputs;
  if (IsOfTwo(task)) {
    const double second = 1 / (1 + std::exp(-outputs[0]));
    return {1 - second, second};
  }
  const double most = *std::max_element(outputs.begin(), outputs.end());
  std::vector<double> shares;
  double sum = 0;
  for (const double output : outputs) {
    shares.push_back(std::exp(output - most));
    sum += shares.back();
  }
  for (double& share : shares) share /= sum;
  return shares;
}

size_t ClassOf(CellTask task, const std::vector<double>& outputs) {
  if (IsOfTwo(task)) return outputs[0] > 0 ? 1 : 0;
  return static_cast<size_t>(std::max_element(outputs.begin(), outputs.end()) - outputs.begin());
}

}  // namespace tacit::learn
