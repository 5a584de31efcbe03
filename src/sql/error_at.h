#pragma once

#include <string>
#include <utility>

#include "base/error.h"
#include "sql/tree.h"

namespace tacit::sql {

// What is wrong with a place of the query, which is shown where it was written.
inline Error ErrorAt(ErrorCode code, Position position, std::string message,
                     std::string hint = "") {
  return Error{
      .code = code,
      .public_message = std::move(message),
      .hint = std::move(hint),
      .position = position.offset >= 0 ? std::optional<int>(position.offset) : std::nullopt,
      .private_detail = ""};
}

}  // namespace tacit::sql
