#include "gateway/within_error.h"

#include <algorithm>
#include <cmath>

#include "answer/assemble.h"
#include "answer/format/numbers.h"
#include "answer/shown/shortfall.h"
#include "gateway/answer_query.h"

namespace tacit::gateway {
namespace {

using answer::Shortfall;

// Why 16: from a thousandth of a price to a thousand times as much, in steps that are seldom small.
constexpr int kStepsMax = 16;
// A little more than seems to be needed: the next number is another one.
constexpr double kAhead = 1.05;

// The prices that are tried: ten in a decade, so that asking again meets what was paid for.
Rational PriceAtLeast(const Rational& wished) {
  Rational decade = 1;
  while (decade > wished) decade /= 10;
  while (decade * 10 <= wished) decade *= 10;
  for (const int hundredths : {100, 125, 160, 200, 250, 320, 400, 500, 640, 800}) {
    const Rational price = Rational(decade * hundredths / 100);
    if (price >= wished) return price;
  }
  return Rational(decade * 10);
}

std::string Shown(double number) {
  char text[40];
  std::snprintf(text, sizeof text, std::abs(number) < 100 ? "%.3g" : "%.0f", number);
  return text;
}

std::string Up(const Rational& value) { return answer::ShortNumber(value, answer::Rounding::kUp); }

class Steps {
 public:
  Steps(const Request& asked, const plan::PrivatePlan& first, Services& services)
      : asked_(asked), first_(first), services_(services) {}

  Result<answer::Answer> Run() {
    Rational price = first_.cost.epsilon;
    // Under an id every step is what it was at the first try.
    if (asked_.request_id.empty()) {
      TACIT_TRY(price, FinestPaidFor(price));
    }
    for (int step = 1;; ++step) {
      TACIT_TRY(answer::Answer answer, Ask(price, step));
      answered_ = price;
      const Shortfall shortfall = answer::ShortfallOf(answer, first_.columns);
      if (shortfall.met) {
        answer::AddPaidBefore(answer, paid_);
        return answer;
      }
      Add(answer.privacy.cost);
      if (!shortfall.known) return NotKnown(shortfall, price);
      const Rational needed = Rational(price * RationalOf(shortfall.factor * kAhead));
      const Rational next = PriceAtLeast(std::max(needed, Rational(price * Rational(11, 10))));
      if (step == kStepsMax || !MayStillCost(next)) return TooDear(shortfall, price);
      price = next;
    }
  }

 private:
  Request At(const Rational& price) const {
    Request request = asked_;
    request.wish.error.reset();
    request.wish.epsilon = Epsilon(price);
    return request;
  }

  Result<answer::Answer> Ask(const Rational& price, int step) {
    Request request = At(price);
    if (!request.request_id.empty() && step > 1) {
      request.request_id += " step " + std::to_string(step);
    }
    Result<answer::Answer> answer = AnswerQuery(request, services_);
    if (answer.ok() || step == 1) return answer;
    Error error = std::move(answer).error();
    error.hint += (error.hint.empty() ? "" : "; ") + PaidSentence(answered_);
    return error;
  }

  // The highest price, of those that are tried, at which the asker has the answer already.
  Result<Rational> FinestPaidFor(const Rational& lowest) {
    const Rational& most = services_.policy.privacy.query.epsilon_max.value;
    std::vector<Rational> prices = {lowest};
    while (prices.back() < most) {
      const Rational above = Rational(prices.back() * Rational(11, 10));
      prices.push_back(std::min(PriceAtLeast(above), most));
    }
    // What serves a higher price serves a lower one.
    size_t paid = 0;
    size_t unpaid = prices.size();
    while (paid + 1 < unpaid) {
      const size_t middle = (paid + unpaid) / 2;
      TACIT_TRY(const bool is_paid, IsPaidFor(At(prices[middle]), services_));
      (is_paid ? paid : unpaid) = middle;
    }
    return prices[paid];
  }

  void Add(const ledger::Cost& cost) {
    paid_.epsilon += cost.epsilon;
    paid_.delta += cost.delta;
    paid_.rho += cost.rho;
  }

  bool MayStillCost(const Rational& price) const {
    const policy::Privacy& privacy = services_.policy.privacy;
    const Rational& most = privacy.query.epsilon_max.value;
    if (privacy.accounting == policy::Accounting::kPure) return paid_.epsilon + price <= most;
    return paid_.rho + RhoOfPure(Epsilon(price)).value <= RhoOfPure(Epsilon(most)).value;
  }

  std::string PaidSentence(const Rational& price) const {
    if (paid_.IsZero()) return "the answer at epsilon " + ToString(price) + " is free for you";
    const bool pure = services_.policy.privacy.accounting == policy::Accounting::kPure;
    const std::string paid = pure ? "epsilon " + Up(paid_.epsilon) : "rho " + Up(paid_.rho);
    return "finding that out cost " + paid + ", and the answer at epsilon " + ToString(price) +
           " is free for you now";
  }

  static Error Refusal(std::string message, std::string hint) {
    Error error{.code = ErrorCode::kRefused,
                .public_message = std::move(message),
                .hint = std::move(hint),
                .position = std::nullopt,
                .private_detail = ""};
    error.rule = "price_above_limit";
    return error;
  }

  Error NotKnown(const Shortfall& shortfall, const Rational& price) const {
    return Refusal("how far off " + shortfall.column + " is cannot be computed in every row",
                   "name a price instead of an error; " + PaidSentence(price));
  }

  Error TooDear(const Shortfall& shortfall, const Rational& price) const {
    const Rational& most = services_.policy.privacy.query.epsilon_max.value;
    const double best = shortfall.error * Rational(price / most).get_d();
    const auto error = [&](double value) {
      return shortfall.is_relative ? Shown(100 * value) + " %" : Shown(value);
    };
    std::string hint = "the best that epsilon " + ToString(most) + " buys is about " + error(best) +
                       " (" + shortfall.column + ")";
    if (shortfall.is_relative) {
      hint += ", in the row where it is " + Shown(shortfall.number) +
              ": leave small numbers out with HAVING";
    }
    return Refusal("an error of " + plan::ErrorText(*asked_.wish.error) +
                       " costs more than a query may, epsilon " + ToString(most) + ": about " +
                       Shown(shortfall.factor * kAhead * price.get_d()) +
                       (paid_.IsZero() ? "" : " beside what was paid to find that out"),
                   hint + "; " + PaidSentence(price));
  }

  const Request& asked_;
  const plan::PrivatePlan& first_;
  Services& services_;
  ledger::Cost paid_;      // for steps that did not suffice
  Rational answered_ = 0;  // the price of the last step that was answered
};

}  // namespace

Result<answer::Answer> AnswerWithinError(const Request& asked, const plan::PrivatePlan& first,
                                         Services& services) {
  return Steps(asked, first, services).Run();
}

}  // namespace tacit::gateway
