#pragma once

#include "answer/answer.h"
#include "gateway/services.h"
#include "learn/cells/cell_model.h"
#include "sql/learn.h"

// Models of public cells: tacit.naive_bayes and its like. Each is one charge of its own; asked
// again at the same price it is free, and the same.
namespace tacit::gateway::learning {

struct LearnedCells {
  learn::CellModel model;
  answer::Privacy privacy;
  std::vector<std::string> notices;
  bool scored = false;  // by people who were held out
};
// `call` has a task of cells (learn/cells/fit.h). kRefused, kUnsupported or kInvalidQuery with what
// to declare or change, before anything is charged.
Result<LearnedCells> LearnCells(const sql::LearnCall& call, const Request& request,
                                Services& services);

// As an answer: a row for what each cell, or each leaf, says.
answer::Answer AnswerOf(const LearnedCells& learned);

// What it would cost and how large the noise of each round would be: free.
Result<answer::Explanation> ExplainLearningCells(const sql::LearnCall& call, const Request& request,
                                                 Services& services);

// The columns that the answer of a task has.
std::vector<plan::OutputColumn> ColumnsOfCells(learn::CellTask task);

}  // namespace tacit::gateway::learning
