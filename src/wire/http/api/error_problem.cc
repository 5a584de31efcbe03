#include "wire/http/api/error_problem.h"

#include <nlohmann/json.hpp>

#include "base/process/memory_reserve.h"
#include "wire/words/wording.h"

namespace tacit::wire::http {
namespace {

struct Kind {
  unsigned status;
  const char* type;
  const char* title;
};

Kind KindOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return {400, "urn:tacit:bad-request", "The request is wrong"};
    case ErrorCode::kRefused:
      return {422, "urn:tacit:refused", "Refused by a privacy rule"};
    case ErrorCode::kUnsupported:
      return {422, "urn:tacit:unsupported", "Not supported"};
    case ErrorCode::kInvalidQuery:
      return {422, "urn:tacit:invalid-query", "The query is wrong"};
    case ErrorCode::kBudgetExhausted:
      return {403, "urn:tacit:budget-exhausted", "The budget is spent"};
    case ErrorCode::kUnavailable:
      return {503, "urn:tacit:unavailable", "Not available now"};
    case ErrorCode::kInternal:
      break;
  }
  return {500, "urn:tacit:internal", "An error of the gateway"};
}

}  // namespace

Response ProblemOf(const Error& error) {
  constexpr std::string_view kEpsilon = "\"epsilon\": ";
  const Kind kind = KindOf(error.code);
  const MustHaveMemory must;  // a JSON tree allocates in its destructor
  nlohmann::ordered_json body = {{"type", kind.type},
                                 {"title", kind.title},
                                 {"status", kind.status},
                                 {"detail", Worded(error.public_message, kEpsilon)}};
  if (!error.hint.empty()) body["hint"] = Worded(error.hint, kEpsilon);
  if (error.position) body["position"] = *error.position;
  if (!error.rule.empty()) body["rule"] = error.rule;
  return {.status = kind.status,
          .content_type = "application/problem+json",
          .body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
          .headers = {{"Cache-Control", "no-store"}}};
}

}  // namespace tacit::wire::http
