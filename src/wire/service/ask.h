#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "wire/service/house.h"
#include "wire/service/log.h"
#include "wire/service/wording.h"

// A question from the wire, and what comes back: texts under PostgreSQL's type numbers, whoever
// answered. The functions run on a thread of the crew.

namespace tacit::wire {

struct Column {
  std::string name;
  uint32_t type = 25;
  int32_t modifier = -1;
  friend bool operator==(const Column&, const Column&) = default;
};

using Row = std::vector<std::optional<std::string>>;  // nothing is NULL

struct Question {
  std::string text;
  std::string analyst;
  plan::Wish wish;
  std::vector<uint32_t> parameter_types;  // 0, or absent: not declared
  Row parameters;
  // What the catalog may say of the session: see catalog::Session.
  std::string database;
  int32_t process = 0;
  std::map<std::string, std::string> settings;
};

struct Shape {
  std::vector<Column> columns;
  std::vector<uint32_t> parameters;  // the type of every $n
};

struct Table {
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> notices;
  std::vector<catalog::Answer::Change> changes;  // of settings, that set_config() asked for
  bool is_private = false;  // protected tables were asked: it leaves on the time grid
};

// Tells the owner's log what kind of failure of the engine this was, if it was one.
template <class T>
void LogFailure(const std::string& analyst, const Result<T>& answer) {
  if (answer.ok() || answer.error().private_detail.empty()) return;
  Log("engine_failed",
      {{"analyst", analyst}, {"kind", FailureKind(answer.error().private_detail)}});
}

// Runs nothing, charges nothing.
Result<Shape> Describe(const Question& question, House& house, const TermsInForce& terms,
                       size_t worker);

Result<Table> Answer(const Question& question, House& house, const TermsInForce& terms,
                     size_t worker);

// The answer where it was replayed before and nobody has written to the ledger since: the same that
// Answer gives. Never waits, so that it is for any thread; nothing: ask the crew.
std::optional<Table> AnswerAtOnce(const Question& question, House& house, const Terms& terms);

}  // namespace tacit::wire
