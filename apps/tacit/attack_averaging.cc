#include "attack/averaging/averaging.h"
#include "attack_servers.h"

namespace tacit::app {
namespace {

struct Flags : ServerFlags {
  attack::AveragingSettings settings;
};

Result<attack::Report> Run(Flags& flags) {
  flags.settings.seed = flags.common.seed;
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 2000));
  return attack::AttackByAveraging(scene, flags.settings, TerminalProgress());
}

}  // namespace

void AddAttackAveraging(CLI::App& attack, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      attack.add_subcommand("averaging", "The same question until the noise is gone");
  command->add_option("--runs", flags->settings.runs, "against servers of the lab")
      ->capture_default_str();
  command->add_option("--tacit-runs", flags->settings.tacit_runs, "against Tacit")
      ->capture_default_str();
  command->add_option("--questions", flags->settings.questions, "the most of one run")
      ->capture_default_str();
  AddServerFlags(*command, *flags);
  command->footer(
      "Examples:\n  tacit attack averaging\n  tacit attack averaging clinic --epsilon 0.1");
  command->callback([flags, &exit_code] { exit_code = PrintReport(Run(*flags), flags->common); });
}

}  // namespace tacit::app
