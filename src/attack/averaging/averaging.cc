#include "attack/averaging/averaging.h"

#include <algorithm>
#include <cmath>

#include "attack/statistics.h"

namespace tacit::attack {
namespace {

using Scope = Question::Scope;

// How a server did: after each of `steps` questions, in how many runs the rounded mean was the
// truth, and how far it was off.
struct Course {
  std::string name;
  bool is_tacit = false;
  std::vector<int64_t> hits;
  std::vector<int64_t> runs;  // that got so far
  std::vector<std::vector<double>> errors;
  int64_t answers_max = 0;  // of one run
  Spent spent = {};         // of the last run
};

std::vector<int> StepsUpTo(int most) {
  std::vector<int> steps;
  for (const int step : {1, 3, 10, 30, 100, 400, 1000, 4000, 10000, 40000}) {
    if (step <= most) steps.push_back(step);
  }
  return steps;
}

// Question `number` with the same true answer to whoever knows person `number`: leaving out a known
// person and adding their secret back. Number 0 is the plain question.
struct Wording {
  Question question;
  double known = 0;
};
Wording Reworded(const People& people, size_t number) {
  if (number == 0) return {{Scope::kAllBut, {}}, 0};
  const auto person = static_cast<uint32_t>((number - 1) % people.size());
  return {{Scope::kAllBut, {person}}, people.has_secret[person] ? 1.0 : 0.0};
}

Result<Done> RunOnce(Server& server, const People& people, bool rewords,
                     const std::vector<int>& steps, Course& course) {
  const auto truth = static_cast<double>(people.with_secret());
  double sum = 0;
  int64_t answers = 0;
  for (size_t at = 0; at < steps.size(); ++at) {
    while (answers < steps[at]) {
      const Wording wording = Reworded(people, rewords ? static_cast<size_t>(answers) : 0);
      TACIT_TRY(const Reply reply, server.Ask(wording.question));
      if (!reply.count) break;
      sum += *reply.count + wording.known;
      ++answers;
    }
    course.answers_max = std::max(course.answers_max, answers);
    if (answers < steps[at]) break;
    const double error = sum / static_cast<double>(answers) - truth;
    course.hits[at] += std::round(error) == 0 ? 1 : 0;
    course.runs[at] += 1;
    course.errors[at].push_back(std::abs(error));
  }
  course.spent = server.spent().value_or(Spent{});
  return Done{};
}

struct Plan {
  std::string word;
  std::string name;
  bool rewords = false;
  int runs = 0;
  int questions = 0;
};

Result<Course> Follow(const Scene& scene, const Plan& plan, std::vector<int> steps,
                      const Dice& dice, const Progress& progress) {
  std::erase_if(steps, [&](int step) { return step > plan.questions; });
  Course course{.name = plan.name,
                .is_tacit = false,
                .hits = std::vector<int64_t>(steps.size()),
                .runs = std::vector<int64_t>(steps.size()),
                .errors = std::vector<std::vector<double>>(steps.size())};
  for (int run = 0; run < plan.runs; ++run) {
    Tell(progress, "averaging: " + plan.name, static_cast<double>(run) / plan.runs);
    TACIT_TRY(const std::unique_ptr<Server> server,
              scene.Make(plan.word, dice.Part(static_cast<uint64_t>(run))));
    course.is_tacit = server->IsTacit();
    TACIT_CHECK(RunOnce(*server, scene.people(), plan.rewords, steps, course));
  }
  return course;
}

std::vector<Plan> PlansOf(const Scene& scene, const AveragingSettings& settings) {
  std::vector<Plan> plans;
  if (scene.Has("laplace")) {
    plans.push_back(
        {"laplace", "fresh Laplace noise, no budget", false, settings.runs, settings.questions});
  }
  if (scene.Has("bounded")) {
    plans.push_back({"bounded", "fresh bounded noise", false, settings.runs, settings.questions});
  }
  if (scene.Has("constant")) {
    plans.push_back({"constant", "one constant offset", false, settings.runs, settings.questions});
  }
  if (scene.Has("tacit")) {
    // A stored answer costs a millisecond, so the plain repetition stops at a hundred.
    plans.push_back({"tacit", "Tacit, the same question", false, settings.tacit_runs,
                     std::min(settings.questions, 100)});
    plans.push_back(
        {"tacit", "Tacit, reworded until refused", true, settings.tacit_runs, settings.questions});
  }
  if (scene.Has("pg")) {
    plans.push_back({"pg", "over the PostgreSQL protocol", true, 1, settings.questions});
  }
  return plans;
}

// Naming an exact count after spending epsilon: tanh(epsilon / 2) at most, whoever asks, when every
// count was equally likely before (docs/attacks/averaging.md has the argument).
Series BoundOf(const Scene& scene, const std::vector<int>& steps) {
  Series series{
      .name = "the most that the spent epsilon allows", .points = {}, .is_reference = true};
  const double each = scene.epsilon();
  for (const int step : steps) {
    const double spent = each * step;
    if (spent > scene.budget_epsilon() * (1 + 1e-9)) break;
    series.points.push_back({static_cast<double>(step), 100 * std::tanh(spent / 2)});
  }
  return series;
}

Chart HitsChart(const Scene& scene, const std::vector<Course>& courses,
                const std::vector<int>& steps) {
  Chart chart{
      .title = "Chance that the rounded mean of the answers is the truth",
      .x = {.label = "answers averaged", .logarithmic = true},
      .y = {.label = "runs in which the truth is known", .unit = "%", .low = 0, .high = 100},
      .series = {},
      .error_bars = "95 % interval (Wilson) over the runs",
      .marks = {}};
  for (const Course& course : courses) {
    Series series{.name = course.name, .points = {}, .is_defended = course.is_tacit};
    for (size_t at = 0; at < course.hits.size() && course.runs[at] > 0; ++at) {
      const Estimate share = ShareOf(course.hits[at], course.runs[at]);
      series.points.push_back(
          {static_cast<double>(steps[at]), 100 * share.value, 100 * share.low, 100 * share.high});
    }
    chart.series.push_back(std::move(series));
  }
  const bool any_tacit = std::any_of(courses.begin(), courses.end(),
                                     [](const Course& course) { return course.is_tacit; });
  if (any_tacit && scene.policy().privacy.accounting == policy::Accounting::kPure) {
    chart.series.push_back(BoundOf(scene, steps));
    chart.marks.push_back(
        {std::floor(scene.budget_epsilon() / scene.epsilon() + 1e-9), "the budget ends"});
  }
  return chart;
}

Chart ErrorChart(const std::vector<Course>& courses, const std::vector<int>& steps) {
  Chart chart{.title = "How far the mean is off",
              .x = {.label = "answers averaged", .logarithmic = true},
              .y = {.label = "mean error", .unit = "people", .logarithmic = true},
              .series = {},
              .error_bars = "95 % interval (Student) over the runs",
              .marks = {}};
  for (const Course& course : courses) {
    Series series{.name = course.name, .points = {}, .is_defended = course.is_tacit};
    for (size_t at = 0; at < course.errors.size() && course.runs[at] > 0; ++at) {
      const Estimate mean = MeanOf(course.errors[at]);
      if (mean.value <= 0) continue;
      series.points.push_back({static_cast<double>(steps[at]), mean.value,
                               std::max(mean.low, mean.value / 10), mean.high});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string SentenceOf(const Course& course, const std::vector<int>& steps) {
  size_t last = 0;
  for (size_t at = 0; at < course.runs.size(); ++at) {
    if (course.runs[at] > 0) last = at;
  }
  const Estimate share = ShareOf(course.hits[last], course.runs[last]);
  std::string text = course.name + ": after " + Shown(steps[last]) +
                     " answers the count is known in " + Shown(100 * share.value, 0) +
                     " % of the runs";
  if (course.is_tacit) {
    text += "; the most answers that one run got were " +
            Shown(static_cast<double>(course.answers_max));
    if (!course.spent.zcdp) {
      text += ", and they cost epsilon " + Shown(course.spent.epsilon, 2) +
              ", which allows at most " + Shown(100 * std::tanh(course.spent.epsilon / 2), 0) +
              " %";
    }
  }
  return text + ".";
}

}  // namespace

Result<Report> AttackByAveraging(const Scene& scene, const AveragingSettings& settings,
                                 const Progress& progress) {
  if (settings.runs < 1 || settings.tacit_runs < 1 || settings.questions < 1) {
    return InvalidArgument("--runs and --questions are at least 1");
  }
  const std::vector<int> steps = StepsUpTo(settings.questions);
  Report report{.name = "averaging",
                .title = "Averaging: asking again until the noise is gone",
                .shows =
                    "One count, asked many times. Fresh noise has mean zero, so the mean of many "
                    "answers is the truth, however large the noise of each.",
                .parameters = {{"people", scene.source()},
                               {"secret", scene.people().shown},
                               {"Laplace epsilon", Shown(scene.settings().naive.epsilon, 3)},
                               {"bound", std::to_string(scene.settings().naive.bound)},
                               {"runs", std::to_string(settings.runs)},
                               {"runs against Tacit", std::to_string(settings.tacit_runs)}},
                .seed = settings.seed,
                .summary = {},
                .charts = {},
                .tables = {},
                .cautions = {},
                .defence = {}};
  std::vector<Course> courses;
  const Dice dice = Dice(settings.seed).Part(5);
  const std::vector<Plan> plans = PlansOf(scene, settings);
  for (const Plan& plan : plans) {
    TACIT_TRY(Course course, Follow(scene, plan, steps, dice.Part(courses.size()),
                                    PartOf(progress, courses.size(), plans.size())));
    report.summary.push_back(SentenceOf(course, steps));
    courses.push_back(std::move(course));
  }
  report.charts = {HitsChart(scene, courses, steps), ErrorChart(courses, steps)};
  report.cautions = {
      "The rewording attacker leaves out a person whose secret is known and adds it back: another "
      "question with the same answer.",
      "A constant offset cannot be averaged away; differencing removes it with one subtraction."};
  report.defence = {"Stored answers and a budget",
                    "The same question on the same data replays the stored answer: no new noise to "
                    "average. A reworded question draws new noise and pays for it, and the budget "
                    "ends long before the mean is sharp."};
  return report;
}

}  // namespace tacit::attack
