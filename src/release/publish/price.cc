#include "release/publish/price.h"

#include "accounting/zcdp.h"
#include "plan/price/price.h"

namespace tacit::release {
namespace {

// Twelve digits, rounded down: what is charged is also what people read.
Rho Shortened(const Rho& rho) {
  if (rho.value <= 0) return rho;
  Rational scale = 1;
  while (rho.value * scale < 100'000'000'000) scale *= 10;
  return Rho(Rational(Rational(FloorOf(Rational(rho.value * scale))) / scale));
}

}  // namespace

Result<ReleasePrice> PriceOf(const std::optional<Epsilon>& epsilon,
                             const std::optional<Delta>& delta, const policy::Privacy& privacy,
                             bool shows_values) {
  plan::Wish wish;
  wish.epsilon = epsilon;
  wish.delta = delta;
  TACIT_TRY(const plan::Price price, plan::PriceOf(wish, privacy));
  if (price.delta.value <= 0) {
    Error error{
        .code = ErrorCode::kRefused,
        .public_message = "a release of many tables needs a delta above 0",
        .hint = "declare one in the policy, as in query: {delta: 1e-9}, and ask for no more",
        .position = std::nullopt,
        .private_detail = ""};
    error.rule = "delta_needed";
    return error;
  }
  const Rational half = price.delta.value / 2;
  const Delta noise = shows_values ? Delta(half) : price.delta;
  ReleasePrice release{.epsilon = price.epsilon,
                       .delta = price.delta,
                       .rho = Shortened(accounting::ZcdpRhoDown(price.epsilon, noise)),
                       .showing = shows_values ? Delta(half) : Delta(Rational(0)),
                       .cost = {}};
  if (release.rho.value <= 0) {
    return InvalidArgument("epsilon " + ToString(price.epsilon.value) + " with delta " +
                               ToString(price.delta.value) + " buys no noise that is finite",
                           "ask at a larger epsilon");
  }
  if (privacy.accounting == policy::Accounting::kZcdp) {
    release.cost = {.epsilon = 0, .delta = release.showing.value, .rho = release.rho.value};
  } else {
    release.cost = {.epsilon = price.epsilon.value, .delta = price.delta.value, .rho = 0};
  }
  return release;
}

}  // namespace tacit::release
