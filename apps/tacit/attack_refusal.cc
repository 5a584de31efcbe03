#include "attack/refusal/refusal.h"
#include "attack_servers.h"

namespace tacit::app {
namespace {

struct Flags : ServerFlags {
  attack::RefusalSettings settings;
};

Result<attack::Report> Run(Flags& flags) {
  flags.settings.seed = flags.common.seed;
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 2000));
  return attack::AttackByRefusal(scene, flags.settings, TerminalProgress());
}

}  // namespace

void AddAttackRefusal(CLI::App& attack, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      attack.add_subcommand("refusal", "What a refusal, or a rounding, tells by itself");
  command->add_option("--targets", flags->settings.targets, "people whose secret is guessed")
      ->capture_default_str();
  AddServerFlags(*command, *flags);
  command->footer(
      "Examples:\n  tacit attack refusal\n  tacit attack refusal clinic --threshold 10");
  command->callback([flags, &exit_code] { exit_code = PrintReport(Run(*flags), flags->common); });
}

}  // namespace tacit::app
