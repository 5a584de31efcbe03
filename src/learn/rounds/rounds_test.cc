#include "learn/rounds/rounds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/testing/tape_entropy.h"

namespace tacit::learn {
namespace {

Round CountsOf(std::vector<RoundTable> tables, Rational share = 1) {
  return {.what = "rows",
          .tables = std::move(tables),
          .nonnegative = true,
          .unit = 1,
          .share = std::move(share)};
}

// At a price at which the noise is nothing.
std::vector<PricedRound> Noiseless(const std::vector<Round>& rounds, const Step& step = {}) {
  return PriceRounds(rounds, step, {.gaussian = false, .amount = Rational(1'000'000'000'000)})
      .value();
}

TEST(Rounds, GiveSumsOfWhatRowsAdd) {
  CellRows rows(2);
  rows.Add({0, 1}, 3);
  rows.Add({1, 1}, 2);
  tacit::testing::SeededEntropy entropy(1);
  const auto priced = Noiseless({CountsOf({{.cells = 2}, {.cells = 3}})});
  Rounds rounds(rows, priced, entropy);
  const std::vector<double> sums =
      rounds.Next([](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
        summands[0] = {codes[0], 1};
        summands[1] = {codes[1], 1};
      });
  EXPECT_EQ(sums, (std::vector<double>{3, 2, 0, 5, 0}));
}

TEST(Rounds, KeepWhatAModelRemembersOfARow) {
  CellRows rows(1);
  rows.Add({0}, 1);
  rows.Add({1}, 1);
  tacit::testing::SeededEntropy entropy(1);
  Round one = CountsOf({{.cells = 1, .limit = 100}}, Rational(1, 2));
  const auto priced = Noiseless({one, one});
  Rounds rounds(rows, priced, entropy);
  rounds.Next([](const uint16_t* codes, int64_t& kept, Rounds::Summand*) { kept = 7 + codes[0]; });
  const std::vector<double> sums =
      rounds.Next([](const uint16_t*, int64_t& kept, Rounds::Summand* summands) {
        summands[0] = {0, kept};
      });
  EXPECT_EQ(sums[0], 15);
}

TEST(Rounds, CostTheirShareAndHaveTheNoiseThatItBuys) {
  const Round first =
      CountsOf({{.cells = 5, .limit = 1}, {.cells = 2, .limit = 3}}, Rational(1, 4));
  Round second = first;
  second.nonnegative = false;
  second.share = Rational(3, 4);
  const Step alone{.rows = 2, .replaces = false};
  const Step replaced{.rows = 2, .replaces = true};
  const auto pure = PriceRounds({first, second}, alone, {.gaussian = false, .amount = 2}).value();
  EXPECT_EQ(pure[0].moves_l1, 8);
  EXPECT_EQ(pure[0].paid.amount, Rational(1, 2));
  EXPECT_EQ(pure[0].mechanism->ScaleUp(), 16);
  EXPECT_NEAR(pure[0].deviation, 16 * std::sqrt(2.0), 1e-9);
  EXPECT_EQ(pure[1].paid.amount, Rational(3, 2));
  const auto rho = PriceRounds({first, second}, replaced, {.gaussian = true, .amount = 1}).value();
  EXPECT_EQ(rho[0].moves_l1, 16);
  EXPECT_EQ(rho[0].moves_l2_squared, 2 * 4 * 10);
  EXPECT_EQ(rho[1].moves_l2_squared, 4 * 4 * 10);
  EXPECT_NEAR(rho[0].deviation, std::sqrt(80 / (2 * 0.25)), 1e-9);
  EXPECT_DEATH((void)PriceRounds({first, second, first}, alone, {.gaussian = false, .amount = 2}),
               "shares");
}

TEST(Rounds, AreAskedOnceEach) {
  const CellRows rows(1);
  tacit::testing::SeededEntropy entropy(1);
  const auto priced = Noiseless({CountsOf({{.cells = 1}})});
  Rounds rounds(rows, priced, entropy);
  const auto nothing = [](const uint16_t*, int64_t&, Rounds::Summand*) {};
  rounds.Next(nothing);
  EXPECT_DEATH(rounds.Next(nothing), "next_");
}

// A model that wants to add as much as it can, wherever it can.
void AddTooMuch(const uint16_t* codes, int64_t& kept, Rounds::Summand* summands) {
  kept += 1'000'000;
  summands[0] = {codes[0], kept};
  summands[1] = {codes[1], codes[0] == 0 ? -kept : kept};
  if (codes[0] == 2) summands[1] = {static_cast<size_t>(1) << 40, kept};
}

struct Moves {
  Rational l1 = 0;
  Rational l2_squared = 0;
};
Moves MovesBetween(const CellRows& a, const CellRows& b, const Round& round, const Step& step) {
  tacit::testing::SeededEntropy entropy(1);
  const auto priced = Noiseless({round}, step);
  Rounds of_a(a, priced, entropy);
  Rounds of_b(b, priced, entropy);
  const std::vector<double> x = of_a.Next(AddTooMuch);
  const std::vector<double> y = of_b.Next(AddTooMuch);
  Moves moves;
  for (size_t i = 0; i < x.size(); ++i) {
    const Rational moved = RationalOf(std::abs(x[i] - y[i]));
    moves.l1 += moved;
    moves.l2_squared += moved * moved;
  }
  return moves;
}

// Everything that two rows of one person can be, come or exchanged for everything else.
TEST(Rounds, NoStepMovesThemMoreThanTheyWerePricedFor) {
  std::vector<std::vector<uint16_t>> kinds;
  for (uint16_t a = 0; a < 3; ++a) {
    for (uint16_t b = 0; b < 2; ++b) kinds.push_back({a, b});
  }
  size_t tight = 0;
  size_t tight_squared = 0;
  const std::optional<RowLimit> limits[] = {std::nullopt, RowLimit{.l1 = 6, .l2_squared = 1000},
                                            RowLimit{.l1 = 1000, .l2_squared = 26}};
  for (size_t kind = 0; kind < 6; ++kind) {
    const std::optional<RowLimit>& limit = limits[kind / 2];
    Round round{.what = "",
                .tables = {{.cells = 3, .limit = 5}, {.cells = 2, .limit = 4}},
                .row = limit,
                .nonnegative = kind % 2 == 0,
                .unit = 1,
                .share = 1};
    for (const bool replaces : {false, true}) {
      const Step step{.rows = 2, .replaces = replaces};
      const PricedRound priced = Noiseless({round}, step)[0];
      for (const auto& one : kinds) {
        for (const auto& two : kinds) {
          for (const auto& gone : kinds) {
            CellRows a(2);
            CellRows b(2);
            for (const auto& everybody : kinds) {
              a.Add(everybody, 10);
              b.Add(everybody, 10);
            }
            a.Add(one, 1);
            a.Add(two, 1);
            if (replaces) b.Add(gone, 2);
            const Moves moves = MovesBetween(a, b, round, step);
            EXPECT_LE(moves.l1, Rational(priced.moves_l1));
            EXPECT_LE(moves.l2_squared, Rational(priced.moves_l2_squared));
            if (limit && limit->l1 < 9) tight += moves.l1 == Rational(priced.moves_l1) ? 1 : 0;
            if (!limit) tight += moves.l1 == Rational(priced.moves_l1) ? 1 : 0;
            if (limit && limit->l1 > 9) {
              tight_squared += moves.l2_squared == Rational(priced.moves_l2_squared) ? 1 : 0;
            }
          }
        }
      }
    }
  }
  // The bounds are reached: one of them lower would have been found.
  EXPECT_GT(tight, 0u);
  EXPECT_GT(tight_squared, 0u);
}

// The noise that is drawn is the stated one: 4,000 numbers, whose mean square is off by more than a
// tenth with a chance below one in 100,000; a round of half its noise is found.
TEST(Rounds, DrawTheNoiseThatTheyState) {
  for (const bool gaussian : {false, true}) {
    const CellRows rows(1);
    const auto priced = PriceRounds({CountsOf({{.cells = 4000}})}, {.rows = 1, .replaces = false},
                                    {.gaussian = gaussian, .amount = Rational(1, 50)})
                            .value();
    tacit::testing::SeededEntropy entropy(20261119);
    Rounds rounds(rows, priced, entropy);
    double squares = 0;
    for (const double noise : rounds.Next([](const uint16_t*, int64_t&, Rounds::Summand*) {})) {
      squares += noise * noise / 4000;
    }
    const double stated = priced[0].deviation * priced[0].deviation;
    EXPECT_NEAR(squares / stated, 1, 0.2);
    EXPECT_GT(squares / (stated / 4), 2);
  }
}

}  // namespace
}  // namespace tacit::learn
