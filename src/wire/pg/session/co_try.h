#pragma once

#include "base/result.h"

// TACIT_TRY and TACIT_CHECK inside a coroutine.
#define TACIT_CO_TRY_AT(temporary, declaration, expression)    \
  auto temporary = (expression);                               \
  if (!temporary.ok()) co_return std::move(temporary).error(); \
  declaration = std::move(temporary).value()
#define TACIT_CO_TRY(declaration, expression) \
  TACIT_CO_TRY_AT(TACIT_CONCAT(tacit_try_, __LINE__), declaration, expression)
#define TACIT_CO_CHECK(expression)                                                 \
  do {                                                                             \
    auto tacit_check_result = (expression);                                        \
    if (!tacit_check_result.ok()) co_return std::move(tacit_check_result).error(); \
  } while (false)
