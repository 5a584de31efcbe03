#pragma once

#include <string>
#include <vector>

#include "answer/answer.h"
#include "gateway/services.h"
#include "sql/learn.h"

namespace tacit::gateway::learning {

// One of tacit.chi_square, tacit.t_test and the like: rows in, a small table out, made of one
// release. A new one is a file with such a value, and its line in statistic.cc.
struct Statistic {
  const char* task;
  std::vector<plan::OutputColumn> (*columns)();
  // kRefused, kUnsupported or kInvalidQuery with what to declare or change, before anything is
  // charged.
  Result<answer::Answer> (*answer)(const sql::LearnCall& call, const Request& request,
                                   Services& services);
  // What it would cost, and how far it would be off: free.
  Result<answer::Explanation> (*explain)(const sql::LearnCall& call, const Request& request,
                                         Services& services);
};

// Null where the task is no statistic.
const Statistic* StatisticOf(const std::string& task);

extern const Statistic kHistogram;
extern const Statistic kTopK;
extern const Statistic kChiSquare;
extern const Statistic kTTest;
extern const Statistic kSurvival;
extern const Statistic kWinner;
extern const Statistic kBestPrice;

}  // namespace tacit::gateway::learning
