#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "learn/cells/cells.h"

namespace tacit::learn {

enum class CellTask { kNaiveBayes, kSvm, kLogistic, kTree, kBoost };

// "naive_bayes": in SQL, in files.
std::string NameOf(CellTask task);
std::optional<CellTask> CellTaskNamed(std::string_view name);
// "naive Bayes": for people.
std::string TitleOf(CellTask task);

// A tree of questions about cells. Node 0 is the root.
struct CellNode {
  std::optional<size_t> feature = {};  // a leaf has none
  std::vector<bool> goes_right = {};   // by cell of the feature
  size_t left = 0;
  size_t right = 0;
  std::vector<double> values = {};  // by output: of a row that is here
};
struct CellTree {
  std::vector<CellNode> nodes;
  const CellNode& LeafOf(const uint16_t* cells) const;
};

// Of the rows that were held out: by class those that the model says right, and the others. With
// noise, of which one deviation is `noise`.
struct CellScore {
  std::vector<double> right = {};
  std::vector<double> wrong = {};
  double noise = 0;
};

// What was learned: a row's outputs are the constants, what its cells weigh, and what the leaves
// say in which it is, added up. Of naive Bayes and a tree there is one for each class, of the
// others one: above zero for the second class.
struct CellFit {
  bool known = false;  // false: the rows cannot be told from the noise, and the rest is nothing
  double rows = 0;     // about
  std::vector<double> class_rows = {};  // about; of naive Bayes and trees
  std::vector<double> constants = {};
  std::vector<std::vector<std::vector<double>>> weights = {};  // by output, feature and cell
  // Of naive Bayes: one standard deviation of the noise in each weight. Else empty.
  std::vector<std::vector<std::vector<double>>> noise = {};
  std::vector<CellTree> trees = {};
  std::optional<CellScore> score = {};
};

// What a score says: about how many rows, which share of them is right, what one gets by always
// saying the commonest class, and one deviation of what the noise, and the luck of who is held out,
// do to the first share. Nothing where the noise hides the rows.
struct Accuracy {
  double rows = 0;
  double right = 0;
  double commonest = 0;
  double se_noise = 0;
  double se_sample = 0;
};
std::optional<Accuracy> AccuracyOf(const CellScore& score);

// The outputs of a row with these cells, one for each feature.
std::vector<double> OutputsOf(const CellFit& fit, const std::vector<uint16_t>& cells);

// How likely each class is by them; nothing of an SVM, whose output is no probability.
std::vector<double> SharesOf(CellTask task, const std::vector<double>& outputs);
size_t ClassOf(CellTask task, const std::vector<double>& outputs);

// The kinds of models that explain one class beside another only.
inline bool IsOfTwo(CellTask task) {
  return task != CellTask::kNaiveBayes && task != CellTask::kTree;
}

}  // namespace tacit::learn
