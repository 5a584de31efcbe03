#pragma once

#include "answer/answer.h"
#include "gateway/services.h"
#include "learn/model/model.h"
#include "sql/learn.h"

// What tacit.linear_regression and its like answer, and what `tacit learn` writes down. All of them
// are made of one release, the moments of the rows' columns: once it is paid for, every model of
// these columns is free.
namespace tacit::gateway::learning {

// A line through rows, with what was paid for it.
struct LearnedLine {
  learn::LinearModel model;
  answer::Privacy privacy;
  std::vector<std::string> notices;
};
// `call` has the task linear_regression. kRefused, kUnsupported or kInvalidQuery with what to
// declare or change, before anything is charged.
Result<LearnedLine> LearnLine(const sql::LearnCall& call, const Request& request,
                              Services& services);

// As an answer: a row for each term.
answer::Answer AnswerOf(const LearnedLine& line);

// The answer of SELECT * FROM tacit.<task>(...), as `request` asks it.
Result<answer::Answer> AnswerLearning(const sql::Query& query, const Request& request,
                                      Services& services);

// What it would cost and how far it would be off: free.
Result<answer::Explanation> ExplainLearning(const sql::Query& query, const Request& request,
                                            Services& services);

// The columns that the answer of a task has.
std::vector<plan::OutputColumn> LearnedColumns(const std::string& task);

}  // namespace tacit::gateway::learning
