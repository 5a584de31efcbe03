#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "attack/progress.h"
#include "attack/report.h"
#include "base/result.h"

// The subcommands of `tacit attack`, one file attack_<name>.cc each.

namespace tacit::app {

void AddAttackDifferencing(CLI::App& attack, int& exit_code);
void AddAttackAveraging(CLI::App& attack, int& exit_code);
void AddAttackReconstruction(CLI::App& attack, int& exit_code);
void AddAttackMembership(CLI::App& attack, int& exit_code);
void AddAttackRefusal(CLI::App& attack, int& exit_code);
void AddAttackAuxiliary(CLI::App& attack, int& exit_code);
void AddAttackAll(CLI::App& attack, int& exit_code);

// What every attack has: --seed and --format.
struct AttackFlags {
  uint64_t seed = 1;
  std::string format = "text";
};
void AddAttackFlags(CLI::App& command, AttackFlags& flags);

// A bar on stderr when that is a terminal, else nothing; rewritten at most ten times a second.
attack::Progress TerminalProgress();
// Takes the bar away again.
void EndProgress();

// Prints the report in the wished format, or the error; the exit code either way.
int PrintReport(const Result<attack::Report>& report, const AttackFlags& flags);

}  // namespace tacit::app
