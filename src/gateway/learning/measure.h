#pragma once

#include "answer/answer.h"
#include "gateway/learning/rows_to_learn.h"
#include "learn/moments.h"

// What models are made of, as ordinary questions: they go the way of every question, through
// AnswerQuery, with its caps, its one charge, its noise and its free replays.
namespace tacit::gateway::learning {

// What a question would cost and how large the noise of each of its numbers would be.
struct Quoted {
  answer::Explanation explanation;
  std::vector<double> variances;  // of the noise in the answer's columns
};

struct Measured {
  learn::Moments moments;
  answer::Answer answer;  // of the question itself: its price, and what is left
  Rational epsilon;       // what such noise costs: more than asked where a finer answer served
  std::vector<std::string> promises;  // whose rows these are and how many of them count
};

// Free; asks neither the engine nor, but for what is left, the ledger.
Result<Quoted> QuoteMoments(const std::vector<learn::Column>& columns, const RowsToLearn& rows,
                            const Request& request, Services& services);
Result<Measured> MeasureMoments(const std::vector<learn::Column>& columns, const RowsToLearn& rows,
                                const Request& request, Services& services);

// The moments as they would be without noise if so many rows were spread evenly over their ranges,
// independently: for what EXPLAIN says of a model's errors before there is one.
learn::Moments EvenMoments(const std::vector<learn::Column>& columns, double rows,
                           const Quoted& quoted);

}  // namespace tacit::gateway::learning
