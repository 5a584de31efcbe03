#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sql/tree.h"

namespace tacit::sql {

// SELECT * FROM tacit.linear_regression('SELECT ...', target => 'income') comes as the call
// tacit.linear_regression('SELECT ...', 'target', 'income'): by a name with a dot, which no other
// text gives.
inline constexpr char kLearnTasks[][32] = {
    "boosted_trees", "kmeans", "linear_regression", "logistic_regression", "moments", "naive_bayes",
    "pca", "svm", "tree",
    // What is counted, and no model (gateway/learning/statistics).
    "histogram", "top_k", "chi_square", "t_test", "survival", "winner", "best_price"};

// What is to be learned, from which rows.
struct LearnCall {
  std::string task;  // of kLearnTasks
  std::string rows;  // the SELECT that gives them, as it was written
  std::vector<std::pair<std::string, std::string>> options;  // in the order written; names once
};

// The rule of errors in such a call, by which a statement that could not be read is known as one.
inline constexpr char kLearnCallRule[] = "learn_call";

// The task of a query that learns something, its arguments known or not; nothing for any other.
std::optional<std::string> LearnTaskOf(const Query& query);
inline bool Learns(const Query& query) { return LearnTaskOf(query).has_value(); }

// All of it; the caller knows that the query learns. The error is of an argument that is no
// constant.
Result<LearnCall> LearnCallOf(const Query& query);

}  // namespace tacit::sql
