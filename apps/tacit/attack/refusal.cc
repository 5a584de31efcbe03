#include "attack/refusal/refusal.h"

#include "tacit/attack/servers.h"

namespace tacit::app {
namespace {

struct RefusalFlags : ServerFlags {
  attack::RefusalSettings settings;
};

Result<attack::Report> RunRefusal(RefusalFlags& flags) {
  flags.settings.seed = flags.common.seed;
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 2000));
  return attack::AttackByRefusal(scene, flags.settings, AttackProgress());
}

}  // namespace

void AddAttackRefusal(Command attack) {
  auto flags = std::make_shared<RefusalFlags>();
  Command command = attack.Subcommand("refusal", "What a refusal, or a rounding, tells by itself");
  command.Value("--targets", flags->settings.targets, "people whose secret is guessed")
      .ShowsDefault();
  AddServerFlags(command, *flags);
  command.Footer("Examples:\n  tacit attack refusal\n  tacit attack refusal clinic --threshold 10");
  ActAsAttack(command, [flags] { return PrintReport(RunRefusal(*flags), flags->common); });
}

}  // namespace tacit::app
