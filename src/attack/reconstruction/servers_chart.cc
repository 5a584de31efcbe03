#include <algorithm>
#include <cmath>

#include "attack/reconstruction/charts.h"
#include "attack/reconstruction/threshold.h"

namespace tacit::attack {
namespace {

// The variance of a server's noise, which its makers publish; a server without noise has next to
// none.
double VarianceOf(const std::string& word, const NaiveSettings& naive, bool is_tacit,
                  double epsilon) {
  const auto step = static_cast<double>(naive.step);
  const auto bound = static_cast<double>(naive.bound);
  if (is_tacit) return 2 / (epsilon * epsilon);
  if (word == "rounding") return step * step / 12;
  if (word == "bounded") return bound * (bound + 1) / 3;
  if (word == "gaussian") return naive.deviation * naive.deviation;
  if (word == "laplace") return 2 / (naive.epsilon * naive.epsilon);
  return 1e-6;
}

struct Sitting {
  std::vector<double> shares;  // right, after each step's answers
  uint32_t answers = 0;
  std::optional<Spent> spent;
};

// One attack: targets are drawn, and questions asked until the last step or the first refusal by
// a budget. A refusal of a small count is no answer, and the next subset is tried.
Result<Sitting> Sit(const Scene& scene, Server& server, double variance,
                    const std::vector<uint32_t>& steps, uint32_t people, Dice dice) {
  const std::vector<uint32_t> targets = DrawTargets(scene.people(), people, dice);
  std::vector<bool> truth;
  for (const uint32_t target : targets) truth.push_back(scene.people().has_secret[target]);
  SubsetAnswers answers{
      .people = static_cast<uint32_t>(targets.size()), .subsets = {}, .counts = {}};
  Sitting sitting;
  uint32_t asked = 0;
  for (const uint32_t step : steps) {
    bool stopped = false;
    for (; asked < step && !stopped; ++asked) {
      std::vector<uint32_t> subset = RandomSubset(answers.people, dice);
      Question question{Question::Scope::kOnly, {}};
      for (const uint32_t i : subset) question.people.push_back(targets[i]);
      TACIT_TRY(const Reply reply, server.Ask(question));
      stopped = !reply.count && server.IsTacit();
      if (!reply.count) continue;
      answers.counts.push_back(*reply.count);
      answers.subsets.push_back(std::move(subset));
    }
    if (stopped) break;
    sitting.shares.push_back(ShareRight(SolveLeastSquares(answers, 4 * variance), truth));
  }
  sitting.answers = static_cast<uint32_t>(answers.counts.size());
  sitting.spent = server.spent();
  return sitting;
}

struct ServerCourse {
  std::string name;
  bool is_tacit = false;
  std::vector<std::vector<double>> shares;  // by step, over the runs
  uint32_t answers = 0;                     // of the last run
  std::optional<Spent> spent = std::nullopt;
};

Series SeriesOf(const ServerCourse& course, const std::vector<uint32_t>& steps, uint32_t people) {
  Series series{.name = course.name, .points = {}, .is_defended = course.is_tacit};
  for (size_t i = 0; i < course.shares.size() && !course.shares[i].empty(); ++i) {
    const Estimate share = ShareOverRuns(course.shares[i], people);
    series.points.push_back(
        {static_cast<double>(steps[i]), 100 * share.value, 100 * share.low, 100 * share.high});
  }
  return series;
}

Result<ServerCourse> Follow(const Scene& scene, const std::string& word,
                            const std::vector<uint32_t>& steps,
                            const ReconstructionSettings& settings, const Dice& dice,
                            const Progress& progress) {
  ServerCourse course{.name = "", .shares = std::vector<std::vector<double>>(steps.size())};
  const int runs = word == "pg" ? 1 : settings.runs;
  for (int run = 0; run < runs; ++run) {
    Tell(progress, "reconstruction: " + word, static_cast<double>(run) / runs);
    const Dice own = dice.Part(static_cast<uint64_t>(run));
    TACIT_TRY(const std::unique_ptr<Server> server, scene.Make(word, own.Part(1)));
    course.name = server->name();
    course.is_tacit = server->IsTacit();
    const double variance = VarianceOf(word, scene.settings().naive, course.is_tacit,
                                       course.is_tacit ? scene.epsilon() : 1);
    TACIT_TRY(const Sitting sitting,
              Sit(scene, *server, variance, steps, settings.people, own.Part(2)));
    for (size_t i = 0; i < sitting.shares.size(); ++i)
      course.shares[i].push_back(sitting.shares[i]);
    course.answers = sitting.answers;
    course.spent = sitting.spent;
  }
  return course;
}

std::string SentenceOf(const ServerCourse& course, const Series& series, uint32_t people) {
  std::string text = course.name;
  if (series.points.empty()) {
    text += ": nothing was solved";
  } else {
    text += ": after " + Shown(series.points.back().x) + " questions " +
            Shown(series.points.back().y, 1) + " % of " + Shown(people) +
            " people's secrets are right";
  }
  if (course.spent) {  // a running gateway
    text += " (50 % is blind guessing). It gave " + Shown(course.answers) +
            " answers, which cost epsilon " + Shown(course.spent->epsilon, 2) +
            " and allow at most " + Shown(100 * GuessBoundUp(*course.spent), 1) +
            " % for any one person";
  }
  return text + ".";
}

// Tacit's whole budget on m questions of equal price, for several m.
Result<Done> FollowTacit(const Scene& scene, const ReconstructionSettings& settings,
                         const Dice& dice, const Progress& progress, Chart& chart,
                         std::vector<std::string>& sentences) {
  const policy::Privacy& privacy = scene.policy().privacy;
  const Rational& budget = privacy.budget.epsilon.value;
  const uint64_t fewest = CeilOf(Rational(budget / privacy.query.epsilon_max.value)).get_ui();
  Series series{.name = "Tacit, its whole budget", .points = {}, .is_defended = true};
  double bound = 1;
  double best = 0;
  std::vector<uint32_t> counts{static_cast<uint32_t>(std::min<uint64_t>(fewest, 300)), 10, 30, 100,
                               300};
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  for (size_t i = 0; i < counts.size(); ++i) {
    const uint32_t count = counts[i];
    const Progress part = PartOf(progress, i, counts.size());
    if (count < fewest || count > settings.questions) continue;
    const Epsilon price(Rational(budget / count));
    const double variance = 2 / (price.value.get_d() * price.value.get_d());
    std::vector<double> shares;
    for (int run = 0; run < settings.tacit_runs; ++run) {
      Tell(part, "reconstruction: Tacit, " + std::to_string(count) + " questions",
           static_cast<double>(run) / settings.tacit_runs);
      const Dice own = dice.Part(count * 1000u + static_cast<uint64_t>(run));
      TACIT_TRY(const std::unique_ptr<Server> server, scene.Make("tacit", own, price));
      TACIT_TRY(const Sitting sitting,
                Sit(scene, *server, variance, {count}, settings.people, own.Part(2)));
      if (sitting.spent) bound = GuessBoundUp(*sitting.spent);
      shares.insert(shares.end(), sitting.shares.begin(), sitting.shares.end());
    }
    if (shares.empty()) continue;
    const Estimate share = ShareOverRuns(shares, settings.people);
    best = std::max(best, share.value);
    series.points.push_back(
        {static_cast<double>(count), 100 * share.value, 100 * share.low, 100 * share.high});
  }
  if (series.points.empty()) return Done{};
  sentences.push_back(
      "Tacit: with the whole budget spent on these questions, at best " + Shown(100 * best, 1) +
      " % right (50 % is blind guessing); the budget's epsilon of " + Shown(budget.get_d(), 2) +
      " allows at most " + Shown(100 * bound, 1) + " % for any one person.");
  chart.series.push_back(series);
  Series most{.name = "the most that Tacit's budget allows for one person",
              .points = {},
              .is_reference = true};
  for (const Point& point : series.points) most.points.push_back({point.x, 100 * bound});
  chart.series.push_back(std::move(most));
  return Done{};
}

}  // namespace

Result<Chart> ServersChart(const Scene& scene, const ReconstructionSettings& settings,
                           const Progress& progress, std::vector<std::string>& sentences) {
  Chart chart{.title = "Everybody's secret from counts of random subsets",
              .x = {.label = "questions asked", .logarithmic = true},
              .y = {.label = "secrets reconstructed", .unit = "%", .low = 40, .high = 100},
              .series = {},
              .error_bars = "95 % interval (Wilson) over people and runs",
              .marks = {}};
  std::vector<uint32_t> steps;
  for (uint32_t step = 16; step <= settings.questions; step *= 4) steps.push_back(step);
  if (steps.empty()) steps.push_back(settings.questions);
  const Dice dice = Dice(settings.seed).Part(8);
  // Tacit's answers take as long as those of all others.
  const auto of_naive = [&](size_t i) {
    return PartOf(Between(progress, 0, 0.5), i, scene.servers().size());
  };
  for (size_t i = 0; i < scene.servers().size(); ++i) {
    const std::string& word = scene.servers()[i];
    if (word == "tacit") continue;
    TACIT_TRY(const ServerCourse course,
              Follow(scene, word, steps, settings, dice.Part(i), of_naive(i)));
    Series series = SeriesOf(course, steps, settings.people);
    sentences.push_back(SentenceOf(course, series, settings.people));
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (scene.Has("tacit")) {
    TACIT_CHECK(
        FollowTacit(scene, settings, dice.Part(99), Between(progress, 0.5, 1), chart, sentences));
  }
  return chart;
}

}  // namespace tacit::attack
