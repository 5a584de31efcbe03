#pragma once

#include <string_view>

#include "base/numbers/rational.h"
#include "base/result.h"
#include "tacit/terminal/exit_codes.h"
#include "tacit/terminal/flags.h"

// One function a command, each in its own file <name>.cc: those of owners in owner/, those with
// subcommands in a folder of that name. It adds the subcommand with its flags and examples to
// `app`, and the action that runs when the subcommand is chosen.

namespace tacit::app {

void AddAdviseCommand(Command app);
void AddAnalystCommand(Command app);
void AddAttackCommand(Command app);
void AddBudgetCommand(Command app);
void AddExplainCommand(Command app);
void AddQueryCommand(Command app);
void AddLedgerCommand(Command app);

// Prints the public text, its place in the query and the hint on stderr; returns the exit code of
// the error's kind.
int Report(const Error& error, std::string_view query = {});

// A flag's number, read exactly; the error names the flag.
Result<Rational> ReadNumber(const std::string& flag, const std::string& text);

void AddAccountCommand(Command app);
void AddCheckCommand(Command app);
void AddChooseCommand(Command app);
void AddDemoCommand(Command app);
void AddInitCommand(Command app);
void AddNoiseCommand(Command app);
void AddPersonCommand(Command app);
void AddPredictCommand(Command app);
void AddPrepareCommand(Command app);
void AddLearnCommand(Command app);
void AddLocalCommand(Command app);
void AddServeCommand(Command app);
void AddSynthCommand(Command app);
void AddTableCommand(Command app);
void AddTablesCommand(Command app);
void AddPasswordCommand(Command app);
void AddAggregateCommand(Command app);
void AddAnonymizeCommand(Command app);
void AddConfigCommand(Command app);
void AddWatchCommand(Command app);
void AddWorkloadCommand(Command app);
// These tell of all commands.
void AddCompletionCommand(Command app, const CommandLine& line);
void AddManualCommand(Command app, const CommandLine& line);

}  // namespace tacit::app
