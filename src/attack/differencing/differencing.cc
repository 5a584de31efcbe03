#include "attack/differencing/differencing.h"

#include <cmath>

#include "attack/statistics.h"

namespace tacit::attack {
namespace {

using Scope = Question::Scope;

struct Outcome {
  std::string name;
  int64_t right = 0;
  int64_t guesses = 0;
  int64_t questions = 0;
  bool is_tacit = false;
  bool stopped = false;  // by a refusal
  double spent = 0;      // epsilon, of one ledger where each target had its own
  double bound = 1;      // of one guess, from the answers it used
};

// Guesses the targets in turn until the server says no; returns how many it got through.
Result<size_t> Guess(const Scene& scene, Server& server, const std::vector<uint32_t>& targets,
                     size_t from, Outcome& outcome) {
  size_t done = from;
  while (done < targets.size()) {
    const uint32_t target = targets[done];
    TACIT_TRY(const Reply all, server.Ask({Scope::kAllBut, {}}));
    if (all.count) ++outcome.questions;
    TACIT_TRY(const Reply but_one, server.Ask({Scope::kAllBut, {target}}));
    if (but_one.count) ++outcome.questions;
    if (!all.count || !but_one.count) {
      outcome.stopped = true;
      break;
    }
    const bool guess = *all.count - *but_one.count > 0.5;
    outcome.right += guess == scene.people().has_secret[target] ? 1 : 0;
    ++outcome.guesses;
    ++done;
  }
  if (const std::optional<Spent> spent = server.spent()) outcome.spent += spent->epsilon;
  return done;
}

Point PointOf(double x, const Outcome& outcome) {
  const Estimate share = ShareOf(outcome.right, outcome.guesses);
  return {x, 100 * share.value, 100 * share.low, 100 * share.high};
}

// The whole budget on one person: the target beside one known person after the other, at the
// highest price, and the mean. A new ledger for each target.
Result<Outcome> SpendAllOnOne(const Scene& scene, const DifferencingSettings& settings,
                              const Progress& progress) {
  Outcome outcome{.name = "Tacit, all on one person", .is_tacit = true};
  const policy::Privacy& privacy = scene.policy().privacy;
  const Epsilon price(std::min(privacy.query.epsilon_max.value, privacy.budget.epsilon.value));
  Dice dice = Dice(settings.seed).Part(12);
  const std::vector<uint32_t> targets =
      DrawTargets(scene.people(), static_cast<size_t>(settings.tacit_guesses), dice);
  for (const uint32_t target : targets) {
    Tell(progress, "differencing: a budget on one person",
         0.3 + 0.1 * static_cast<double>(outcome.guesses) / static_cast<double>(targets.size()));
    TACIT_TRY(const std::unique_ptr<Server> server, scene.Make("tacit", dice, price));
    double sum = 0;
    int64_t answers = 0;
    for (uint32_t known = 0; answers < 1000; ++known) {
      const uint32_t beside = known % static_cast<uint32_t>(scene.people().size());
      if (beside == target) continue;
      TACIT_TRY(const Reply reply, server->Ask({Scope::kOnly, {target, beside}}));
      if (!reply.count) break;
      sum += *reply.count - (scene.people().has_secret[beside] ? 1 : 0);
      ++answers;
    }
    if (answers == 0) break;
    const bool guess = sum / static_cast<double>(answers) > 0.5;
    outcome.right += guess == scene.people().has_secret[target] ? 1 : 0;
    ++outcome.guesses;
    outcome.questions += answers;
    outcome.stopped = true;
    if (const std::optional<Spent> spent = server->spent()) {
      outcome.spent = spent->epsilon;
      outcome.bound = GuessBoundUp(*spent);
    }
  }
  return outcome;
}

Result<std::vector<Outcome>> AskServers(const Scene& scene, const DifferencingSettings& settings,
                                        const Progress& progress) {
  Dice dice = Dice(settings.seed).Part(2);
  const std::vector<uint32_t> targets =
      DrawTargets(scene.people(), static_cast<size_t>(settings.targets), dice);
  std::vector<Outcome> outcomes;
  for (size_t i = 0; i < scene.servers().size(); ++i) {
    Tell(progress, "differencing: " + scene.servers()[i],
         0.3 * static_cast<double>(i) / static_cast<double>(scene.servers().size()));
    TACIT_TRY(const std::unique_ptr<Server> server,
              scene.Make(scene.servers()[i], dice.Part(10 + i)));
    Outcome outcome{.name = server->name(), .is_tacit = server->IsTacit()};
    TACIT_CHECK(Guess(scene, *server, targets, 0, outcome));
    if (const std::optional<Spent> spent = server->spent()) outcome.bound = GuessBoundUp(*spent);
    outcomes.push_back(outcome);
  }
  if (scene.Has("tacit")) {
    TACIT_TRY(const Outcome focused, SpendAllOnOne(scene, settings, progress));
    if (focused.guesses > 0) outcomes.push_back(focused);
  }
  return outcomes;
}

// Tacit at one price, over as many ledgers as it takes.
Result<Outcome> AskTacitAt(const Scene& scene, const Epsilon& epsilon,
                           const DifferencingSettings& settings, Dice& dice) {
  Outcome outcome{.name = "", .is_tacit = true};
  const std::vector<uint32_t> targets =
      DrawTargets(scene.people(), static_cast<size_t>(settings.tacit_guesses), dice);
  size_t done = 0;
  while (done < targets.size()) {
    TACIT_TRY(const std::unique_ptr<Server> server, scene.Make("tacit", dice, epsilon));
    TACIT_TRY(const size_t now, Guess(scene, *server, targets, done, outcome));
    if (now == done) break;  // the budget does not hold two questions at this price
    done = now;
  }
  // Two answers were used for each guess.
  outcome.bound = GuessBoundUp({.epsilon = 2 * epsilon.value.get_d()});
  return outcome;
}

Result<Chart> PriceCurve(const Scene& scene, const DifferencingSettings& settings,
                         const Progress& progress) {
  Chart chart{.title = "What the price of a question buys the attacker",
              .x = {.label = "epsilon of each of the two questions", .logarithmic = true},
              .y = {.label = "secrets guessed right", .unit = "%", .low = 40, .high = 100},
              .series = {{.name = "Tacit, measured", .points = {}, .is_defended = true},
                         {.name = "the most that epsilon allows anyone",
                          .points = {},
                          .is_reference = true},
                         {.name = "blind guessing", .points = {}, .is_reference = true}},
              .error_bars = "95 % interval (Wilson)"};
  const policy::Privacy& privacy = scene.policy().privacy;
  const Rational most =
      std::min(privacy.query.epsilon_max.value, Rational(privacy.budget.epsilon.value / 2));
  std::vector<Epsilon> prices;
  for (const int divisor : {20, 10, 5, 2, 1}) prices.emplace_back(Rational(most / divisor));
  Dice dice = Dice(settings.seed).Part(3);
  for (size_t i = 0; i < prices.size(); ++i) {
    const double x = prices[i].value.get_d();
    Tell(progress, "differencing: Tacit at epsilon " + ToString(prices[i].value),
         0.4 + 0.6 * static_cast<double>(i) / static_cast<double>(prices.size()));
    TACIT_TRY(const Outcome outcome, AskTacitAt(scene, prices[i], settings, dice));
    if (outcome.guesses == 0) continue;
    chart.series[0].points.push_back(PointOf(x, outcome));
    if (privacy.accounting == policy::Accounting::kPure) {
      chart.series[1].points.push_back({x, 100 * outcome.bound});
    }
    chart.series[2].points.push_back({x, 50});
  }
  return chart;
}

Chart ServersChart(const std::vector<Outcome>& outcomes) {
  Chart chart{.title = "Two questions about each person",
              .x = {.label = "server"},
              .y = {.label = "secrets guessed right", .unit = "%", .low = 0, .high = 100},
              .series = {{.name = "guessed right", .points = {}},
                         {.name = "Tacit, guessed right", .points = {}, .is_defended = true},
                         {.name = "the most that the spent epsilon allows",
                          .points = {},
                          .is_reference = true}},
              .error_bars = "95 % interval (Wilson)",
              .marks = {}};
  for (size_t i = 0; i < outcomes.size(); ++i) {
    chart.x.names.push_back(outcomes[i].name);
    const auto x = static_cast<double>(i);
    if (outcomes[i].guesses > 0) {
      chart.series[outcomes[i].is_tacit ? 1 : 0].points.push_back(PointOf(x, outcomes[i]));
    }
    if (outcomes[i].is_tacit) chart.series[2].points.push_back({x, 100 * outcomes[i].bound});
  }
  return chart;
}

Table ServersTable(const std::vector<Outcome>& outcomes) {
  Table table{
      .title = "Differencing against each server",
      .header = {"server", "answers", "people", "right (95 % interval)", "epsilon spent", "bound"},
      .rows = {}};
  for (const Outcome& outcome : outcomes) {
    const Estimate share = ShareOf(outcome.right, outcome.guesses);
    const std::string interval =
        " % (" + Shown(100 * share.low, 1) + " to " + Shown(100 * share.high, 1) + ")";
    table.rows.push_back({Text(outcome.name), Number(static_cast<double>(outcome.questions)),
                          Number(static_cast<double>(outcome.guesses)),
                          Cell{Shown(100 * share.value, 1) + interval, share.value},
                          outcome.is_tacit ? Number(outcome.spent, 2) : Text("not counted"),
                          outcome.is_tacit ? Percent(outcome.bound) : Text("none")});
  }
  return table;
}

std::string SentenceOf(const Outcome& outcome) {
  if (outcome.guesses == 0) return outcome.name + ": the budget does not hold two questions.";
  const Estimate share = ShareOf(outcome.right, outcome.guesses);
  std::string text = outcome.name + ": " + Shown(100 * share.value, 1) + " % of " +
                     Shown(static_cast<double>(outcome.guesses)) + " secrets guessed right";
  if (outcome.is_tacit) {
    text += " (50 % is blind guessing) with epsilon " + Shown(outcome.spent, 2) +
            ", which allows at most " + Shown(100 * outcome.bound, 1) + " % for any one of them";
  }
  return text + ".";
}

}  // namespace

Result<Report> AttackByDifferencing(const Scene& scene, const DifferencingSettings& settings,
                                    const Progress& progress) {
  if (settings.targets < 1 || settings.tacit_guesses < 1) {
    return InvalidArgument("--targets is at least 1");
  }
  Report report{.name = "differencing",
                .title = "Differencing: two harmless questions",
                .shows =
                    "How many people have the secret, and how many without counting her? "
                    "Neither question is about her; their difference is. All it needs is a way "
                    "to leave one person out.",
                .parameters = {{"people", scene.source()},
                               {"secret", scene.people().shown},
                               {"targets", std::to_string(settings.targets)}},
                .seed = settings.seed,
                .summary = {},
                .charts = {},
                .tables = {},
                .cautions = {},
                .defence = {}};
  TACIT_TRY(const std::vector<Outcome> outcomes, AskServers(scene, settings, progress));
  for (const Outcome& outcome : outcomes) report.summary.push_back(SentenceOf(outcome));
  report.tables.push_back(ServersTable(outcomes));
  report.charts.push_back(ServersChart(outcomes));
  if (scene.Has("tacit")) {
    TACIT_TRY(Chart curve, PriceCurve(scene, settings, progress));
    report.charts.push_back(std::move(curve));
  }
  report.cautions = {
      "Targets are drawn by a fair coin among those who have the secret and those who have not, so "
      "that blind guessing scores 50 % whatever the rate in the table.",
      "Rounding survives this attack but not the next: see refusal.",
      "A bound holds for chances. A rate of a few guesses may stand above its line by luck: look "
      "at "
      "the bar."};
  report.defence = {
      "Noise on every answer, paid from one budget",
      "Each of the two answers carries its own noise, so their difference carries "
      "both. No refusal is needed and no question is forbidden; what limits the "
      "attacker is the budget, and the bound beside the measured rate is what the "
      "spent epsilon allows in the worst case, not a promise that nothing is learnt."};
  return report;
}

}  // namespace tacit::attack
