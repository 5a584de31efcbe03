#include <cstdio>

#include "commands.h"

namespace tacit::app {

int Report(const Error& error) {
  std::fprintf(stderr, "ERROR:  %s\n", error.public_message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "HINT:  %s\n", error.hint.c_str());
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
      return kExitWrongFlags;
    case ErrorCode::kRefused:
    case ErrorCode::kUnsupported:
    case ErrorCode::kInvalidQuery:
      return kExitNotAccepted;
    case ErrorCode::kBudgetExhausted:
      return kExitBudgetExhausted;
    case ErrorCode::kUnavailable:
      return kExitUnavailable;
    case ErrorCode::kInternal:
      return kExitFailed;
  }
  return kExitFailed;
}

Result<Rational> ReadNumber(const std::string& flag, const std::string& text) {
  Result<Rational> value = ParseRational(text);
  if (value.ok()) return value;
  Error error = std::move(value).error();
  error.public_message = flag + ": " + error.public_message;
  return error;
}

}  // namespace tacit::app
