#include "attack/auxiliary/auxiliary.h"
#include "command_attack.h"

namespace tacit::app {
namespace {

struct Flags : AttackFlags {
  attack::AuxiliarySettings settings;
};

}  // namespace

void AddAttackAuxiliary(CLI::App& attack, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = attack.add_subcommand(
      "auxiliary", "Outside knowledge, in two worlds: with the person's row and without");
  command->add_option("--people", flags->settings.people, "of the invented town")
      ->capture_default_str();
  command->add_option("--draws", flags->settings.draws, "of the answer at each epsilon")
      ->capture_default_str();
  AddAttackFlags(*command, *flags);
  command->footer("Example:\n  tacit attack auxiliary --draws 200");
  command->callback([flags, &exit_code] {
    flags->settings.seed = flags->seed;
    exit_code =
        PrintReport(attack::AttackWithAuxiliary(flags->settings, TerminalProgress()), *flags);
  });
}

}  // namespace tacit::app
