#include "attack/differencing/differencing.h"
#include "attack_servers.h"

namespace tacit::app {
namespace {

struct Flags : ServerFlags {
  attack::DifferencingSettings settings;
};

Result<attack::Report> Run(Flags& flags) {
  flags.settings.seed = flags.common.seed;
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 2000));
  return attack::AttackByDifferencing(scene, flags.settings, TerminalProgress());
}

}  // namespace

void AddAttackDifferencing(CLI::App& attack, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = attack.add_subcommand(
      "differencing", "Two harmless questions whose difference is one person");
  command->add_option("--targets", flags->settings.targets, "people whose secret is guessed")
      ->capture_default_str();
  command->add_option("--tacit-guesses", flags->settings.tacit_guesses, "at each price of Tacit")
      ->capture_default_str();
  AddServerFlags(*command, *flags);
  command->footer(
      "Examples:\n  tacit attack differencing\n  tacit attack differencing clinic --secret "
      "disease=Cold");
  command->callback([flags, &exit_code] { exit_code = PrintReport(Run(*flags), flags->common); });
}

}  // namespace tacit::app
