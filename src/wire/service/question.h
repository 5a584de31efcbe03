#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "answer/answer.h"
#include "base/time/time_zone.h"
#include "catalog/catalog.h"
#include "plan/compile.h"
#include "sql/read/reading.h"
#include "wire/oid.h"

// A question from the wire, by whichever protocol, and what comes back.

namespace tacit::wire {

using Instant = std::chrono::steady_clock::time_point;
using Row = std::vector<std::optional<std::string>>;  // texts; nothing is NULL

// What the catalog may say of the session that asks: see catalog::Asker.
struct AskingSession {
  std::string database;
  int32_t process = 0;
  std::map<std::string, std::string> settings;
  std::shared_ptr<const catalog::LastAnswer> last = nullptr;
};

struct Question {
  std::string text;
  sql::SharedReading reading = nullptr;  // of the text, where it was read already
  std::string analyst;
  plan::Wish wish = {};
  std::string request_id = {};                 // empty: none
  std::vector<uint32_t> parameter_types = {};  // 0, or absent: not declared
  Row parameters = {};
  std::optional<AskingSession> session = {};       // nothing: the protocol shows no catalog
  Instant asked = {};                              // when it came
  bool previews = false;                           // gateway::Request
  std::shared_ptr<const TimeZone> zone = nullptr;  // gateway::Request
  // When its transaction began; absent: it is a transaction of its own.
  std::optional<std::chrono::system_clock::time_point> began = {};
};

// Under PostgreSQL's numbers of their types.
std::vector<OidColumn> ColumnsOf(const std::vector<plan::OutputColumn>& columns);

// The columns that an answer will have, and the type of every $n.
struct Shape {
  std::vector<OidColumn> columns;
  std::vector<uint32_t> parameters;
};

// Of the people in the protected tables, or of the catalog.
using AnyAnswer = std::variant<answer::Answer, catalog::Answer>;

}  // namespace tacit::wire
