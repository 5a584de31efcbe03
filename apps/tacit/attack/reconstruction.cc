#include "attack/reconstruction/reconstruction.h"

#include "tacit/attack/servers.h"

namespace tacit::app {
namespace {

struct ReconstructionFlags : ServerFlags {
  attack::ReconstructionSettings settings;
};

Result<attack::Report> RunReconstruction(ReconstructionFlags& flags) {
  flags.settings.seed = flags.common.seed;
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 2000));
  return attack::AttackByReconstruction(scene, flags.settings, AttackProgress());
}

}  // namespace

void AddAttackReconstruction(Command attack) {
  auto flags = std::make_shared<ReconstructionFlags>();
  Command command =
      attack.Subcommand("reconstruction", "Everybody at once, from counts of random subsets");
  command.Value("--people", flags->settings.people, "reconstructed together").ShowsDefault();
  command.Value("--questions", flags->settings.questions, "the most of one run").ShowsDefault();
  command.Value("--runs", flags->settings.runs, "of every point").ShowsDefault();
  command.Value("--tacit-runs", flags->settings.tacit_runs, "against Tacit").ShowsDefault();
  AddServerFlags(command, *flags);
  command.Footer(
      "Examples:\n  tacit attack reconstruction\n  tacit attack reconstruction clinic --people 64");
  ActAsAttack(command, [flags] { return PrintReport(RunReconstruction(*flags), flags->common); });
}

}  // namespace tacit::app
