#include "selection/choose.h"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "tacit/selection/selection.h"
#include "tacit/terminal/interrupt.h"
#include "tacit/terminal/progress_bar.h"

// tacit choose: which of several counts is about the largest.

namespace tacit::app {
namespace {

struct ChooseFlags : SelectionFlags {
  bool smallest = false;
};

std::string WordOf(const selection::ChoicePlan& plan) {
  return plan.wanted == selection::Wanted::kLargest ? "largest" : "smallest";
}

int PrintJson(const selection::ChoicePlan& plan, const std::optional<selection::Chosen>& chosen,
              const std::string& charge) {
  nlohmann::ordered_json json = {{"wanted", WordOf(plan)},
                                 {"questions", plan.scores.scores.size()},
                                 {"mechanism", plan.mechanism},
                                 {"margin95", InUnits(plan.margin, plan.scores)}};
  if (chosen) {
    json["chosen"] = {{"question", chosen->index + 1},
                      {"sql", plan.scores.scores[chosen->index].text}};
    json["receipt"] = chosen->receipt.name;
  }
  json["price"] = charge;
  std::printf("%s\n", json.dump(2).c_str());
  return std::fflush(stdout) == 0 ? kExitDone : kExitFailed;
}

void PrintMargin(const selection::ChoicePlan& plan) {
  std::printf("in 95 %% of choices its number is within %s of the %s; no number is shown\n",
              InUnits(plan.margin, plan.scores).c_str(), WordOf(plan).c_str());
}

Result<int> RunChoose(const ChooseFlags& flags, const std::string& text) {
  Interrupt interrupt("stopped; nothing was charged");
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  const SaysWhatWasCharged says(interrupt, services.ledger);
  TACIT_TRY(const gateway::Request asker, AskerOf(flags, services.policy));
  const auto wanted = flags.smallest ? selection::Wanted::kSmallest : selection::Wanted::kLargest;
  TACIT_TRY(selection::Scores scores, selection::ReadScores(text, asker, services));
  TACIT_TRY(const selection::ChoicePlan plan, selection::PlanChoice(std::move(scores), wanted));
  const bool json = flags.format == "json";
  if (flags.explain) {
    TACIT_TRY(const ledger::Receipt quote, selection::QuoteChoice(plan, asker, services));
    const std::string charge = ChargeSentence(plan.scores, asker, services, quote, true);
    if (json) return PrintJson(plan, {}, charge);
    std::printf("%zu questions, the %s: %s\n", plan.scores.scores.size(), WordOf(plan).c_str(),
                charge.c_str());
    PrintMargin(plan);
    return static_cast<int>(kExitDone);
  }
  Result<selection::Chosen> done = selection::Choose(plan, asker, services, ProgressOf("choosing"));
  ClearProgress();
  TACIT_TRY(const selection::Chosen chosen, std::move(done));
  const std::string charge = ChargeSentence(plan.scores, asker, services, chosen.receipt, false);
  if (json) return PrintJson(plan, chosen, charge);
  std::printf("question %zu of %zu\n  %s\n", chosen.index + 1, plan.scores.scores.size(),
              InShort(plan.scores.scores[chosen.index].text).c_str());
  PrintMargin(plan);
  std::printf("%s\n", charge.c_str());
  return std::fflush(stdout) == 0 ? static_cast<int>(kExitDone) : static_cast<int>(kExitFailed);
}

}  // namespace

void AddChooseCommand(Command app) {
  auto flags = std::make_shared<ChooseFlags>();
  Command command = app.Subcommand("choose", "say which of several counts is about the largest");
  command.Footer(
      "examples:\n"
      "  tacit choose clinic candidates.sql --epsilon 0.2\n"
      "  tacit choose clinic models.sql --smallest --epsilon 0.2 --analyst ana\n"
      "The file holds up to a thousand SELECTs that count or sum: votes for each candidate, or "
      "the\n"
      "errors that each of several models makes. One charge, made before a row is read, however\n"
      "many there are; the same choice again is free and the same.\n"
      "exit codes: 0 chosen, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  AddSelectionFlags(command, *flags);
  command.Switch("--smallest", flags->smallest, "the smallest number wins, as for errors");
  command.Action([flags] {
    const Result<std::string> text = ReadQuestionsOf(*flags);
    if (!text.ok()) return Report(text.error());
    const Result<int> done = RunChoose(*flags, *text);
    return done.ok() ? *done : Report(done.error(), *text);
  });
}

}  // namespace tacit::app
