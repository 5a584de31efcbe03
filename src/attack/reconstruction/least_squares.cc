#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "attack/reconstruction/solve.h"
#include "base/assert.h"

namespace tacit::attack {

std::vector<double> SolveLeastSquares(const SubsetAnswers& answers, double ridge) {
  TACIT_ASSERT(answers.subsets.size() == answers.counts.size() && ridge > 0);
  const auto n = static_cast<Eigen::Index>(answers.people);
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
  // Blocks of rows, so that Eigen multiplies matrices and memory stays small for any number of
  // answers.
  constexpr size_t kBlock = 256;
  for (size_t start = 0; start < answers.subsets.size(); start += kBlock) {
    const size_t rows = std::min(kBlock, answers.subsets.size() - start);
    Eigen::MatrixXd block = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows), n);
    Eigen::VectorXd counts(static_cast<Eigen::Index>(rows));
    for (size_t r = 0; r < rows; ++r) {
      const std::vector<uint32_t>& subset = answers.subsets[start + r];
      const auto row = static_cast<Eigen::Index>(r);
      for (const uint32_t person : subset) block(row, static_cast<Eigen::Index>(person)) = 1;
      counts(row) = answers.counts[start + r] - static_cast<double>(subset.size()) / 2;
    }
    normal.selfadjointView<Eigen::Lower>().rankUpdate(block.transpose());
    right.noalias() += block.transpose() * counts;
  }
  normal.diagonal().array() += ridge;
  const Eigen::VectorXd offset = normal.selfadjointView<Eigen::Lower>().ldlt().solve(right);
  std::vector<double> guess(answers.people);
  for (Eigen::Index i = 0; i < n; ++i) guess[static_cast<size_t>(i)] = offset(i) + 0.5;
  return guess;
}

}  // namespace tacit::attack
