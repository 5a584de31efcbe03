#include "accounting/filter.h"

#include "accounting/zcdp.h"

namespace tacit::accounting {
namespace {

// A cost that takes budget back would undo a charge; it can only be a programmer's error.
template <class A, class B>
void AssertNotNegative(const A& a, const B& b) {
  TACIT_ASSERT(a.value >= 0);
  TACIT_ASSERT(b.value >= 0);
}

Error Exhausted(const std::string& asked, const std::string& left) {
  return Error{.code = ErrorCode::kBudgetExhausted,
               .public_message = "the budget does not cover " + asked,
               .hint = left + " is left",
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace

bool PureFilter::CanSpend(const Cost& cost) const {
  AssertNotNegative(cost.epsilon, cost.delta);
  return spent_.epsilon + cost.epsilon <= budget_.epsilon &&
         spent_.delta + cost.delta <= budget_.delta;
}

// proof: accounting/composition/composition.md#composition-in-closed-form
Result<Done> PureFilter::Spend(const Cost& cost) {
  if (!CanSpend(cost)) {
    const Cost left = Remaining();
    return Exhausted(
        "epsilon " + ToString(cost.epsilon.value) + ", delta " + ToString(cost.delta.value),
        "epsilon " + ToString(left.epsilon.value) + ", delta " + ToString(left.delta.value));
  }
  spent_ = {spent_.epsilon + cost.epsilon, spent_.delta + cost.delta};
  return Done{};
}

PureFilter::Cost PureFilter::Remaining() const {
  return {Epsilon(Rational(budget_.epsilon.value - spent_.epsilon.value)),
          Delta(Rational(budget_.delta.value - spent_.delta.value))};
}

double PureFilter::RemainingEpsilonDown() const { return ToDoubleDown(Remaining().epsilon.value); }

ZcdpFilter::ZcdpFilter(const PureFilter::Cost& budget)
    : conversion_delta_(Rational(budget.delta.value / 2)),
      threshold_delta_(Rational(budget.delta.value / 2)) {
  budget_rho_ = ZcdpRhoDown(budget.epsilon, conversion_delta_);
}

bool ZcdpFilter::CanSpend(const ZcdpCost& cost) const {
  AssertNotNegative(cost.rho, cost.delta);
  return spent_.rho + cost.rho <= budget_rho_ && spent_.delta + cost.delta <= threshold_delta_;
}

// proof: accounting/composition/composition.md#composition-in-closed-form
Result<Done> ZcdpFilter::Spend(const ZcdpCost& cost) {
  if (!CanSpend(cost)) {
    const ZcdpCost left = Remaining();
    return Exhausted("rho " + ToString(cost.rho.value) + ", delta " + ToString(cost.delta.value),
                     "rho " + ToString(left.rho.value) + ", delta " + ToString(left.delta.value));
  }
  spent_ = {spent_.rho + cost.rho, spent_.delta + cost.delta};
  return Done{};
}

ZcdpCost ZcdpFilter::Remaining() const {
  return {Rho(Rational(budget_rho_.value - spent_.rho.value)),
          Delta(Rational(threshold_delta_.value - spent_.delta.value))};
}

double ZcdpFilter::RemainingEpsilonDown() const {
  if (conversion_delta_.value == 0) return 0;
  return ZcdpEpsilonDown(Remaining().rho, conversion_delta_);
}

}  // namespace tacit::accounting
