#include "tacit/attack/attack.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tacit/attack/files.h"
#include "tacit/commands.h"
#include "tacit/terminal/interrupt.h"

namespace tacit::app {

void AddAttackFlags(Command command, AttackFlags& flags) {
  command.Value("--seed", flags.seed, "the attacker's own randomness; printed in the report")
      .ShowsDefault();
  command.Value("--format", flags.format, "text or json").OneOf({"text", "json"});
}

void ActAsAttack(Command command, std::function<int()> run) {
  command.Action([run = std::move(run)] {
    const Interrupt interrupt("stopped; no report was made, and nothing is left behind");
    return run();
  });
}

int PrintReport(const Result<attack::Report>& report, const AttackFlags& flags) {
  ClearProgress();
  if (!report.ok()) return Report(report.error());
  const std::string text =
      flags.format == "json"
          ? attack::ToJson(*report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                "\n"
          : attack::ToText(*report);
  const bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return good && std::fflush(stdout) == 0 ? kExitDone : kExitFailed;
}

void AddAttackCommand(Command app) {
  Command attack = app.Subcommand(
      "attack", "See what a release, or a server that answers, gives away about people");
  attack.NeedsSubcommand();
  AddAttackUniqueness(attack);
  AddAttackLinkage(attack);
  AddAttackIntersection(attack);
  AddAttackDimension(attack);
  attack.Footer(
      "Every attack goes through public doors only: a released file, or a server that answers.\n"
      "docs/attacks has one page for each: what it is, what it needs, how to read the result.");
  AddAttackDifferencing(attack);
  AddAttackAveraging(attack);
  AddAttackReconstruction(attack);
  AddAttackMembership(attack);
  AddAttackRefusal(attack);
  AddAttackAuxiliary(attack);
  AddAttackAll(attack);
}

}  // namespace tacit::app
