#pragma once

#include <gtest/gtest.h>

#include "wire/pg/state/session_state.h"

// For the tests of this folder.

namespace tacit::wire::pg {

inline SessionState NewState(const Statements::Limits& statements = {},
                             const Portals::Limits& portals = {}) {
  return {.settings = Settings("ana"),
          .transaction = {},
          .statements = Statements(statements),
          .portals = Portals(portals)};
}

inline sql::Command CommandOf(const std::string& text) {
  Result<std::vector<sql::Command>> commands = sql::ReadCommands(text);
  EXPECT_TRUE(commands.ok() && commands->size() == 1) << text;
  return std::move(commands->front());
}

inline Portal Cursor(bool hold = false) {
  Portal portal;
  portal.statement = std::make_shared<const Prepared>();
  portal.hold = hold;
  return portal;
}

template <class T>
std::string RuleOf(const Result<T>& result) {
  return result.ok() ? "" : result.error().rule;
}

}  // namespace tacit::wire::pg
