#include <exception>
#include <limits>
#include <memory>

#include "attack/reconstruction/clp.h"
#include "attack/reconstruction/solve.h"
#include "base/assert.h"

namespace tacit::attack {

const LateLibrary& Clp() {
  static const LateLibrary library("libClp.so.1");
  return library;
}

namespace {

struct Deleter {
  void operator()(Clp_Simplex* program) const { Clp_deleteModel(program); }
};
using Program = std::unique_ptr<Clp_Simplex, Deleter>;

Error NoOptimum(const std::string& detail) {
  return Error{.code = ErrorCode::kInternal,
               .public_message = "CLP found no optimum of the reconstruction's linear program",
               .hint = "try another --seed, or fewer --people",
               .position = std::nullopt,
               .private_detail = detail};
}

constexpr double kUnbounded = std::numeric_limits<double>::max();  // as CLP reads it

// The program column by column, as CLP takes it.
struct Columns {
  std::vector<CoinBigIndex> starts = {0};
  std::vector<int> rows;
  std::vector<double> factors;
  std::vector<double> low, high, price;

  void Add(const std::vector<uint32_t>& in_rows, double factor, double from, double to,
           double cost) {
    rows.insert(rows.end(), in_rows.begin(), in_rows.end());
    factors.insert(factors.end(), in_rows.size(), factor);
    starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    low.push_back(from);
    high.push_back(to);
    price.push_back(cost);
  }
};

}  // namespace

// Solved as its dual, which has n rows instead of m: maximise b'y over |y_i| <= 1 minus the sum of
// max(0, (A'y)_j), the price of x_j <= 1. x is then the dual solution of the n rows A'y - s <= 0.
Result<std::vector<double>> SolveLinearProgram(const SubsetAnswers& answers) {
  TACIT_ASSERT(answers.subsets.size() == answers.counts.size());
  const auto n = static_cast<int>(answers.people);
  Columns columns;
  for (size_t i = 0; i < answers.subsets.size(); ++i) {
    columns.Add(answers.subsets[i], 1, -1, 1, -answers.counts[i]);
  }
  for (uint32_t row = 0; row < answers.people; ++row) columns.Add({row}, -1, 0, kUnbounded, 1);
  const std::vector<double> row_low(answers.people, -kUnbounded);
  const std::vector<double> row_high(answers.people, 0);
  TACIT_CHECK(Clp().Loaded());
  try {
    const Program program(Clp_newModel());
    Clp_setLogLevel(program.get(), 0);
    Clp_loadProblem(program.get(), static_cast<int>(columns.price.size()), n, columns.starts.data(),
                    columns.rows.data(), columns.factors.data(), columns.low.data(),
                    columns.high.data(), columns.price.data(), row_low.data(), row_high.data());
    Clp_primal(program.get(), 0);
    if (Clp_isProvenOptimal(program.get()) == 0) {
      return NoOptimum(std::to_string(Clp_status(program.get())));
    }
    const double* duals = Clp_getRowPrice(program.get());
    std::vector<double> guess(answers.people);
    for (int row = 0; row < n; ++row) guess[static_cast<size_t>(row)] = -duals[row];
    return guess;
  } catch (const std::exception& error) {
    return NoOptimum(error.what());
  } catch (...) {  // CoinError, whose type stays inside the library
    return NoOptimum("an exception of CLP's own");
  }
}

}  // namespace tacit::attack
