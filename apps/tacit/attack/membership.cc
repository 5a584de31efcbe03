#include "attack/membership/membership.h"

#include "attack/scene/owners_rows.h"
#include "tacit/attack/attack.h"

namespace tacit::app {
namespace {

struct MembershipFlags : AttackFlags {
  std::string folder;
  std::string table;
  attack::MembershipSettings settings;
};

Result<attack::Report> RunMembership(MembershipFlags& flags) {
  flags.settings.seed = flags.seed;
  if (flags.folder.empty()) {
    return attack::AttackMembership(std::nullopt, flags.settings, AttackProgress());
  }
  TACIT_TRY(const attack::OwnedTable owned, attack::ReadOwnedTable(flags.folder, flags.table));
  return attack::AttackMembership(attack::OwnersRows{owned.rows, owned.table(), owned.source},
                                  flags.settings, AttackProgress());
}

}  // namespace

void AddAttackMembership(Command attack) {
  auto flags = std::make_shared<MembershipFlags>();
  Command command =
      attack.Subcommand("membership", "Who was in the group whose means were published");
  command.Value("DIR", flags->folder,
                "a deployment, whose people are attacked beside invented ones");
  command.Value("--table", flags->table, "of DIR: whose people");
  command.Value("--worlds", flags->settings.worlds, "of every point").ShowsDefault();
  command.Value("--attributes", flags->settings.attributes, "the most published means")
      .ShowsDefault();
  AddAttackFlags(command, *flags);
  command.Footer("Examples:\n  tacit attack membership\n  tacit attack membership clinic");
  ActAsAttack(command, [flags] { return PrintReport(RunMembership(*flags), *flags); });
}

}  // namespace tacit::app
