#include <algorithm>
#include <optional>

#include "plan/above/finish.h"
#include "plan/price/draft.h"

namespace tacit::plan {
namespace {

// Why 64 halvings: from any epsilon_max down to noise of 2^64 times as much.
constexpr int kHalvings = 64;
constexpr int kBisections = 10;  // to a thousandth of the price

// The largest error of a released column at the price; nothing where the price buys no answer.
std::optional<Rational> WorstError(const std::vector<Draft>& drafts, const policy::Privacy& privacy,
                                   const Price& price) {
  const Result<std::vector<PricedBlock>> priced = PriceDrafts(drafts, privacy, price);
  if (!priced.ok()) return std::nullopt;
  Rational worst = 0;
  for (size_t i = 0; i < drafts.size(); ++i) {
    for (const analysis::ReleasedColumn& column : drafts[i].block.released) {
      Rational error = ErrorOf(column, drafts[i].block, (*priced)[i].measures).moe95;
      if (drafts[i].summed > 1 && analysis::AddsUp(drafts[i].block, column)) {
        error *= SquareRootUp(Rational(drafts[i].summed));
      }
      if (worst < error) worst = error;
    }
  }
  return worst;
}

bool StaysWithin(const std::vector<Draft>& drafts, const policy::Privacy& privacy,
                 const Price& price, const Rational& error) {
  const std::optional<Rational> worst = WorstError(drafts, privacy, price);
  return worst && *worst <= error;
}

// A price that people can read: four digits, rounded up, but never above `most`.
Rational RoundedUp(const Rational& epsilon, const Rational& most) {
  Rational scale = 1;
  while (epsilon * scale < 1000) scale *= 10;
  const Rational rounded = Rational(CeilOf(Rational(epsilon * scale))) / scale;
  return rounded < most ? rounded : most;
}

// For people: three digits, rounded up.
std::string Shown(const Rational& value) {
  Rational scale = 1;
  while (value * scale < 100) scale *= 10;
  return ToString(Rational(Rational(CeilOf(Rational(value * scale))) / scale));
}

// What it would take, were the owner to allow it, and what is to be had instead.
Error CannotBeBought(const std::vector<Draft>& drafts, const policy::Privacy& privacy, Price price,
                     const Rational& error) {
  const Rational most = price.epsilon.value;
  const std::optional<Rational> best = WorstError(drafts, privacy, price);
  std::optional<Rational> needed;
  for (int i = 0; i < kHalvings && !needed; ++i) {
    price.epsilon = Epsilon(Rational(price.epsilon.value * 2));
    if (StaysWithin(drafts, privacy, price, error)) needed = price.epsilon.value;
  }
  for (int i = 0; i < kBisections && needed; ++i) {
    const Rational middle = Rational((*needed + std::max(most, Rational(*needed / 2))) / 2);
    price.epsilon = Epsilon(middle);
    if (StaysWithin(drafts, privacy, price, error)) needed = middle;
  }
  Error refusal{.code = ErrorCode::kRefused,
                .public_message = "an error of " + ToString(error) +
                                  " costs more than a query may, epsilon " + ToString(most) +
                                  (needed ? ": about " + Shown(*needed) : ""),
                .hint = (best ? "the best that epsilon " + ToString(most) +
                                    " buys is an error of " + Shown(*best) + "; "
                              : std::string()) +
                        "ask for fewer aggregates at once, or coarser groups",
                .position = std::nullopt,
                .private_detail = ""};
  refusal.rule = "price_above_limit";
  return refusal;
}

}  // namespace

Result<Price> PriceForError(const std::vector<Draft>& drafts, const policy::Privacy& privacy,
                            const Price& asked, const Rational& error) {
  if (error <= 0) {
    return InvalidArgument("the error must be above 0, not " + ToString(error));
  }
  if (SharesOf(drafts) == 0) return asked;
  const Rational& most = privacy.query.epsilon_max.value;
  Price price = asked;
  price.epsilon = Epsilon(most);
  // What fails at the highest price for another reason than the error says so itself.
  TACIT_CHECK(PriceDrafts(drafts, privacy, price));
  if (!StaysWithin(drafts, privacy, price, error)) {
    return CannotBeBought(drafts, privacy, price, error);
  }
  Rational enough = most;
  Rational too_little = 0;
  for (int i = 0; i < kHalvings && too_little == 0; ++i) {
    price.epsilon = Epsilon(Rational(enough / 2));
    if (StaysWithin(drafts, privacy, price, error)) {
      enough = price.epsilon.value;
    } else {
      too_little = price.epsilon.value;
    }
  }
  for (int i = 0; i < kBisections; ++i) {
    const Rational middle = Rational((enough + too_little) / 2);
    price.epsilon = Epsilon(middle);
    (StaysWithin(drafts, privacy, price, error) ? enough : too_little) = middle;
  }
  // An error that costs next to nothing is had for the least that a query costs.
  const Rational rounded = RoundedUp(enough, most);
  price.epsilon = Epsilon(std::max(rounded, LeastPrice(privacy).value));
  return price;
}

}  // namespace tacit::plan
