#include "attack/refusal/refusal.h"

#include <algorithm>

#include "attack/statistics.h"

namespace tacit::attack {
namespace {

struct Outcome {
  std::string name;
  bool is_tacit = false;
  int64_t asked = 0;
  int64_t refused = 0;
  int64_t right_by_refusal = 0;  // reading only whether an answer came
  int64_t right_by_answer = 0;   // reading the number as well
  double bound = 1;
};

// People who are known to have the secret and are no targets: what the attacker brings along.
std::vector<uint32_t> KnownPeople(const People& people, const std::vector<uint32_t>& targets,
                                  size_t count) {
  std::vector<uint32_t> sorted = targets;
  std::sort(sorted.begin(), sorted.end());
  std::vector<uint32_t> known;
  for (uint32_t i = 0; i < people.size() && known.size() < count; ++i) {
    if (people.has_secret[i] && !std::binary_search(sorted.begin(), sorted.end(), i)) {
      known.push_back(i);
    }
  }
  return known;
}

// With this many known people beside the target, its secret moves the count over the rule's edge.
int64_t EdgeOf(const std::string& server, const NaiveSettings& naive) {
  return server == "rounding" ? (naive.step + 1) / 2 - 1 : naive.threshold - 1;
}

Result<Outcome> AskServer(const Scene& scene, const std::string& word,
                          const std::vector<uint32_t>& targets, const Dice& dice) {
  TACIT_TRY(const std::unique_ptr<Server> server, scene.Make(word, dice));
  Outcome outcome{.name = server->name(), .is_tacit = server->IsTacit()};
  const auto edge = static_cast<size_t>(EdgeOf(word, scene.settings().naive));
  const std::vector<uint32_t> known = KnownPeople(scene.people(), targets, edge);
  if (known.size() < edge) {
    return InvalidArgument("too few people with the secret to stand beside a target",
                           "choose a smaller --threshold or another --secret");
  }
  for (const uint32_t target : targets) {
    std::vector<uint32_t> group = known;
    group.push_back(target);
    TACIT_TRY(const Reply reply, server->Ask({Question::Scope::kOnly, group}));
    if (!reply.count && server->IsTacit()) break;  // the budget is spent: the same for everybody
    const bool secret = scene.people().has_secret[target];
    const bool answered = reply.count.has_value();
    const bool above = answered && *reply.count > static_cast<double>(edge) + 0.5;
    ++outcome.asked;
    outcome.refused += answered ? 0 : 1;
    outcome.right_by_refusal += answered == secret ? 1 : 0;
    outcome.right_by_answer += above == secret ? 1 : 0;
  }
  if (const std::optional<Spent> spent = server->spent()) outcome.bound = GuessBoundUp(*spent);
  return outcome;
}

Table TableOf(const std::vector<Outcome>& outcomes) {
  Table table{.title = "One question about each person, at the edge of a rule",
              .header = {"server", "asked", "refused", "right by refusal alone",
                         "by refusal and number", "bound"},
              .rows = {}};
  for (const Outcome& outcome : outcomes) {
    const auto share = [&](int64_t right) {
      const Estimate estimate = ShareOf(right, outcome.asked);
      return Cell{Shown(100 * estimate.value, 0) + " % (" + Shown(100 * estimate.low, 0) + " to " +
                      Shown(100 * estimate.high, 0) + ")",
                  estimate.value};
    };
    table.rows.push_back({Text(outcome.name), Number(static_cast<double>(outcome.asked)),
                          Number(static_cast<double>(outcome.refused)),
                          share(outcome.right_by_refusal), share(outcome.right_by_answer),
                          outcome.is_tacit ? Percent(outcome.bound) : Text("none")});
  }
  return table;
}

Chart ChartOf(const std::vector<Outcome>& outcomes) {
  Chart chart{
      .title = "What one question at a rule's edge tells",
      .x = {.label = "server"},
      .y = {.label = "secrets guessed right", .unit = "%", .low = 0, .high = 100},
      .series = {{.name = "by refusal and number", .points = {}},
                 {.name = "Tacit, by refusal and number", .points = {}, .is_defended = true},
                 {.name = "the most that the spent epsilon allows",
                  .points = {},
                  .is_reference = true}},
      .error_bars = "95 % interval (Wilson)",
      .marks = {}};
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    const auto x = static_cast<double>(i);
    const Estimate share = ShareOf(outcome.right_by_answer, outcome.asked);
    chart.x.names.push_back(outcome.name);
    chart.series[outcome.is_tacit ? 1 : 0].points.push_back(
        {x, 100 * share.value, 100 * share.low, 100 * share.high});
    if (outcome.is_tacit) chart.series[2].points.push_back({x, 100 * outcome.bound});
  }
  return chart;
}

std::string SentenceOf(const Outcome& outcome) {
  const Estimate share = ShareOf(outcome.right_by_answer, outcome.asked);
  std::string text = outcome.name + ": " + Shown(100 * share.value, 0) +
                     " % of the secrets guessed right with one question each";
  if (outcome.refused > 0) {
    const Estimate alone = ShareOf(outcome.right_by_refusal, outcome.asked);
    text += "; " + Shown(100 * alone.value, 0) + " % from the refusal alone";
  }
  if (outcome.is_tacit) {
    text +=
        ". It refused none of them before its budget ended, and whether it refuses depends on "
        "the ledger, never on a row; the bound for what was spent is " +
        Shown(100 * outcome.bound, 1) + " %";
  }
  return text + ".";
}

}  // namespace

Result<Report> AttackByRefusal(const Scene& scene, const RefusalSettings& settings,
                               const Progress& progress) {
  if (settings.targets < 1) return InvalidArgument("--targets is at least 1");
  Report report{.name = "refusal",
                .title = "Refusal: the rule that protects small groups tells who is in them",
                .shows =
                    "The attacker knows a few people who have the secret, as many as bring a "
                    "count just below the edge of a rule, and asks about them and the target "
                    "together. Refused or answered, rounded down or up: that is the secret.",
                .parameters = {{"people", scene.source()},
                               {"secret", scene.people().shown},
                               {"threshold", std::to_string(scene.settings().naive.threshold)},
                               {"targets", std::to_string(settings.targets)}},
                .seed = settings.seed,
                .summary = {},
                .charts = {},
                .tables = {},
                .cautions = {},
                .defence = {}};
  Dice dice = Dice(settings.seed).Part(4);
  const std::vector<uint32_t> targets =
      DrawTargets(scene.people(), static_cast<size_t>(settings.targets), dice);
  std::vector<Outcome> outcomes;
  for (size_t i = 0; i < scene.servers().size(); ++i) {
    Tell(progress, "refusal: " + scene.servers()[i],
         static_cast<double>(i) / static_cast<double>(scene.servers().size()));
    TACIT_TRY(Outcome outcome, AskServer(scene, scene.servers()[i], targets, dice.Part(10 + i)));
    report.summary.push_back(SentenceOf(outcome));
    outcomes.push_back(std::move(outcome));
  }
  report.tables.push_back(TableOf(outcomes));
  report.charts.push_back(ChartOf(outcomes));
  report.cautions = {
      "A server that never refuses is guessed to say yes: that is right half of the time.",
      "Against the constant offset one question tells little; two tell everything (differencing)."};
  report.defence = {
      "No rule looks at the data",
      "Tacit refuses by the query, the policy and the ledger alone, so a refusal is the "
      "same with and without any one person. Groups without a public key list are "
      "withheld by a noisy threshold whose chance to err is the delta that was paid."};
  return report;
}

}  // namespace tacit::attack
