#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/privacy_parameters.h"
#include "base/secrets/entropy.h"
#include "learn/rounds/rows.h"
#include "noise/column_mechanism.h"

// Rounds of noisy sums over rows, each steered by what the rounds before it released: the number of
// rounds, what a row can add in each, and the noise are fixed before the first. proof.md has the
// claim.
namespace tacit::learn {

// Sums side by side: a row adds one whole number to at most one of them.
struct RoundTable {
  size_t cells = 0;
  int64_t limit = 1;  // no row adds more, by size
};

// What a row adds to all tables together, where that is less than what their limits allow.
struct RowLimit {
  int64_t l1 = 1;
  int64_t l2_squared = 1;
};

// What one round asks.
struct Round {
  std::string what;  // for people: "rows by cell and class"
  std::vector<RoundTable> tables;
  std::optional<RowLimit> row = std::nullopt;
  bool nonnegative = false;  // no row adds less than nothing
  // Sees the rows that are held out, and no others; else the others. It pays like any other round:
  // nothing is had for its seeing other people.
  bool held_out = false;
  Rational unit = 1;  // what 1 is worth
  Rational share;     // of the whole price; those of all rounds add up to 1 or less

  size_t Cells() const;
};

// What a whole model may cost: epsilon, or under zCDP rho.
struct RoundsPrice {
  bool gaussian = false;
  Rational amount;
};

// A round with its noise. How far one step between neighbours moves its numbers together, in whole
// numbers, and what that costs.
struct PricedRound {
  Round round;
  Integer moves_l1;
  Integer moves_l2_squared;
  RoundsPrice paid;
  noise::AnyMechanism mechanism;  // of each number
  double deviation = 0;           // of the noise, in units
};
Result<std::vector<PricedRound>> PriceRounds(const std::vector<Round>& rounds, const Step& step,
                                             const RoundsPrice& price);

// Stands before the exact rows inside a mechanism, and is the only one who reads them: what it says
// is each round's sums with their noise, once and in order.
class Rounds {
 public:
  // What a row adds to a table: to its cell `cell`, or nothing for kNoCell.
  struct Summand {
    size_t cell = 0;
    int64_t amount = 0;
  };
  static constexpr size_t kNoCell = static_cast<size_t>(-1);

  // All of them outlive it.
  Rounds(const CellRows& rows, const std::vector<PricedRound>& rounds, Entropy& entropy)
      : rows_(rows), rounds_(rounds), entropy_(entropy), kept_(rows.size(), 0) {}
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  // The next round's numbers, in units, table after table. `add(codes, kept, summands)` says what a
  // row with these cells adds to each table; it may use what was released before, and public
  // numbers. `kept` is 0 at first, and whatever it is left with is there in the next round.
  // proof: learn/rounds/proof.md#one-round
  template <class Add>
  std::vector<double> Next(const Add& add) {
    const PricedRound& round = Begin();
    std::vector<Summand> summands(round.round.tables.size());
    std::vector<Int128> sums(round.round.Cells(), 0);
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (rows_.IsHeldOut(row) != round.round.held_out) continue;
      std::fill(summands.begin(), summands.end(), Summand{kNoCell, 0});
      add(rows_.Codes(row), kept_[row], summands.data());
      AddRow(round.round, summands, rows_.Weight(row), sums);
    }
    return Noisy(round, sums);
  }
  // The noise of a round's numbers, one standard deviation, in units.
  double DeviationOf(size_t round) const { return rounds_[round].deviation; }
  double LastDeviation() const { return rounds_[next_ - 1].deviation; }

 private:
  const PricedRound& Begin();
  static void AddRow(const Round& round, const std::vector<Summand>& summands, int64_t weight,
                     std::vector<Int128>& sums);
  std::vector<double> Noisy(const PricedRound& round, const std::vector<Int128>& sums);

  const CellRows& rows_;
  const std::vector<PricedRound>& rounds_;
  Entropy& entropy_;
  std::vector<int64_t> kept_;  // by row: as exact as the rows
  size_t next_ = 0;
};

}  // namespace tacit::learn
