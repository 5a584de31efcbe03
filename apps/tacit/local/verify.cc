#include "local/verify/verify.h"

#include <cstdio>

#include "local/design/exact_log.h"
#include "tacit/commands.h"
#include "tacit/local/local.h"

namespace tacit::app {
namespace {

using local::Mechanism;

struct GridPoint {
  Mechanism mechanism;
  uint32_t values;
  uint32_t ticks_max = 0;
};

constexpr GridPoint kShapes[] = {
    {Mechanism::kWarner, 2},   {Mechanism::kKary, 2},       {Mechanism::kKary, 14},
    {Mechanism::kKary, 200},   {Mechanism::kSymmetric, 2},  {Mechanism::kSymmetric, 10},
    {Mechanism::kOptimal, 2},  {Mechanism::kOptimal, 10},   {Mechanism::kHashing, 2},
    {Mechanism::kHashing, 14}, {Mechanism::kHashing, 100},  {Mechanism::kSeveral, 1},
    {Mechanism::kSeveral, 6},  {Mechanism::kSeveral, 6, 2},
};
constexpr const char* kEpsilons[] = {"0.01", "0.1", "0.5", "1", "2", "4", "8"};

Result<bool> VerifyOne(const local::Design& design, const std::string& asked) {
  const Epsilon claimed = local::EpsilonUp(design);
  if (!local::CanEnumerate(design)) {
    std::printf("%-8s %6u %9s %16s %26s\n", std::string(local::NameOf(design.mechanism)).c_str(),
                design.values, asked.c_str(), ToString(claimed.value).c_str(),
                "too many reports to list");
    return true;
  }
  TACIT_TRY(const local::Verdict verdict, local::VerifyDesign(design, claimed));
  const bool holds = verdict.holds && verdict.true_ratio == local::LikelihoodRatio(design);
  std::printf("%-8s %6u %9s %16s %26s %9zu  %s\n",
              std::string(local::NameOf(design.mechanism)).c_str(), design.values, asked.c_str(),
              ToString(claimed.value).c_str(), local::LogUpText(verdict.true_ratio, 22).c_str(),
              verdict.reports, holds ? "holds" : "BROKEN");
  return holds;
}

Result<bool> VerifyGrid() {
  std::printf("%-8s %6s %9s %16s %26s %9s\n", "", "values", "asked", "claimed",
              "true epsilon (rounded up)", "reports");
  bool all_hold = true;
  for (const char* truth : {"1/4", "1/2", "3/4"}) {
    TACIT_TRY(const Rational number, ParseRational(truth));
    TACIT_TRY(const local::Design design, local::MakeWarner(number));
    TACIT_TRY(const bool holds, VerifyOne(design, std::string("truth ") + truth));
    all_hold = all_hold && holds;
  }
  for (const GridPoint& shape : kShapes) {
    for (const char* asked : kEpsilons) {
      TACIT_TRY(const Rational epsilon, ParseRational(asked));
      TACIT_TRY(const local::Design design, local::MakeDesign({.mechanism = shape.mechanism,
                                                               .values = shape.values,
                                                               .epsilon = Epsilon(epsilon),
                                                               .ticks_max = shape.ticks_max}));
      TACIT_TRY(const bool holds, VerifyOne(design, asked));
      all_hold = all_hold && holds;
    }
  }
  return all_hold;
}

}  // namespace

void AddLocalVerify(Command local) {
  Command command = local.Subcommand(
      "verify", "Compute the exact epsilon of every randomiser from all its probabilities");
  command.Footer(
      "Every report of every answer is enumerated and its probability added up as an integer over\n"
      "2^64 coins; the largest ratio of two answers is the true epsilon. Exit code 1 when a claim\n"
      "is below it.");
  command.Action([] {
    const Result<bool> holds = VerifyGrid();
    return !holds.ok() ? Report(holds.error()) : *holds ? kExitDone : kExitFailed;
  });
}

}  // namespace tacit::app
