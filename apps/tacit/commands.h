#pragma once

#include <CLI/CLI.hpp>
#include <string_view>

#include "base/rational.h"
#include "base/result.h"

// One function a command, each in its own file command_<name>.cc. It adds the subcommand with its
// flags and examples to `app`; when the subcommand is chosen, its callback runs and leaves the exit
// code in `exit_code`.

namespace tacit::app {

// The exit codes of the command line; scripts rely on them.
inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitWrongFlags = 2;   // or a bad policy
inline constexpr int kExitNotAccepted = 3;  // the query
inline constexpr int kExitBudgetExhausted = 4;
inline constexpr int kExitUnavailable = 5;  // the engine or the ledger

void AddAttackCommand(CLI::App& app, int& exit_code);
void AddBudgetCommand(CLI::App& app, int& exit_code);
void AddExplainCommand(CLI::App& app, int& exit_code);
void AddQueryCommand(CLI::App& app, int& exit_code);
void AddLedgerCommand(CLI::App& app, int& exit_code);

// Prints the public text, its place in the query and the hint on stderr; returns the exit code of
// the error's kind.
int Report(const Error& error, std::string_view query = {});

// A flag's number, read exactly; the error names the flag.
Result<Rational> ReadNumber(const std::string& flag, const std::string& text);

void AddAccountCommand(CLI::App& app, int& exit_code);
void AddCheckCommand(CLI::App& app, int& exit_code);
void AddDemoCommand(CLI::App& app, int& exit_code);
void AddInitCommand(CLI::App& app, int& exit_code);
void AddNoiseCommand(CLI::App& app, int& exit_code);
void AddPrepareCommand(CLI::App& app, int& exit_code);
void AddLocalCommand(CLI::App& app, int& exit_code);
void AddServeCommand(CLI::App& app, int& exit_code);
void AddPasswordCommand(CLI::App& app, int& exit_code);
void AddAnonymizeCommand(CLI::App& app, int& exit_code);

}  // namespace tacit::app
