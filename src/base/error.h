#pragma once

#include <optional>
#include <string>

namespace tacit {

// What kind of failure it was; the command line and the wire turn it into an exit code and an
// SQLSTATE.
enum class ErrorCode {
  kInvalidArgument,  // a flag, a parameter or a policy that is wrong
  kRefused,          // a privacy rule says no
  kUnsupported,      // correct SQL that has no rule
  kInvalidQuery,     // not SQL, or a name that does not exist
  kBudgetExhausted,
  kUnavailable,  // the engine, the ledger or a file
  kInternal,
};

// A failure with two texts. The public one may depend on the query, the policy and the ledger,
// never on the data; the private one is for the operator's log only and never leaves through an
// answer.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string public_message;
  std::string hint;             // what would pass
  std::optional<int> position;  // byte offset in the query's text
  std::string private_detail;
  std::string rule = {};  // of a refusal: the name under which docs and tests know it
};

inline Error InvalidArgument(std::string message, std::string hint = "") {
  return Error{.code = ErrorCode::kInvalidArgument,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace tacit
