#include "attack/reconstruction/reconstruction.h"
#include "attack_servers.h"

namespace tacit::app {
namespace {

struct Flags : ServerFlags {
  attack::ReconstructionSettings settings;
};

Result<attack::Report> Run(Flags& flags) {
  flags.settings.seed = flags.common.seed;
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 2000));
  return attack::AttackByReconstruction(scene, flags.settings, TerminalProgress());
}

}  // namespace

void AddAttackReconstruction(CLI::App& attack, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      attack.add_subcommand("reconstruction", "Everybody at once, from counts of random subsets");
  command->add_option("--people", flags->settings.people, "reconstructed together")
      ->capture_default_str();
  command->add_option("--questions", flags->settings.questions, "the most of one run")
      ->capture_default_str();
  command->add_option("--runs", flags->settings.runs, "of every point")->capture_default_str();
  command->add_option("--tacit-runs", flags->settings.tacit_runs, "against Tacit")
      ->capture_default_str();
  AddServerFlags(*command, *flags);
  command->footer(
      "Examples:\n  tacit attack reconstruction\n  tacit attack reconstruction clinic --people 64");
  command->callback([flags, &exit_code] { exit_code = PrintReport(Run(*flags), flags->common); });
}

}  // namespace tacit::app
