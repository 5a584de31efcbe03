#pragma once

#include <CLI/CLI.hpp>
#include <string_view>

#include "base/rational.h"
#include "base/result.h"
#include "exit_codes.h"

// One function a command, each in its own file command_<name>.cc. It adds the subcommand with its
// flags and examples to `app`; when the subcommand is chosen, its callback runs and leaves the exit
// code in `exit_code`.

namespace tacit::app {

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
