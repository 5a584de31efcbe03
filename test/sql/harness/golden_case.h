#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

// Golden tests of SQL behaviour as text:
//
//   use people                       the database: databases/NAME.yaml and NAME.sql
//
//   query SELECT count(*)            the query, on as many lines as it needs
//     FROM people
//   at epsilon=1 error=40 intervals  the wish, if it is not the policy's price; zone=Asia/Tokyo is
//                                    the session's
//   answer                           what the plan says, one line each (see describe_plan.h)
//     column count bigint
//     ...
//   exact                            the rows that the plan gives without noise, | between values
//     2000
//
//   same SELECT count(1) FROM people another query that asks the very same: it replays, for nothing
//
//   query SELECT age FROM people
//   refuse rows_out
//
// It is noon of 2024-03-15, rounded to the day, for now() and its like.
namespace tacit::golden {

struct Case {
  int line = 0;
  std::string database;
  std::string query;
  std::string wish;
  std::optional<std::string> refused_by;
  std::optional<std::vector<std::string>> answer;
  std::optional<std::vector<std::string>> exact;
  std::vector<std::string> same = {};
};

Result<std::vector<Case>> ReadCases(const std::string& path);

}  // namespace tacit::golden
