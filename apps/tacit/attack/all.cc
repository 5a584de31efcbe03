#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "attack/auxiliary/auxiliary.h"
#include "attack/averaging/averaging.h"
#include "attack/differencing/differencing.h"
#include "attack/membership/membership.h"
#include "attack/owned/owned_files.h"
#include "attack/page/page.h"
#include "attack/reconstruction/reconstruction.h"
#include "attack/refusal/refusal.h"
#include "attack/scene/owners_rows.h"
#include "base/new_file.h"
#include "tacit/attack/servers.h"
#include "tacit/commands.h"

// tacit attack all: every attack on one deployment, as one page for its owner.

namespace tacit::app {
namespace {

struct AllAttackFlags : ServerFlags {
  std::string html;
  bool quick = false;
  std::vector<std::string> known;
};

// For the owner alone: the page holds facts about people.
constexpr unsigned kPageMode = 0600;

Result<Done> WritePage(const std::string& path, const std::string& html) {
  TACIT_TRY(NewFile file, NewFile::Create(path, kPageMode));
  TACIT_CHECK(file.Write(html));
  return file.Finish();
}

// What cannot be written at the end is better known at the start; leaves nothing behind.
Result<Done> CheckWritable(const std::string& path) {
  TACIT_CHECK(NewFile::Create(path, kPageMode));
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
  attack::OwnedFilesSettings files;
};

Efforts EffortsOf(const AllAttackFlags& flags) {
  const uint64_t seed = flags.common.seed;
  if (!flags.quick) {
    return {{.seed = seed}, {.seed = seed}, {.seed = seed}, {.seed = seed},
            {.seed = seed}, {.seed = seed}, {.seed = seed}};
  }
  return {.differencing = {.seed = seed, .targets = 40, .tacit_guesses = 20},
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
          .auxiliary = {.seed = seed, .people = 2000, .draws = 10},
          .files = {.seed = seed, .rows_max = 20'000, .targets = 200, .runs = 2}};
}

// One bar for the whole page: each attack tells its own share, which becomes a part of the whole.
class WholeProgress {
 public:
  attack::Progress Next() {
    const double from = done_++;
    return [bar = bar_, from](std::string_view doing, double share) {
      if (bar) bar(doing, (from + std::clamp(share, 0.0, 1.0)) / kAttacks);
    };
  }

 private:
  static constexpr double kAttacks = 7;
  attack::Progress bar_ = AttackProgress();
  double done_ = 0;
};

Result<Done> RunAttacks(const attack::Scene& scene, const AllAttackFlags& flags,
                        attack::Page& page) {
  WholeProgress progress;
  Efforts efforts = EffortsOf(flags);
  efforts.files.table = flags.scene.table;
  efforts.files.secret = flags.scene.secret;
  efforts.files.known = flags.known;
  TACIT_TRY(attack::OwnedFiles files,
            attack::AttackOwnedFiles(flags.folder, efforts.files, progress.Next()));
  page.reports = std::move(files.reports);
  page.skipped = std::move(files.skipped);
  const auto keep = [&](Result<attack::Report> report) -> Result<Done> {
    TACIT_TRY(attack::Report good, std::move(report));
    page.reports.push_back(std::move(good));
    return Done{};
  };
  TACIT_CHECK(keep(attack::AttackByDifferencing(scene, efforts.differencing, progress.Next())));
  TACIT_CHECK(keep(attack::AttackByRefusal(scene, efforts.refusal, progress.Next())));
  TACIT_CHECK(keep(attack::AttackByAveraging(scene, efforts.averaging, progress.Next())));
  TACIT_CHECK(keep(attack::AttackByReconstruction(scene, efforts.reconstruction, progress.Next())));
  TACIT_TRY(const attack::OwnedTable owned,
            attack::ReadOwnedTable(flags.folder, flags.scene.table));
  TACIT_CHECK(
      keep(attack::AttackMembership(attack::OwnersRows{owned.rows, owned.table(), owned.source},
                                    efforts.membership, progress.Next())));
  return keep(attack::AttackWithAuxiliary(efforts.auxiliary, progress.Next()));
}

std::vector<std::pair<std::string, std::string>> Words() {
  return {
      {"secret", "The fact about a person that an attacker wants to know."},
      {"quasi-identifier",
       "A column that a reader may know of a person already: age, sex, post code. Neither a name "
       "nor a secret by itself."},
      {"k, l, t",
       "Ways to coarsen a table of rows. k: everybody looks like at least k - 1 others. l: every "
       "such group has at least l different secrets. t: how far a group's secrets may differ from "
       "the whole table's."},
      {"epsilon",
       "What an answer of Tacit costs, and what it can give away: nobody's odds of guessing one "
       "person's secret change by more than a factor of e^epsilon (2.7 for epsilon 1). Answers add "
       "up; the budget is the most that all of them may cost."},
      {"bound",
       "The most often that anybody could be right, however clever and whatever else they know, "
       "from answers that cost this much epsilon."},
      {"95 % interval",
       "Where the true rate lies in 19 of 20 experiments like this one; the bars in the charts."}};
}

attack::Page EmptyPage(const attack::Scene& scene, const AllAttackFlags& flags) {
  attack::Page page{.title = "What could be learnt about your people"};
  page.notes = {
      "For the owner of the data only. The figures come from the rows themselves and from further "
      "answers about them: do not publish this page.",
      "The attacks are about " + scene.source() + "; the secret they go for is " +
          scene.people().shown +
          ". First come those on files of rows that somebody might release, with names taken out "
          "or "
          "coarsened; then those on servers that answer questions, Tacit among them; then two on "
          "published averages and on outside knowledge.",
      "Nothing was spent of your budget: Tacit was asked through a copy of the deployment with a "
      "ledger of its own, in a temporary folder that is gone.",
      "Beside every rate against Tacit stands the bound that the spent epsilon implies. A bound is "
      "the worst case over all attackers; a measured rate is one attacker's."};
  page.words = Words();
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

// The largest share, in percent, over the charts of attacks on servers: of what is drawn as
// defended, of what is not, or of the bounds.
enum class Kind { kOpen, kDefended, kBound };
struct Worst {
  double percent = 0;
  std::string attack;
  std::string interval;  // in words; empty where there is none
};
Worst WorstOf(const attack::Page& page, Kind kind) {
  Worst worst;
  for (const attack::Report& report : page.reports) {
    const bool asks = report.name == "differencing" || report.name == "refusal" ||
                      report.name == "reconstruction";
    for (const attack::Chart& chart : report.charts) {
      const bool of_people = chart.y.unit == "%" || chart.x.unit == "%";
      for (const attack::Series& series : chart.series) {
        const Kind own = series.is_defended    ? Kind::kDefended
                         : series.is_reference ? Kind::kBound
                                               : Kind::kOpen;
        if (!asks || !of_people || own != kind) continue;
        for (const attack::Point& point : series.points) {
          const double share = chart.x.unit == "%" ? point.x : point.y;
          if (share <= worst.percent || share > 100) continue;
          worst = {share, report.name, ""};
          if (point.low && point.high) {
            worst.interval = "; 95 % interval " + attack::Shown(*point.low, 0) + " to " +
                             attack::Shown(*point.high, 0);
          }
        }
      }
    }
  }
  return worst;
}

std::string FirstSentence(const attack::Report& report) {
  if (report.summary.empty()) return "";
  const std::string& text = report.summary[0];
  const size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

// What the page comes to, in the order of how much it matters.
std::vector<std::string> VerdictOf(const attack::Page& page, const Rational& epsilon) {
  std::vector<std::string> verdict;
  for (const attack::Report& report : page.reports) {
    if (report.name != "linkage") continue;
    std::string found = FirstSentence(report);
    constexpr std::string_view kAsItIs = "The release as it is: ";
    if (found.starts_with(kAsItIs)) found.erase(0, kAsItIs.size());
    verdict.push_back("Releasing rows with the names taken out: " + found);
  }
  const Worst open = WorstOf(page, Kind::kOpen);
  verdict.push_back("Answering questions exactly, rounded, or with noise and no budget: up to " +
                    attack::Shown(open.percent, 0) + " % of the secrets were found (" +
                    open.attack + "); 50 % is blind guessing.");
  const Worst defended = WorstOf(page, Kind::kDefended);
  const double e = std::exp(epsilon.get_d());
  char most[16];
  std::snprintf(most, sizeof most, "%.0f", 100 * e / (1 + e));
  verdict.push_back("Answering through Tacit until the budget was spent: up to " +
                    attack::Shown(defended.percent, 0) + " % (" + defended.attack +
                    defended.interval + "). The budget of epsilon " + ToString(epsilon) +
                    " allows nobody, whatever they know and try, more than " + most +
                    " % about any one person.");
  if (epsilon > 1) {
    verdict.push_back(
        "If that is more than you want to promise, lower the budget: epsilon 1 allows "
        "73 %, epsilon 0.5 allows 62 %.");
  }
  return verdict;
}

Result<attack::Page> MakePage(const AllAttackFlags& flags) {
  TACIT_CHECK(CheckWritable(flags.html));
  TACIT_TRY(const attack::Scene scene, SceneOf(flags, 0));
  attack::Page page = EmptyPage(scene, flags);
  TACIT_CHECK(RunAttacks(scene, flags, page));
  page.verdict = VerdictOf(page, scene.policy().privacy.budget.epsilon.value);
  TACIT_CHECK(WritePage(flags.html, attack::RenderPage(page)));
  return page;
}

int RunAll(const AllAttackFlags& flags) {
  const Result<attack::Page> page = MakePage(flags);
  ClearProgress();
  if (!page.ok()) return Report(page.error());
  if (flags.common.format == "json") {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const attack::Report& report : page->reports) all.push_back(attack::ToJson(report));
    const std::string text = all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    return std::printf("%s\n", text.c_str()) > 0 ? kExitDone : kExitFailed;
  }
  for (const std::string& sentence : page->verdict) std::printf("%s\n", sentence.c_str());
  std::printf("\n");
  for (const attack::Report& report : page->reports) {
    std::printf("%s\n", report.title.c_str());
    for (const std::string& sentence : report.summary) std::printf("  * %s\n", sentence.c_str());
  }
  if (!page->skipped.empty()) std::printf("Left out\n");
  for (const std::string& one : page->skipped) std::printf("  * %s\n", one.c_str());
  std::printf("\n%s: the page with charts, for the owner only (seed %llu)\n", flags.html.c_str(),
              static_cast<unsigned long long>(flags.common.seed));
  return kExitDone;
}

}  // namespace

void AddAttackAll(Command attack) {
  auto flags = std::make_shared<AllAttackFlags>();
  Command command =
      attack.Subcommand("all", "Every attack on a deployment, as one page for its owner");
  command.Value("--html", flags->html, "the page, one file that needs no other").Required();
  command.Switch("--quick", flags->quick, "fewer runs: wider error bars, a few seconds");
  command
      .Value("--qi", flags->known,
             "columns that a reader of a released file may know; all visible ones unless "
             "given")
      .Commas();
  AddServerFlags(command, *flags).Required();
  command.Footer(
      "Example:\n  tacit attack all clinic --html clinic-attacks.html\n"
      "Spends nothing of the deployment's budget: Tacit is asked through a copy of it with a "
      "ledger\nof its own in a temporary folder.");
  ActAsAttack(command, [flags] { return RunAll(*flags); });
}

}  // namespace tacit::app
