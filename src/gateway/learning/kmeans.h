#pragma once

#include "answer/answer.h"
#include "gateway/services.h"
#include "learn/centres/centre_model.h"
#include "sql/learn.h"

// tacit.kmeans: so many centres that people's rows are near to. One charge; asked again at the same
// price it is free, and the same.
namespace tacit::gateway::learning {

inline constexpr char kKmeansTask[] = "kmeans";

struct LearnedCentres {
  learn::CentreModel model;
  size_t asked = 0;  // how many centres
  answer::Privacy privacy;
  std::vector<std::string> notices;
};
// kRefused, kUnsupported or kInvalidQuery with what to declare or change, before anything is
// charged.
Result<LearnedCentres> LearnCentres(const sql::LearnCall& call, const Request& request,
                                    Services& services);

// As an answer: a row for each centre and column.
answer::Answer AnswerOf(const LearnedCentres& learned);
std::vector<plan::OutputColumn> ColumnsOfCentres();

// What it would cost and how large the noise of each round would be: free.
Result<answer::Explanation> ExplainLearningCentres(const sql::LearnCall& call,
                                                   const Request& request, Services& services);

}  // namespace tacit::gateway::learning
