#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wire/service/house.h"

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
};

struct Shape {
  std::vector<Column> columns;
  std::vector<uint32_t> parameters;  // the type of every $n
};

struct Table {
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> notices;
};

// Runs nothing, charges nothing.
Result<Shape> Describe(const Question& question, House& house, const TermsInForce& terms,
                       size_t worker);

Result<Table> Answer(const Question& question, House& house, const TermsInForce& terms,
                     size_t worker);

}  // namespace tacit::wire
