#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "attack/report.h"
#include "base/result.h"
#include "tacit/terminal/flags.h"
#include "tacit/terminal/progress_bar.h"

// The subcommands of `tacit attack`, one file <name>.cc each.

namespace tacit::app {

void AddAttackDifferencing(Command attack);
void AddAttackAveraging(Command attack);
void AddAttackReconstruction(Command attack);
void AddAttackMembership(Command attack);
void AddAttackRefusal(Command attack);
void AddAttackAuxiliary(Command attack);
void AddAttackAll(Command attack);

// The command's action. Ctrl-C says that it was stopped; folders that the attack made are gone
// then.
void ActAsAttack(Command command, std::function<int()> run);

// What every attack has: --seed and --format.
struct AttackFlags {
  uint64_t seed = 1;
  std::string format = "text";
};
void AddAttackFlags(Command command, AttackFlags& flags);

// Prints the report in the wished format, or the error; the exit code either way.
int PrintReport(const Result<attack::Report>& report, const AttackFlags& flags);

}  // namespace tacit::app
