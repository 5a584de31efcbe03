#include <cstdio>
#include <exception>

#include "base/process/core_dumps.h"
#include "tacit/commands.h"
#include "tacit/version.h"

// jemalloc reads it before main. Why a megabyte: what a large answer takes while it is made goes
// back to the system at once, and the small blocks of all other questions stay at hand.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "oversize_threshold:1048576";
}

namespace {

int Run(int argc, char** argv) {
  using namespace tacit::app;
  tacit::ForbidCoreDumps();  // most commands hold rows, a key or a password
  CommandLine line("tacit",
                   "Tacit answers SQL about a population without giving away anyone in it.",
                   LongVersion);
  Command top = line.Top();
  AddInitCommand(top);
  AddTableCommand(top);
  AddPersonCommand(top);
  AddPrepareCommand(top);
  AddCheckCommand(top);
  AddQueryCommand(top);
  AddExplainCommand(top);
  AddWorkloadCommand(top);
  AddWatchCommand(top);
  AddChooseCommand(top);
  AddServeCommand(top);
  AddSynthCommand(top);
  AddTablesCommand(top);
  AddLearnCommand(top);
  AddPredictCommand(top);
  AddAggregateCommand(top);
  AddAdviseCommand(top);
  AddPasswordCommand(top);
  AddAnalystCommand(top);
  AddBudgetCommand(top);
  AddLedgerCommand(top);
  AddAccountCommand(top);
  AddNoiseCommand(top);
  AddDemoCommand(top);
  AddLocalCommand(top);
  AddAnonymizeCommand(top);
  AddAttackCommand(top);
  AddConfigCommand(top);
  AddCompletionCommand(top, line);
  AddManualCommand(top, line);
  return line.Run(argc, argv);
}

}  // namespace

// Memory or a thread that the system refuses, most likely: a word and an exit code, not a signal.
int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "tacit: the program cannot go on: %s\n", failure.what());
    return tacit::app::kExitUnavailable;
  }
}
