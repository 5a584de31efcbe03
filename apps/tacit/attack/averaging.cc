#include "attack/averaging/averaging.h"

#include "tacit/attack/servers.h"

namespace tacit::app {
namespace {

struct AveragingFlags : ServerFlags {
  attack::AveragingSettings settings;
};

Result<attack::Report> RunAveraging(AveragingFlags& flags) {
  flags.settings.seed = flags.common.seed;
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 2000));
  return attack::AttackByAveraging(scene, flags.settings, AttackProgress());
}

}  // namespace

void AddAttackAveraging(Command attack) {
  auto flags = std::make_shared<AveragingFlags>();
  Command command = attack.Subcommand("averaging", "The same question until the noise is gone");
  command.Value("--runs", flags->settings.runs, "against servers of the lab").ShowsDefault();
  command.Value("--tacit-runs", flags->settings.tacit_runs, "against Tacit").ShowsDefault();
  command.Value("--questions", flags->settings.questions, "the most of one run").ShowsDefault();
  AddServerFlags(command, *flags);
  command.Footer(
      "Examples:\n  tacit attack averaging\n  tacit attack averaging clinic --epsilon 0.1");
  ActAsAttack(command, [flags] { return PrintReport(RunAveraging(*flags), flags->common); });
}

}  // namespace tacit::app
