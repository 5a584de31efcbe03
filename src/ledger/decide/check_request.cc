#include "ledger/decide/check_request.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tacit::ledger {
namespace {

// Records are JSON: a text that JSON cannot hold must be refused before it reaches one.
bool IsUtf8(const std::string& text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return true;
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

Result<Done> CheckText(const std::string& text, std::string_view what, size_t bytes_max,
                       bool may_be_empty) {
  std::string name(what);
  if (text.empty() && !may_be_empty) return InvalidArgument("a charge needs " + name);
  if (text.size() > bytes_max) {
    return InvalidArgument(name + " is longer than " + std::to_string(bytes_max) + " bytes");
  }
  if (!IsUtf8(text)) return InvalidArgument(name + " is not UTF-8 text");
  // Databases have no such letter, and one request must not spoil the charges beside it.
  if (text.find('\0') != std::string::npos) return InvalidArgument(name + " holds a zero byte");
  return Done{};
}

Result<Done> CheckNumber(const Rational& number, std::string_view what) {
  if (number < 0) return InvalidArgument(std::string(what) + " is negative");
  if (ToString(number).size() > kNumberBytesMax) {
    return InvalidArgument(std::string(what) + " has too many digits");
  }
  return Done{};
}

Result<Done> CheckCost(const Cost& cost) {
  for (const Rational* number : {&cost.epsilon, &cost.delta, &cost.rho}) {
    TACIT_CHECK(CheckNumber(*number, "a cost"));
  }
  return Done{};
}

Result<Done> CheckBudget(const Budget& budget) {
  TACIT_CHECK(CheckNumber(budget.epsilon, "a budget's epsilon"));
  return CheckNumber(budget.delta, "a budget's delta");
}

Result<Done> CheckRelease(const ReleaseWish& wish, size_t ordinal, Accounting accounting) {
  TACIT_CHECK(CheckText(wish.fingerprint, "the release's fingerprint", kNameBytesMax, false));
  TACIT_CHECK(CheckText(wish.shape, "the release's shape", kShapeBytesMax, true));
  TACIT_CHECK(CheckCost(wish.cost));
  // A release that costs nothing would be answered for nothing, for ever.
  const Rational& price = accounting == Accounting::kPure ? wish.cost.epsilon : wish.cost.rho;
  if (price == 0 && wish.cost.delta == 0) return InvalidArgument("a release costs nothing");
  if (wish.scales.size() > kScalesMax) {
    Error error = InvalidArgument("the query has more than " + std::to_string(kScalesMax) +
                                      " different aggregates over the same rows",
                                  "ask for some of them in a query of their own");
    error.code = ErrorCode::kUnsupported;
    return error;
  }
  for (const Rational& scale : wish.scales) TACIT_CHECK(CheckNumber(scale, "a scale"));
  for (const size_t source : wish.made_from) {
    if (source >= ordinal) return InvalidArgument("a release is made from a later one");
  }
  return Done{};
}

Result<Done> CheckDeclarations(const Declarations& declarations) {
  TACIT_CHECK(CheckText(declarations.terms, "the declared terms", kDeclarationsBytesMax, false));
  size_t bytes = declarations.terms.size();
  for (const auto& [table, unit] : declarations.units) {
    TACIT_CHECK(CheckText(table, "a table's name", kDeclarationsBytesMax, false));
    TACIT_CHECK(CheckText(unit, "a table's unit", kDeclarationsBytesMax, false));
    bytes += table.size() + unit.size();
  }
  if (bytes > kDeclarationsBytesMax) return InvalidArgument("the declarations are too long");
  return Done{};
}

}  // namespace

Result<Done> CheckRequest(const ChargeRequest& request) {
  TACIT_CHECK(CheckText(request.analyst, "the analyst's name", kNameBytesMax, true));
  TACIT_CHECK(CheckText(request.request_id, "the request id", kNameBytesMax, true));
  TACIT_CHECK(CheckText(request.query_fingerprint, "a query fingerprint", kNameBytesMax, false));
  TACIT_CHECK(CheckText(request.policy_version, "a policy version", kNameBytesMax, false));
  TACIT_CHECK(CheckDeclarations(request.declarations));
  TACIT_CHECK(CheckBudget(request.limits.dataset));
  if (request.limits.analyst) TACIT_CHECK(CheckBudget(*request.limits.analyst));
  if (request.releases.size() > kReleasesMax) {
    return InvalidArgument("a query has more than " + std::to_string(kReleasesMax) + " releases");
  }
  for (size_t ordinal = 0; ordinal < request.releases.size(); ++ordinal) {
    TACIT_CHECK(CheckRelease(request.releases[ordinal], ordinal, request.limits.accounting));
  }
  return Done{};
}

}  // namespace tacit::ledger
