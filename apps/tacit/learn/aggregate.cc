#include "gateway/learning/aggregate.h"

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "answer/format/format.h"
#include "gateway/deployment/deployment.h"
#include "gateway/moment.h"
#include "tacit/learn/learn.h"
#include "tacit/release/release.h"
#include "tacit/terminal/interrupt.h"

// tacit aggregate: any program, run on blocks of people, and the noisy mean of what it says.

namespace tacit::app {
namespace {

struct AggregateFlags {
  std::string folder;
  std::string rows;
  std::string range;
  int blocks = 200;
  int outputs = 1;
  std::string seconds = "1";
  std::string epsilon;
  std::string analyst;
  std::vector<std::string> visible;
  std::vector<std::string> command;
};

Result<gateway::learning::AggregateCall> CallOf(const AggregateFlags& flags) {
  gateway::learning::AggregateCall call;
  call.rows = flags.rows;
  call.blocks = static_cast<size_t>(flags.blocks);
  call.outputs = static_cast<size_t>(flags.outputs);
  const size_t comma = flags.range.find(',');
  if (comma == std::string::npos) {
    return InvalidArgument("--range is '" + flags.range + "', and has two ends",
                           "--range 0,200000: what the program prints counts as the nearer end "
                           "where it lies outside");
  }
  TACIT_TRY(call.low, ReadNumber("--range", flags.range.substr(0, comma)));
  TACIT_TRY(call.high, ReadNumber("--range", flags.range.substr(comma + 1)));
  TACIT_TRY(const Rational seconds, ReadNumber("--seconds", flags.seconds));
  if (seconds <= 0 || seconds > 600) return InvalidArgument("--seconds is between 0.05 and 600");
  call.time = std::chrono::milliseconds(std::lround(seconds.get_d() * 1000));
  call.command = flags.command;
  call.visible = flags.visible;
  return call;
}

// What the program may read holds nobody's rows.
Result<Done> CheckApart(const AggregateFlags& flags) {
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::canonical(flags.folder, ignored);
  if (std::filesystem::is_regular_file(folder, ignored)) folder = folder.parent_path();
  std::vector<std::string> paths = flags.command;
  paths.insert(paths.end(), flags.visible.begin(), flags.visible.end());
  for (const std::string& path : paths) {
    const std::filesystem::path whole = std::filesystem::canonical(path, ignored);
    if (ignored || whole.empty() || folder.empty()) continue;
    const std::string one = folder.string() + "/";
    const std::string other = whole.string() + (whole == whole.root_path() ? "" : "/");
    if (!one.starts_with(other) && !other.starts_with(one)) continue;
    return InvalidArgument("the program could read " + flags.folder + " through " + path,
                           "keep programs and what they read elsewhere");
  }
  return Done{};
}

Result<gateway::learning::Aggregated> Aggregate(const AggregateFlags& flags) {
  Interrupt interrupt("stopped; nothing was charged");
  TACIT_TRY(const gateway::learning::AggregateCall call, CallOf(flags));
  TACIT_CHECK(CheckApart(flags));
  gateway::Request request{
      .text = flags.rows, .analyst = flags.analyst, .request_id = "", .wish = {}};
  TACIT_TRY(request.wish.epsilon, ReadEpsilon(flags.epsilon));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  request.now = gateway::RoundedNow(services.policy);
  const SaysWhatWasCharged says(interrupt, services.ledger);
  return gateway::learning::AggregateBlocks(call, request, services);
}

int RunAggregate(const AggregateFlags& flags) {
  const Result<gateway::learning::Aggregated> aggregated = Aggregate(flags);
  if (!aggregated.ok()) return Report(aggregated.error());
  std::printf("%s", answer::FormatTable(gateway::learning::AnswerOf(*aggregated)).c_str());
  for (const std::string& notice : aggregated->notices) {
    std::fprintf(stderr, "NOTICE:  %s\n", notice.c_str());
  }
  return kExitDone;
}

}  // namespace

void AddAggregateCommand(Command app) {
  auto flags = std::make_shared<AggregateFlags>();
  Command command =
      app.Subcommand("aggregate", "run any program on blocks of people, and mean what it says");
  command.Footer(
      "examples:\n"
      "  tacit aggregate clinic \"SELECT age, income FROM patients\" --range 0,200000\n"
      "      --epsilon 1 -- awk -F, 'NR > 1 {s += $2; n++} END {print s / n}'\n"
      "  tacit aggregate clinic \"SELECT age, income FROM patients\" --blocks 100 --seconds 3\n"
      "      --outputs 2 --range -1,1 --epsilon 1 -- python3 fit.py\n"
      "Each block's rows come as CSV on the program's standard input; it prints --outputs "
      "numbers.\n"
      "A person is in one block. The program is shut in: no network, no files but the system's\n"
      "programs and those that are named, nothing that stays. Each block takes --seconds, however\n"
      "soon the program is done, one after another. The price is charged before a row is read,\n"
      "once: the same again is free.\n"
      "exit codes: 0 done, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, or programs cannot be shut in, 1 anything else");
  command.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
  command.Value("SELECT", flags->rows, "the rows that the program reads").Required();
  command.Value("PROGRAM", flags->command, "the program and its arguments, after --").Required();
  command
      .Value("--range", flags->range,
             "LOW,HIGH: between what its numbers lie; the middle stands for a failure")
      .Required()
      .NotEmpty();
  command.Value("--blocks", flags->blocks, "into how many blocks the people are divided")
      .ShowsDefault()
      .Between(2, static_cast<int>(gateway::learning::kBlocksMax));
  command.Value("--outputs", flags->outputs, "how many numbers it prints")
      .ShowsDefault()
      .Between(1, static_cast<int>(gateway::learning::kOutputsMax));
  command.Value("--seconds", flags->seconds, "how long each block takes").ShowsDefault().NotEmpty();
  command.Value("--visible", flags->visible, "a file or folder that the program may read too")
      .OneAtATime();
  command.Value("--epsilon", flags->epsilon, "the price; the policy's unless given").NotEmpty();
  command
      .Value("--analyst", flags->analyst,
             "who asks, and pays too; without it the owner, and the dataset alone pays")
      .NotEmpty();
  command.Action([flags] { return RunAggregate(*flags); });
}

}  // namespace tacit::app
