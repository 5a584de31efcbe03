#pragma once

#include <memory>

#include "wire/service/question.h"

namespace tacit::wire::pg {

using Values = std::vector<engine::Value>;

// An answer as rows of values under PostgreSQL's type numbers, whoever answered.
struct Table {
  std::vector<OidColumn> columns;
  engine::PackedRows rows;
  std::vector<std::string> notices = {};
  std::vector<catalog::Answer::Change> changes = {};    // of settings, that set_config() asked for
  std::shared_ptr<catalog::LastAnswer> last = nullptr;  // of an answer about people
  std::shared_ptr<const void> room = nullptr;  // counts the memory of its rows while it lives
};

Table TableOf(AnyAnswer answer);

}  // namespace tacit::wire::pg
