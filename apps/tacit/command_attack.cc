#include "command_attack.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "attack_files.h"
#include "commands.h"

namespace tacit::app {

void AddAttackFlags(Command command, AttackFlags& flags) {
  command.Value("--seed", flags.seed, "the attacker's own randomness; printed in the report")
      .ShowsDefault();
  command.Value("--format", flags.format, "text or json").OneOf({"text", "json"});
}

attack::Progress TerminalProgress() {
  if (::isatty(STDERR_FILENO) == 0) return {};
  using Clock = std::chrono::steady_clock;
  auto last = std::make_shared<Clock::time_point>();
  return [last](std::string_view doing, double share) {
    const Clock::time_point now = Clock::now();
    if (now - *last < std::chrono::milliseconds(100)) return;
    *last = now;
    constexpr int kCells = 30;
    const int done = static_cast<int>(std::clamp(share, 0.0, 1.0) * kCells);
    std::fprintf(stderr, "\r\033[K[%s%s] %3.0f %% %.*s",
                 std::string(static_cast<size_t>(done), '#').c_str(),
                 std::string(static_cast<size_t>(kCells - done), ' ').c_str(), 100 * share,
                 static_cast<int>(doing.size()), doing.data());
    std::fflush(stderr);
  };
}

void EndProgress() {
  if (::isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
}

int PrintReport(const Result<attack::Report>& report, const AttackFlags& flags) {
  EndProgress();
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
