#include "selection/watch.h"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "tacit/selection/selection.h"
#include "tacit/terminal/interrupt.h"
#include "tacit/terminal/progress_bar.h"

// tacit watch: a thousand counts for the price of one alarm.

namespace tacit::app {
namespace {

struct WatchFlags : SelectionFlags {
  std::string threshold;
  int after = 0;
};

// From behind question `after` on: the numbers that are said stay those of the file.
Result<selection::Scores> Behind(selection::Scores scores, int after) {
  const auto passed = static_cast<size_t>(after);
  if (passed >= scores.scores.size()) {
    return InvalidArgument("there is no question behind number " + std::to_string(after) +
                               ": the file has " + std::to_string(scores.scores.size()),
                           "watch from an earlier one");
  }
  scores.scores.erase(scores.scores.begin(), scores.scores.begin() + after);
  return scores;
}

void PrintTable(const selection::WatchPlan& plan, const selection::Watched& watched, int after,
                const std::string& threshold) {
  if (watched.alarm) {
    std::printf("alarm: question %zu is the first that reaches %s\n  %s\n",
                *watched.alarm + 1 + static_cast<size_t>(after), threshold.c_str(),
                InShort(plan.scores.scores[*watched.alarm].text).c_str());
  } else {
    std::printf("no alarm: none of the %zu questions reaches %s\n", plan.scores.scores.size(),
                threshold.c_str());
  }
}

void PrintMargin(const selection::WatchPlan& plan) {
  const std::string margin = InUnits(plan.margin, plan.scores);
  std::printf(
      "in 95 %% of watches an alarm is no more than %s below the threshold, and nothing that is\n"
      "%s above it is passed over; no number is shown\n",
      margin.c_str(), margin.c_str());
}

int PrintJson(const selection::WatchPlan& plan, const std::optional<selection::Watched>& watched,
              int after, const std::string& threshold, const std::string& charge) {
  nlohmann::ordered_json json = {{"threshold", threshold},
                                 {"questions", plan.scores.scores.size()},
                                 {"margin95", InUnits(plan.margin, plan.scores)}};
  if (watched) {
    json["alarm"] = nullptr;
    if (watched->alarm) {
      json["alarm"] = {{"question", *watched->alarm + 1 + static_cast<size_t>(after)},
                       {"sql", plan.scores.scores[*watched->alarm].text}};
    }
    json["receipt"] = watched->receipt.name;
  }
  json["price"] = charge;
  std::printf("%s\n", json.dump(2).c_str());
  return std::fflush(stdout) == 0 ? kExitDone : kExitFailed;
}

Result<int> RunWatch(const WatchFlags& flags, const std::string& text) {
  Interrupt interrupt("stopped; nothing was charged");
  TACIT_TRY(const Rational threshold, ReadNumber("--threshold", flags.threshold));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  const SaysWhatWasCharged says(interrupt, services.ledger);
  TACIT_TRY(const gateway::Request asker, AskerOf(flags, services.policy));
  TACIT_TRY(selection::Scores scores, selection::ReadScores(text, asker, services));
  TACIT_TRY(scores, Behind(std::move(scores), flags.after));
  TACIT_TRY(const selection::WatchPlan plan, selection::PlanWatch(std::move(scores), threshold));
  const bool json = flags.format == "json";
  if (flags.explain) {
    TACIT_TRY(const ledger::Receipt quote, selection::QuoteWatch(plan, asker, services));
    const std::string charge = ChargeSentence(plan.scores, asker, services, quote, true);
    if (json) return PrintJson(plan, {}, flags.after, flags.threshold, charge);
    std::printf("%zu questions, one threshold: %s\n", plan.scores.scores.size(), charge.c_str());
    PrintMargin(plan);
    return static_cast<int>(kExitDone);
  }
  Result<selection::Watched> done = selection::Watch(plan, asker, services, ProgressOf("watching"));
  ClearProgress();
  TACIT_TRY(const selection::Watched watched, std::move(done));
  const std::string charge = ChargeSentence(plan.scores, asker, services, watched.receipt, false);
  if (json) return PrintJson(plan, watched, flags.after, flags.threshold, charge);
  PrintTable(plan, watched, flags.after, flags.threshold);
  PrintMargin(plan);
  std::printf("%s\n", charge.c_str());
  if (watched.alarm && *watched.alarm + 1 < plan.scores.scores.size()) {
    std::printf("the rest was not watched: --after %zu goes on, for another charge\n",
                *watched.alarm + 1 + static_cast<size_t>(flags.after));
  }
  return std::fflush(stdout) == 0 ? static_cast<int>(kExitDone) : static_cast<int>(kExitFailed);
}

}  // namespace

void AddWatchCommand(Command app) {
  auto flags = std::make_shared<WatchFlags>();
  Command command =
      app.Subcommand("watch", "say which of many counts is the first to reach a threshold");
  command.Footer(
      "examples:\n"
      "  tacit watch clinic alarms.sql --threshold 400 --epsilon 0.5\n"
      "  tacit watch clinic alarms.sql --threshold 400 --epsilon 0.5 --explain\n"
      "The file holds up to a thousand SELECTs that count or sum. All of them are looked at for\n"
      "one charge, made before a row is read and spent even if none reaches the threshold. After\n"
      "an alarm the watch ends; --after goes on behind it, for another charge. The same watch\n"
      "again is free and says the same. A number itself is shown by tacit query, at its price.\n"
      "exit codes: 0 watched, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  AddSelectionFlags(command, *flags);
  command.Value("--threshold", flags->threshold, "what a count or sum has to reach")
      .Required()
      .NotEmpty();
  command.Value("--after", flags->after, "begins behind this question of the file")
      .Between(0, static_cast<int>(selection::kScoresMax));
  command.Action([flags] {
    const Result<std::string> text = ReadQuestionsOf(*flags);
    if (!text.ok()) return Report(text.error());
    const Result<int> done = RunWatch(*flags, *text);
    return done.ok() ? *done : Report(done.error(), *text);
  });
}

}  // namespace tacit::app
