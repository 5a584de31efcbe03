#include "plan/price/price.h"

#include <algorithm>

namespace tacit::plan {
namespace {

Error NotAtThisPrice(const std::string& message, const std::string& hint) {
  Error error{.code = ErrorCode::kRefused,
              .public_message = message,
              .hint = hint,
              .position = std::nullopt,
              .private_detail = ""};
  error.rule = "price_above_limit";
  return error;
}

}  // namespace

Share Price::ShareOf(size_t shares) const {
  TACIT_ASSERT(shares >= 1);
  const Rational count = MakeRational(static_cast<Int128>(shares));
  return {.epsilon = Epsilon(Rational(epsilon.value / count)),
          .rho = Rho(Rational(RhoOfPure(epsilon).value / count))};
}

Epsilon LeastPrice(const policy::Privacy& privacy) {
  return Epsilon(std::min(Rational(privacy.query.epsilon.value / 1000), Rational(1, 10000)));
}

Result<Price> PriceOf(const Wish& wish, const policy::Privacy& privacy) {
  Price price{.epsilon = privacy.query.epsilon,
              .delta = privacy.query.delta,
              .accounting = privacy.accounting};
  if (wish.epsilon) {
    TACIT_TRY(price.epsilon, CheckedEpsilon(wish.epsilon->value));
  }
  if (wish.delta) {
    TACIT_TRY(price.delta, CheckedDelta(wish.delta->value));
  }
  if (const Epsilon least = LeastPrice(privacy); price.epsilon < least) {
    Error error =
        NotAtThisPrice("epsilon is below the least that a query may cost, " + ToString(least.value),
                       "ask at " + ToString(least.value) +
                           " or more: below it an answer is noise "
                           "alone");
    error.rule = "price_below_limit";
    return error;
  }
  if (privacy.query.epsilon_max < price.epsilon) {
    return NotAtThisPrice(
        "epsilon " + ToString(price.epsilon.value) + " is above the most that a query " +
            "may cost, " + ToString(privacy.query.epsilon_max.value),
        "ask with --epsilon " + ToString(privacy.query.epsilon_max.value) + " or less");
  }
  if (privacy.query.delta < price.delta) {
    return NotAtThisPrice("delta " + ToString(price.delta.value) + " is above the policy's, " +
                              ToString(privacy.query.delta.value),
                          "ask with a smaller delta, or leave it out");
  }
  return price;
}

}  // namespace tacit::plan
