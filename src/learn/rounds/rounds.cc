#include "learn/rounds/rounds.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/assert.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/discrete_laplace/discrete_laplace.h"

namespace tacit::learn {
namespace {

// Why 2^52: whole numbers up to it are doubles, and the root of the next one is no overflow.
constexpr int64_t kSquareMost = int64_t{1} << 52;

// The largest whole number whose square is not larger.
int64_t RootDown(int64_t square) {
  auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

// The most that a row may still add to a table.
int64_t MostLeft(const RowLimit& left, int64_t limit) {
  return std::min({limit, left.l1, RootDown(left.l2_squared)});
}

}  // namespace

size_t Round::Cells() const {
  size_t cells = 0;
  for (const RoundTable& table : tables) cells += table.cells;
  return cells;
}

// proof: learn/rounds/proof.md#what-a-step-moves
Result<std::vector<PricedRound>> PriceRounds(const std::vector<Round>& rounds, const Step& step,
                                             const RoundsPrice& price) {
  std::vector<PricedRound> priced;
  Rational shares = 0;
  for (const Round& round : rounds) {
    TACIT_ASSERT(round.share > 0 && !round.tables.empty());
    shares += round.share;
    Integer of_row_l1 = 0;
    Integer of_row_squared = 0;
    for (const RoundTable& table : round.tables) {
      TACIT_ASSERT(table.limit >= 1);
      const Integer limit = ToInteger(table.limit);
      of_row_l1 += limit;
      of_row_squared += limit * limit;
    }
    if (round.row) {
      TACIT_ASSERT(round.row->l1 >= 1 && round.row->l2_squared >= 1 &&
                   round.row->l2_squared <= kSquareMost);
      of_row_l1 = std::min(of_row_l1, ToInteger(round.row->l1));
      of_row_squared = std::min(of_row_squared, ToInteger(round.row->l2_squared));
    }
    const Integer rows_squared = step.rows * step.rows;
    const Integer l1 = of_row_l1 * step.rows * (step.replaces ? 2 : 1);
    // What goes and what comes: at right angles at worst where nothing is negative, and opposite
    // otherwise.
    const int twice = !step.replaces ? 1 : round.nonnegative ? 2 : 4;
    const Integer l2_squared = of_row_squared * rows_squared * twice;
    const RoundsPrice paid{.gaussian = price.gaussian,
                           .amount = Rational(price.amount * round.share)};
    if (price.gaussian) {
      TACIT_TRY(const noise::DiscreteGaussian noise,
                noise::DiscreteGaussian::Make(
                    {.sensitivity_l2_squared = Rational(l2_squared), .rho = Rho(paid.amount)}));
      const double sigma = std::sqrt(noise.sigma_squared().get_d());
      priced.push_back({.round = round,
                        .moves_l1 = l1,
                        .moves_l2_squared = l2_squared,
                        .paid = paid,
                        .mechanism = noise,
                        .deviation = sigma * round.unit.get_d()});
    } else {
      TACIT_TRY(
          const noise::DiscreteLaplace noise,
          noise::DiscreteLaplace::Make({.sensitivity_l1 = l1, .epsilon = Epsilon(paid.amount)}));
      const double scale = noise.scale().get_d();
      priced.push_back({.round = round,
                        .moves_l1 = l1,
                        .moves_l2_squared = l2_squared,
                        .paid = paid,
                        .mechanism = noise,
                        .deviation = std::sqrt(2.0) * scale * round.unit.get_d()});
    }
  }
  TACIT_ASSERT(shares <= 1);
  return priced;
}

// Each round once, in the order in which they were priced.
const PricedRound& Rounds::Begin() {
  TACIT_ASSERT(next_ < rounds_.size());
  return rounds_[next_++];
}

// What is more than the round was priced for is not added, whatever the model meant.
void Rounds::AddRow(const Round& round, const std::vector<Summand>& summands, int64_t weight,
                    std::vector<Int128>& sums) {
  size_t first = 0;
  RowLimit left = round.row.value_or(RowLimit{});  // of a round without, nothing looks at it
  for (size_t t = 0; t < summands.size(); ++t) {
    const Summand& summand = summands[t];
    const RoundTable& table = round.tables[t];
    if (summand.cell < table.cells) {
      const int64_t most = round.row ? MostLeft(left, table.limit) : table.limit;
      const int64_t amount = std::clamp(summand.amount, round.nonnegative ? 0 : -most, most);
      if (round.row) {
        left.l1 -= std::abs(amount);
        left.l2_squared -= amount * amount;
      }
      sums[first + summand.cell] += static_cast<Int128>(weight) * amount;
    }
    first += table.cells;
  }
}

std::vector<double> Rounds::Noisy(const PricedRound& round, const std::vector<Int128>& sums) {
  const double unit = round.round.unit.get_d();
  std::vector<double> noisy;
  noisy.reserve(sums.size());
  for (const Int128 sum : sums) {
    noisy.push_back(static_cast<double>(round.mechanism->Apply(sum, entropy_)) * unit);
  }
  return noisy;
}

}  // namespace tacit::learn
