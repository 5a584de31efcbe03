#include "attack/auxiliary/auxiliary.h"

#include "tacit/attack/attack.h"

namespace tacit::app {
namespace {

struct AuxiliaryFlags : AttackFlags {
  attack::AuxiliarySettings settings;
};

}  // namespace

void AddAttackAuxiliary(Command attack) {
  auto flags = std::make_shared<AuxiliaryFlags>();
  Command command = attack.Subcommand(
      "auxiliary", "Outside knowledge, in two worlds: with the person's row and without");
  command.Value("--people", flags->settings.people, "of the invented town").ShowsDefault();
  command.Value("--draws", flags->settings.draws, "of the answer at each epsilon").ShowsDefault();
  AddAttackFlags(command, *flags);
  command.Footer("Example:\n  tacit attack auxiliary --draws 200");
  ActAsAttack(command, [flags] {
    flags->settings.seed = flags->seed;
    return PrintReport(attack::AttackWithAuxiliary(flags->settings, AttackProgress()), *flags);
  });
}

}  // namespace tacit::app
