#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "attack/auxiliary/auxiliary.h"
#include "attack/averaging/averaging.h"
#include "attack/differencing/differencing.h"
#include "attack/membership/membership.h"
#include "attack/page/page.h"
#include "attack/reconstruction/reconstruction.h"
#include "attack/refusal/refusal.h"
#include "attack/scene/owners_rows.h"
#include "attack_servers.h"
#include "commands.h"

// tacit attack all: every attack on one deployment, as one page for its owner.

namespace tacit::app {
namespace {

struct Flags : ServerFlags {
  std::string html;
  bool quick = false;
};

Error CannotWrite(const std::string& path) {
  return InvalidArgument("cannot write " + path + ": " + std::strerror(errno),
                         "choose a file in a folder that you may write to");
}

// Whole or not at all, and for the owner alone: the page holds facts about people.
Result<Done> WritePage(const std::string& path, const std::string& html) {
  std::string beside = path + ".XXXXXX";
  const int file = ::mkstemp(beside.data());  // mode 0600
  if (file < 0) return CannotWrite(path);
  std::string_view rest = html;
  bool good = true;
  while (good && !rest.empty()) {
    const ssize_t written = ::write(file, rest.data(), rest.size());
    good = written > 0 || (written < 0 && errno == EINTR);
    if (written > 0) rest.remove_prefix(static_cast<size_t>(written));
  }
  good = ::close(file) == 0 && good;
  if (good && std::rename(beside.c_str(), path.c_str()) == 0) return Done{};
  const int failure = errno;
  ::unlink(beside.c_str());
  errno = failure;
  return CannotWrite(path);
}

// What cannot be written at the end is better known at the start; leaves nothing behind.
Result<Done> CheckWritable(const std::string& path) {
  std::string beside = path + ".XXXXXX";
  const int file = ::mkstemp(beside.data());
  if (file < 0) return CannotWrite(path);
  ::close(file);
  ::unlink(beside.c_str());
  return Done{};
}

std::string Today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}

// How much each attack does; --quick is for a first look and for tests.
struct Efforts {
  attack::DifferencingSettings differencing;
  attack::RefusalSettings refusal;
  attack::AveragingSettings averaging;
  attack::ReconstructionSettings reconstruction;
  attack::MembershipSettings membership;
  attack::AuxiliarySettings auxiliary;
};

Efforts EffortsOf(const Flags& flags) {
  const uint64_t seed = flags.common.seed;
  if (!flags.quick) {
    return {{.seed = seed}, {.seed = seed}, {.seed = seed},
            {.seed = seed}, {.seed = seed}, {.seed = seed}};
  }
  return {.differencing = {.seed = seed, .targets = 40, .tacit_guesses = 6},
          .refusal = {.seed = seed, .targets = 30},
          .averaging = {.seed = seed, .runs = 100, .tacit_runs = 3},
          .reconstruction = {.seed = seed,
                             .people = 32,
                             .runs = 2,
                             .tacit_runs = 1,
                             .questions = 1024,
                             .coins = 128,
                             .lp_coins = 48},
          .membership = {.seed = seed, .worlds = 2, .attributes = 1000},
          .auxiliary = {.seed = seed, .people = 2000, .draws = 10}};
}

Result<std::vector<attack::Report>> RunAttacks(const attack::Scene& scene, const Flags& flags) {
  const attack::Progress progress = TerminalProgress();
  const Efforts efforts = EffortsOf(flags);
  std::vector<attack::Report> reports;
  const auto keep = [&](Result<attack::Report> report) -> Result<Done> {
    TACIT_TRY(attack::Report good, std::move(report));
    reports.push_back(std::move(good));
    return Done{};
  };
  TACIT_CHECK(keep(attack::AttackByDifferencing(scene, efforts.differencing, progress)));
  TACIT_CHECK(keep(attack::AttackByRefusal(scene, efforts.refusal, progress)));
  TACIT_CHECK(keep(attack::AttackByAveraging(scene, efforts.averaging, progress)));
  TACIT_CHECK(keep(attack::AttackByReconstruction(scene, efforts.reconstruction, progress)));
  TACIT_TRY(const attack::OwnedTable owned,
            attack::ReadOwnedTable(flags.folder, flags.scene.table));
  TACIT_CHECK(keep(attack::AttackMembership(
      attack::OwnersRows{owned.rows, owned.table(), owned.source}, efforts.membership, progress)));
  TACIT_CHECK(keep(attack::AttackWithAuxiliary(efforts.auxiliary, progress)));
  return reports;
}

attack::Page EmptyPage(const attack::Scene& scene, const Flags& flags) {
  attack::Page page{.title = "What answers give away: " + scene.policy().file};
  page.notes = {
      "For the owner of the data only. The figures come from the rows themselves and from further "
      "answers about them: do not publish this page.",
      "The attacks ask about " + scene.source() + "; the secret they go for is " +
          scene.people().shown + ".",
      "Nothing was spent of your budget: Tacit was asked through a copy of the deployment with a "
      "ledger and a key of its own, in a temporary folder that is gone.",
      "Beside every rate against Tacit stands the bound that the spent epsilon implies. A bound is "
      "the worst case over all attackers; a measured rate is one attacker's."};
  if (!flags.scene.pg.empty()) {
    page.notes.push_back(
        "The server behind --pg was asked as well; if it is a gateway, that was "
        "charged to the analyst who connected.");
  }
  page.made = "Made by tacit attack all on " + Today() + ", seed " +
              std::to_string(flags.common.seed) +
              ". The attackers' randomness is repeated with the same seed; Tacit's noise has no "
              "seed and is not.";
  return page;
}

Result<attack::Page> Run(const Flags& flags) {
  TACIT_CHECK(CheckWritable(flags.html));
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 0));
  attack::Page page = EmptyPage(scene, flags);
  TACIT_TRY(page.reports, RunAttacks(scene, flags));
  TACIT_CHECK(WritePage(flags.html, attack::RenderPage(page)));
  return page;
}

int RunAll(const Flags& flags) {
  const Result<attack::Page> page = Run(flags);
  EndProgress();
  if (!page.ok()) return Report(page.error());
  if (flags.common.format == "json") {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const attack::Report& report : page->reports) all.push_back(attack::ToJson(report));
    const std::string text = all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    return std::printf("%s\n", text.c_str()) > 0 ? kExitDone : kExitFailed;
  }
  for (const attack::Report& report : page->reports) {
    std::printf("%s\n", report.title.c_str());
    for (const std::string& sentence : report.summary) std::printf("  * %s\n", sentence.c_str());
  }
  std::printf("\n%s: the page with charts, for the owner only (seed %llu)\n", flags.html.c_str(),
              static_cast<unsigned long long>(flags.common.seed));
  return kExitDone;
}

}  // namespace

void AddAttackAll(CLI::App& attack, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      attack.add_subcommand("all", "Every attack on a deployment, as one page for its owner");
  command->add_option("--html", flags->html, "the page, one file that needs no other")->required();
  command->add_flag("--quick", flags->quick, "fewer runs: wider error bars, a few seconds");
  AddServerFlags(*command, *flags);
  command->get_option("DIR")->required();
  command->footer(
      "Example:\n  tacit attack all clinic --html clinic-attacks.html\n"
      "Spends nothing of the deployment's budget: Tacit is asked through a copy of it with a "
      "ledger\nof its own in a temporary folder.");
  command->callback([flags, &exit_code] { exit_code = RunAll(*flags); });
}

}  // namespace tacit::app
