#include "gateway/within_error.h"

#include <algorithm>
#include <cmath>

#include "answer/assemble.h"
#include "answer/format/numbers.h"
#include "answer/shown/shortfall.h"
#include "answer/table_bytes.h"
#include "gateway/answer_query.h"
#include "gateway/charge_request.h"
#include "gateway/derive/derived.h"
#include "plan/above/finish.h"
#include "plan/derive/rows_question.h"

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

// Below so many times its own error a count says little of what an average of so few is worth.
constexpr int kClearCount = 4;

// The least of what the asker has paid for and the counts of all groups are told by, or else the
// numbers of all their rows, which are no fewer; nothing where that is not known, or not well
// enough.
Result<std::optional<Rational>> FewestPeople(const plan::CountBehind& behind,
                                             const plan::PrivatePlan& plan,
                                             const ledger::ChargeRequest& price,
                                             Services& services) {
  using Found = std::optional<Rational>;
  plan::PrivatePlan counts;
  counts.releases.push_back(plan.releases[behind.release]);
  plan::Release& release = counts.releases[0];
  if (!release.shape || release.shape->measures.size() != release.measures.size()) return Found();
  release.measures = {plan::Measure(release.measures[behind.measure])};
  release.shape->measures = {plan::MeasureShape(release.shape->measures[behind.measure])};
  OwnShapes read_now;
  OwnShapes& shapes = services.own_shapes != nullptr ? *services.own_shapes : read_now;
  TACIT_TRY(std::optional<Derived> derived,
            DeriveFromOwn(counts, price, shapes, services.ledger, plan::Fineness::kAny));
  if (!derived) {
    release.shape->measures[0].question = plan::QuestionOfRows();
    TACIT_TRY(derived, DeriveFromOwn(counts, price, shapes, services.ledger, plan::Fineness::kAny));
  }
  if (!derived) return Found();
  TACIT_TRY(const engine::ResultTable table,
            answer::ReadTable(*derived->receipt.releases[0].bytes));
  Found fewest;
  for (const std::vector<engine::Value>& row : table.rows) {
    const auto* count = std::get_if<engine::Numeric>(&row.back());
    if (count == nullptr) return Found();
    const Rational people = MakeRational(count->unscaled);
    if (!fewest || people < *fewest) fewest = people;
  }
  const Rational clear = Rational(derived->made_of[0][0].moe95 * kClearCount);
  return fewest && *fewest >= clear && *fewest > 0 ? fewest : Found();
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
    // Under an id every step is what it was at the first try.
    const bool alone = asked_.request_id.empty();
    if (alone) {
      TACIT_TRY(std::optional<answer::Answer> paid, TryFinest());
      if (paid) return std::move(*paid);
    }
    Rational price = first_.cost.epsilon;
    Shortfall shortfall;
    for (int step = 1;; ++step) {
      std::optional<Rational> stored;
      if (alone) {
        TACIT_TRY(stored, StoredAt(price));
      }
      const bool may_go_on = step == 1 || (step <= kStepsMax && (stored || MayStillCost(price)));
      if (!may_go_on) return TooDear(shortfall);
      price = stored.value_or(price);
      TACIT_TRY(answer::Answer answer, Ask(At(price, stored.has_value()), step));
      answered_ = price;
      Go(price);
      shortfall = answer::ShortfallOf(answer, first_.columns);
      if (shortfall.met) return Finished(std::move(answer), shortfall);
      Add(answer.privacy.cost);
      if (!shortfall.known) return NotKnown(shortfall);
      const Rational needed = Rational(price * RationalOf(shortfall.factor * kAhead));
      price = PriceAtLeast(std::max(needed, Rational(price * Rational(11, 10))));
    }
  }

 private:
  Request At(const Rational& price, bool coarsest = false) const {
    Request request = asked_;
    request.wish.error.reset();
    request.wish.first_step.reset();
    request.wish.epsilon = Epsilon(price);
    request.coarsest = coarsest;
    return request;
  }

  Result<answer::Answer> Ask(Request request, int step) {
    if (!request.request_id.empty() && step > 1) {
      request.request_id += " step " + std::to_string(step);
    }
    Result<answer::Answer> answer = AnswerQuery(request, services_);
    if (answer.ok() || answered_ == 0) return answer;
    Error error = std::move(answer).error();
    error.hint += (error.hint.empty() ? "" : "; ") + PaidSentence();
    return error;
  }

  answer::Answer Finished(answer::Answer answer, const Shortfall& shortfall) const {
    answer::AddPaidBefore(answer, paid_);
    if (shortfall.column.empty()) {
      answer.notices.push_back(
          "no number is shown, so none could be held against the error that was asked for; a "
          "price instead of an error may show more");
    }
    return answer;
  }

  // The prices that are tried, from the first one on.
  std::vector<Rational> Prices() const {
    const Rational& most = services_.policy.privacy.query.epsilon_max.value;
    std::vector<Rational> prices = {first_.cost.epsilon};
    while (prices.back() < most) {
      const Rational above = Rational(prices.back() * Rational(11, 10));
      prices.push_back(std::min(PriceAtLeast(above), most));
    }
    return prices;
  }

  // The best answer that the asker has paid for, if it is good enough.
  Result<std::optional<answer::Answer>> TryFinest() {
    using Found = std::optional<answer::Answer>;
    const std::vector<Rational> prices = Prices();
    // What serves a higher price serves a lower one.
    size_t paid = 0;
    size_t unpaid = prices.size() + 1;
    while (paid + 1 < unpaid) {
      const size_t middle = (paid + unpaid) / 2;
      TACIT_TRY(const auto releases, PaidReleases(At(prices[middle - 1]), services_));
      (releases ? paid : unpaid) = middle;
    }
    if (paid == 0) return Found();
    TACIT_TRY(answer::Answer answer, Ask(At(prices[paid - 1]), 1));
    const Shortfall shortfall = answer::ShortfallOf(answer, first_.columns);
    if (!shortfall.met) return Found();
    return Found(Finished(std::move(answer), shortfall));
  }

  // Where the asker has paid for an answer that is fine enough for the price: the highest price
  // that the coarsest of those serves, whose noise is its own. Steps that were paid for before are
  // then gone through again as they were, and end where they ended.
  Result<std::optional<Rational>> StoredAt(const Rational& price) {
    using Found = std::optional<Rational>;
    if (price > services_.policy.privacy.query.epsilon_max.value) return Found();
    TACIT_TRY(const auto releases, PaidReleases(At(price, true), services_));
    if (!releases) return Found();
    Rational highest = price;
    for (const Rational& above : Prices()) {
      if (above <= price) continue;
      TACIT_TRY(const auto same, PaidReleases(At(above, true), services_));
      if (same != releases) break;
      highest = above;
    }
    return Found(highest);
  }

  void Add(const ledger::Cost& cost) {
    paid_.epsilon += cost.epsilon;
    paid_.delta += cost.delta;
    paid_.rho += cost.rho;
  }

  // All steps count, whenever they were paid for: a wish that was refused is refused again.
  void Go(const Rational& price) {
    gone_epsilon_ += price;
    gone_rho_ += RhoOfPure(Epsilon(price)).value;
  }

  bool MayStillCost(const Rational& price) const {
    const policy::Privacy& privacy = services_.policy.privacy;
    const Rational& most = privacy.query.epsilon_max.value;
    if (privacy.accounting == policy::Accounting::kPure) return gone_epsilon_ + price <= most;
    return gone_rho_ + RhoOfPure(Epsilon(price)).value <= RhoOfPure(Epsilon(most)).value;
  }

  std::string PaidSentence() const {
    const std::string price = ToString(answered_);
    if (paid_.IsZero()) return "the answer at epsilon " + price + " is free for you";
    const bool pure = services_.policy.privacy.accounting == policy::Accounting::kPure;
    const std::string paid = pure ? "epsilon " + Up(paid_.epsilon) : "rho " + Up(paid_.rho);
    return "finding that out cost " + paid + ", and the answer at epsilon " + price +
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

  Error NotKnown(const Shortfall& shortfall) const {
    return Refusal("how far off " + shortfall.column + " is cannot be computed in every row",
                   "name a price instead of an error; " + PaidSentence());
  }

  Error TooDear(const Shortfall& shortfall) const {
    const Rational& price = answered_;
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
                   hint + "; " + PaidSentence());
  }

  const Request& asked_;
  const plan::PrivatePlan& first_;
  Services& services_;
  ledger::Cost paid_;                         // now, for steps that did not suffice
  Rational gone_epsilon_ = 0, gone_rho_ = 0;  // of all steps, at their prices
  Rational answered_ = 0;                     // the price of the last step that was answered
};

}  // namespace

Result<std::optional<Epsilon>> FirstStepOf(const Request& asked, const plan::PrivatePlan& first,
                                           Services& services) {
  using Better = std::optional<Epsilon>;
  // Under an id every step is what it was at the first try, and so it is once one was paid for.
  if (!asked.request_id.empty() || asked.wish.first_step) return Better();
  const Epsilon lowest(first.cost.epsilon);
  TACIT_TRY(const ledger::ChargeRequest price,
            ChargeRequestOf(asked, first, services.policy, services.charge_terms));
  Rational needed = lowest.value;
  for (const plan::OutputColumn& column : first.columns) {
    const bool known = column.target && !column.target->relative && column.people && column.error;
    if (!known) continue;
    TACIT_TRY(const std::optional<Rational> people,
              FewestPeople(*column.people, first, price, services));
    if (!people) continue;
    const Rational error = Rational(column.error->moe95 * plan::kPeopleForMeans / *people);
    needed = std::max(needed, PriceAtLeast(Rational(lowest.value * error / column.target->error *
                                                    RationalOf(kAhead))));
  }
  const Rational& most = services.policy.privacy.query.epsilon_max.value;
  if (needed <= lowest.value || needed > most) return Better();
  Request step = asked;
  step.wish.error.reset();
  step.wish.epsilon = lowest;
  TACIT_TRY(const auto paid, PaidReleases(step, services));
  return paid ? Better() : Better(Epsilon(needed));
}

Result<answer::Answer> AnswerWithinError(const Request& asked, const plan::PrivatePlan& first,
                                         Services& services) {
  return Steps(asked, first, services).Run();
}

}  // namespace tacit::gateway
