#pragma once

#include <utility>
#include <variant>

#include "base/assert.h"
#include "base/error.h"

namespace tacit {

// A value or an Error; it cannot be ignored, and taking the value of a failed one ends the program.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: a value is a result
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: and so is an error

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    TACIT_ASSERT(ok());
    return *std::get_if<T>(&state_);
  }
  T&& value() && {
    TACIT_ASSERT(ok());
    return std::move(*std::get_if<T>(&state_));
  }
  const T& operator*() const& { return value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& {
    TACIT_ASSERT(!ok());
    return *std::get_if<Error>(&state_);
  }
  Error&& error() && {
    TACIT_ASSERT(!ok());
    return std::move(*std::get_if<Error>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

// For what succeeds without a value: Result<Done> Save(); ... return Done{};
struct Done {};

}  // namespace tacit

#define TACIT_CONCAT_INNER(a, b) a##b
#define TACIT_CONCAT(a, b) TACIT_CONCAT_INNER(a, b)
#define TACIT_TRY_AT(temporary, declaration, expression)                            \
  auto&& temporary = (expression);                                                  \
  if (!temporary.ok()) return std::forward<decltype(temporary)>(temporary).error(); \
  declaration = std::forward<decltype(temporary)>(temporary).value()

// TACIT_TRY(const Query query, Parse(text)); returns the error to the caller, or declares the
// value.
#define TACIT_TRY(declaration, expression) \
  TACIT_TRY_AT(TACIT_CONCAT(tacit_try_, __LINE__), declaration, expression)

// TACIT_CHECK(Save()); the same for a Result whose value is not needed.
#define TACIT_CHECK(expression)                                                      \
  do {                                                                               \
    auto&& tacit_check_result = (expression);                                        \
    if (!tacit_check_result.ok())                                                    \
      return std::forward<decltype(tacit_check_result)>(tacit_check_result).error(); \
  } while (false)
