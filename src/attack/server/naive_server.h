#pragma once

#include <memory>

#include "attack/server/people.h"

namespace tacit::attack {

// What people do instead of differential privacy, and fresh noise without a budget.
enum class NaiveKind {
  kExact,
  kSmallCounts,  // counts below `threshold` are refused, the others exact
  kRounding,     // to the nearest multiple of `step`
  kConstant,     // one secret number, drawn once in [-bound, bound], added to every answer
  kBounded,      // a new whole number in [-bound, bound] for every answer
  kGaussian,     // new noise of this deviation for every answer
  kLaplace,      // new noise of scale 1/epsilon for every answer, as often as one asks
};

struct NaiveSettings {
  NaiveKind kind = NaiveKind::kExact;
  int64_t threshold = 10;
  int64_t step = 10;
  int64_t bound = 10;
  double deviation = 10;
  double epsilon = 0.1;
};

// "exact", "small-counts", "rounding", "constant", "bounded", "gaussian", "laplace"
std::string WordOf(NaiveKind kind);
Result<NaiveKind> NaiveKindNamed(const std::string& word);

// Answers from the people's true secrets; its noise comes from `dice`. `people` outlives it.
std::unique_ptr<Server> MakeNaiveServer(const NaiveSettings& settings, const People& people,
                                        const Dice& dice);

}  // namespace tacit::attack
