#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "base/process/sandbox.h"
#include "gateway/services.h"

// Sample and aggregate: any program, run on blocks of people who are each in one block, and the
// noisy mean of what it says. aggregate.md has the claim.
namespace tacit::gateway::learning {

inline constexpr size_t kBlocksMax = 2'000;
inline constexpr size_t kOutputsMax = 50;

// Everything in it is public.
struct AggregateCall {
  std::string rows;  // the SELECT
  size_t blocks = 200;
  size_t outputs = 1;  // numbers that the program prints
  Rational low;        // each of them counts as the nearer end where it lies outside
  Rational high;
  std::chrono::milliseconds time{1000};  // for each block
  std::vector<std::string> command;      // the program, and its arguments
  std::vector<std::string> visible;      // further files and folders that it may read
};

// One number of the program.
struct AggregatedMean {
  double value = 0;     // within the range
  double se_noise = 0;  // one standard deviation of the noise
};
struct Aggregated {
  std::vector<AggregatedMean> means;
  answer::Privacy privacy;
  std::vector<std::string> notices;
};
// kInvalidArgument, kInvalidQuery, kRefused or kUnsupported with what to change, and kUnavailable
// where programs cannot be shut in, before anything is charged.
Result<Aggregated> AggregateBlocks(const AggregateCall& call, const Request& request,
                                   Services& services);

// As an answer: a row for each number.
answer::Answer AnswerOf(const Aggregated& aggregated);

// The numbers that a program printed, as parts of the range in 65,535ths; the middle of each where
// they are not so many finite numbers. Of any text.
std::vector<uint16_t> PrintedNumbers(const std::optional<std::string>& printed,
                                     const AggregateCall& call);

}  // namespace tacit::gateway::learning
