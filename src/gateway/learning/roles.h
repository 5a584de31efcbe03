#pragma once

#include <set>

#include "gateway/learning/rows_to_learn.h"
#include "sql/learn.h"

namespace tacit::gateway::learning {

// kInvalidQuery, about how a task is asked.
Error WrongOption(const std::string& message, const std::string& hint);

// The value of an option; null where it is not given.
const std::string* OptionOf(const sql::LearnCall& call, const char* name);

// Of the rows' own columns: the one to explain, and those to explain it by.
struct Roles {
  size_t target = 0;
  std::set<size_t> features;
};

// From the options target and features; all other columns where no features are named.
Result<Roles> ReadRoles(const sql::LearnCall& call, const RowsToLearn& rows);

}  // namespace tacit::gateway::learning
