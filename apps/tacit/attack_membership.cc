#include "attack/membership/membership.h"
#include "attack/scene/owners_rows.h"
#include "command_attack.h"

namespace tacit::app {
namespace {

struct Flags : AttackFlags {
  std::string folder;
  std::string table;
  attack::MembershipSettings settings;
};

Result<attack::Report> Run(Flags& flags) {
  flags.settings.seed = flags.seed;
  if (flags.folder.empty()) {
    return attack::AttackMembership(std::nullopt, flags.settings, TerminalProgress());
  }
  TACIT_TRY(const attack::OwnedTable owned, attack::ReadOwnedTable(flags.folder, flags.table));
  return attack::AttackMembership(attack::OwnersRows{owned.rows, owned.table(), owned.source},
                                  flags.settings, TerminalProgress());
}

}  // namespace

void AddAttackMembership(CLI::App& attack, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      attack.add_subcommand("membership", "Who was in the group whose means were published");
  command->add_option("DIR", flags->folder,
                      "a deployment, whose people are attacked beside invented ones");
  command->add_option("--table", flags->table, "of DIR: whose people");
  command->add_option("--worlds", flags->settings.worlds, "of every point")->capture_default_str();
  command->add_option("--attributes", flags->settings.attributes, "the most published means")
      ->capture_default_str();
  AddAttackFlags(*command, *flags);
  command->footer("Examples:\n  tacit attack membership\n  tacit attack membership clinic");
  command->callback([flags, &exit_code] { exit_code = PrintReport(Run(*flags), *flags); });
}

}  // namespace tacit::app
