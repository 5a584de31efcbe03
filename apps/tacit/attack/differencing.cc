#include "attack/differencing/differencing.h"

#include "tacit/attack/servers.h"

namespace tacit::app {
namespace {

struct DifferencingFlags : ServerFlags {
  attack::DifferencingSettings settings;
};

Result<attack::Report> RunDifferencing(DifferencingFlags& flags) {
  flags.settings.seed = flags.common.seed;
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 2000));
  return attack::AttackByDifferencing(scene, flags.settings, AttackProgress());
}

}  // namespace

void AddAttackDifferencing(Command attack) {
  auto flags = std::make_shared<DifferencingFlags>();
  Command command =
      attack.Subcommand("differencing", "Two harmless questions whose difference is one person");
  command.Value("--targets", flags->settings.targets, "people whose secret is guessed")
      .ShowsDefault();
  command.Value("--tacit-guesses", flags->settings.tacit_guesses, "at each price of Tacit")
      .ShowsDefault();
  AddServerFlags(command, *flags);
  command.Footer(
      "Examples:\n  tacit attack differencing\n  tacit attack differencing clinic --secret "
      "disease=Cold");
  ActAsAttack(command, [flags] { return PrintReport(RunDifferencing(*flags), flags->common); });
}

}  // namespace tacit::app
