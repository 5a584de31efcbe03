#include "plan/above/finish.h"
#include "plan/price/draft.h"

namespace tacit::plan {
namespace {

// Why 64 halvings: from any epsilon_max down to noise of 2^64 times as much.
constexpr int kHalvings = 64;
constexpr int kBisections = 10;  // to a thousandth of the price

bool StaysWithin(const std::vector<Draft>& drafts, const policy::Privacy& privacy,
                 const Price& price, const Rational& error) {
  const Result<std::vector<PricedBlock>> priced = PriceDrafts(drafts, privacy, price);
  if (!priced.ok()) return false;
  for (size_t i = 0; i < drafts.size(); ++i) {
    for (const analysis::ReleasedColumn& column : drafts[i].block.released) {
      if (ErrorOf(column, drafts[i].block, (*priced)[i].measures).moe95 > error) return false;
    }
  }
  return true;
}

// A price that people can read: four digits, rounded up, but never above `most`.
Rational RoundedUp(const Rational& epsilon, const Rational& most) {
  Rational scale = 1;
  while (epsilon * scale < 1000) scale *= 10;
  const Rational rounded = Rational(CeilOf(Rational(epsilon * scale))) / scale;
  return rounded < most ? rounded : most;
}

Error CannotBeBought(const Rational& error, const Rational& most) {
  Error refusal{.code = ErrorCode::kRefused,
                .public_message = "an error of " + ToString(error) +
                                  " costs more than a query may, epsilon " + ToString(most),
                .hint = "ask for a larger error, or for fewer aggregates at once",
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
  if (!StaysWithin(drafts, privacy, price, error)) return CannotBeBought(error, most);
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
