#include "ledger/decide/room.h"

namespace tacit::ledger {
namespace {

Error Exhausted(std::string message, std::string hint) {
  return Error{.code = ErrorCode::kBudgetExhausted,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = ""};
}

// Six digits at most: what something costs is rounded up, what is left down.
std::string Short(const Rational& value, bool up) {
  constexpr size_t kShortMax = 12;
  std::string exact = ToString(value);
  if (exact.size() <= kShortMax && exact.find('/') == std::string::npos) return exact;
  Rational unit = 1;
  while (value / unit >= 1'000'000) unit *= 10;
  while (value != 0 && value / unit < 100'000) unit /= 10;
  const Rational steps = value / unit;
  Rational rounded(up ? CeilOf(steps) : FloorOf(steps));
  int exponent = 0;
  for (; unit > 1; unit /= 10) ++exponent;
  for (; unit < 1; unit *= 10) --exponent;
  // 123456e-10 reads as 1.23456e-5.
  while (rounded >= 10) {
    rounded /= 10;
    ++exponent;
  }
  if (exponent < -6 || exponent > 6) return ToString(rounded) + "e" + std::to_string(exponent);
  for (; exponent > 0; --exponent) rounded *= 10;
  for (; exponent < 0; ++exponent) rounded /= 10;
  return ToString(rounded);
}

std::string Describe(Accounting accounting, const Cost& cost, bool up) {
  std::string text = accounting == Accounting::kPure ? "epsilon " + Short(cost.epsilon, up)
                                                     : "rho " + Short(cost.rho, up);
  if (cost.delta != 0) text += ", delta " + Short(cost.delta, up);
  return text;
}

// Is there room? Who pays nothing is not asked.
bool HasRoom(const Balance& before, const Cost& cost, Accounting accounting) {
  return cost.IsZero() || !before.left || Fits(accounting, cost, *before.left);
}

Result<Done> CheckOwnRoom(const Balance& before, const Cost& cost, Accounting accounting,
                          const std::string& whose) {
  if (HasRoom(before, cost, accounting)) return Done{};
  return Exhausted(whose + " does not cover this query: it costs " +
                       Describe(accounting, cost, true) + ", and " +
                       Describe(accounting, *before.left, false) + " is left",
                   "ask at a lower price, or ask again what was answered before: that is free");
}

}  // namespace

Result<Balance> BalanceIn(const Books& books, const std::string& analyst, Accounting accounting,
                          const std::optional<Budget>& budget) {
  const auto entry = books.entries.find(analyst);
  const Cost spent = entry == books.entries.end() ? Cost{} : entry->second.spent;
  if (!budget) return BalanceUnder(accounting, spent, std::nullopt);
  TACIT_TRY(const Cost capacity, CapacityOf(accounting, *budget));
  return BalanceUnder(accounting, spent, capacity);
}

Result<Balance> BalanceIn(const Books& books, const std::string& analyst, const Limits& limits) {
  const std::optional<Budget> dataset = limits.dataset;
  return BalanceIn(books, analyst, limits.accounting, analyst.empty() ? dataset : limits.analyst);
}

// The asker's own account first: an analyst who cannot pay learns nothing of the dataset's.
Result<Done> CheckRoom(const ChargeRequest& request, const Books& books, const ChargeAct& charge,
                       const Balance& own, bool is_quote) {
  const Accounting accounting = request.limits.accounting;
  if (request.analyst.empty()) {
    return CheckOwnRoom(own, charge.dataset_cost, accounting, "the dataset's budget");
  }
  TACIT_CHECK(CheckOwnRoom(own, charge.analyst_cost, accounting,
                           "the budget of analyst '" + request.analyst + "'"));
  if (is_quote) return Done{};
  // Room for all that the analyst pays now, though stored answers cost the dataset nothing: whether
  // there are some must not show.
  TACIT_TRY(const Balance dataset, BalanceIn(books, "", request.limits));
  if (HasRoom(dataset, charge.analyst_cost, accounting)) return Done{};
  return Exhausted(
      "the dataset's budget does not cover this query",
      "ask at a lower price, or ask again what you were answered before: that is free");
}

}  // namespace tacit::ledger
