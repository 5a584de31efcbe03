#include "answer/shown/margins.h"
#include "gateway/learning/statistics/asked.h"
#include "gateway/learning/statistics/statistic.h"
#include "learn/statistics/chi_square.h"
#include "learn/statistics/t_test.h"

// tacit.chi_square and tacit.t_test: whether two columns go together.

namespace tacit::gateway::learning {
namespace {

constexpr char kChiTakes[] =
    "two columns, each a boolean, a text with listed values, or a number, which is cut into bins";
constexpr size_t kChiBins = 5;
// Why 400: twenty by twenty, and more would need more people than noise leaves visible.
constexpr size_t kChiCells = 400;

struct ChiTask {
  StatisticRows from;
  std::vector<learn::CutColumn> cut;
};

Result<ChiTask> ReadChi(const sql::LearnCall& call, const Request& request,
                        const Services& services) {
  TACIT_CHECK(CheckStatistic(call, {"bins"}, request));
  ChiTask task;
  TACIT_TRY(task.from, ReadStatisticRows(call, 2, kChiTakes, request, services));
  TACIT_TRY(const size_t bins, CountOption(call, "bins", kChiBins, kChiCells));
  for (size_t i = 0; i < 2; ++i) {
    TACIT_TRY(learn::CutColumn cut, CutOf(task.from, i, bins, request, services));
    if (cut.cells() < 2) return WrongColumns(call, kChiTakes);
    task.cut.push_back(std::move(cut));
  }
  TACIT_CHECK(CheckCells(task.cut, kChiCells));
  return task;
}

std::vector<plan::OutputColumn> ChiColumns() {
  return {StatisticColumn("a", TypeKind::kText),
          StatisticColumn("b", TypeKind::kText),
          StatisticColumn("count", TypeKind::kDouble),
          StatisticColumn("expected", TypeKind::kDouble),
          StatisticColumn("statistic", TypeKind::kDouble),
          StatisticColumn("p_value", TypeKind::kDouble)};
}

Result<answer::Answer> AnswerChi(const sql::LearnCall& call, const Request& request,
                                 Services& services) {
  TACIT_TRY(const ChiTask task, ReadChi(call, request, services));
  TACIT_TRY(const Counts counts, CountCells(task.cut, task.from.rows, request, services));
  const learn::ChiSquare test = learn::TestIndependence({.rows = task.cut[0].cells(),
                                                         .columns = task.cut[1].cells(),
                                                         .counts = counts.counts,
                                                         .noise = counts.noise});
  answer::Answer answer = StatisticAnswer(ChiColumns(), counts.answer);
  std::vector<engine::Value> all(6);
  all[2] = test.people;
  if (test.p_value) {
    all[4] = ShortNumber(test.statistic);
    all[5] = ShortNumber(*test.p_value);
  }
  answer.rows.push_back(all);
  for (size_t i = 0; i < counts.counts.size(); ++i) {
    std::vector<engine::Value> row(6);
    row[0] = task.cut[0].Label(i / task.cut[1].cells());
    row[1] = task.cut[1].Label(i % task.cut[1].cells());
    row[2] = counts.counts[i];
    if (test.p_value) {
      row[3] = NumberWithin(test.expected[i], counts.noise.deviation());
      row[4] = ShortNumber(test.added[i]);
    }
    answer.rows.push_back(row);
  }
  answer.notices.emplace_back(
      "the first row is the whole table: p_value is the share of tables of columns that have "
      "nothing to do with each other, counted with the same noise, that look as far from it; it is "
      "empty where the noise hides how many rows there are. Then each cell, and what it adds");
  AddSeveralRows(task.from.rows, answer.notices);
  return answer;
}

Result<answer::Explanation> ExplainChi(const sql::LearnCall& call, const Request& request,
                                       Services& services) {
  TACIT_TRY(const ChiTask task, ReadChi(call, request, services));
  return QuoteCells(task.cut, task.from.rows, request, services);
}

constexpr char kTTakes[] = "a number, and a boolean that says which of two groups a row is of";

struct TTask {
  StatisticRows from;
  size_t number = 0;
  size_t group = 1;

  const learn::Column& Number() const { return *from.ranges[number]; }
  std::string Text() const {
    return learn::GroupsQuery(Number(), from.rows.shape[group].name, from.rows.text);
  }
};

Result<TTask> ReadT(const sql::LearnCall& call, const Request& request, const Services& services) {
  TACIT_CHECK(CheckStatistic(call, {}, request));
  TTask task;
  TACIT_TRY(task.from, ReadStatisticRows(call, 2, kTTakes, request, services));
  if (task.from.IsNumber(1)) std::swap(task.number, task.group);
  if (!task.from.IsNumber(task.number) || !task.from.IsBoolean(task.group)) {
    return WrongColumns(call, kTTakes);
  }
  return task;
}

std::vector<plan::OutputColumn> TColumns() {
  std::vector<plan::OutputColumn> columns;
  for (const char* name : {"difference", "low", "high", "p_value", "t", "se_noise", "se_sample",
                           "mean_false", "mean_true", "rows_false", "rows_true"}) {
    columns.push_back(StatisticColumn(name, TypeKind::kDouble));
  }
  return columns;
}

Result<answer::Answer> AnswerT(const sql::LearnCall& call, const Request& request,
                               Services& services) {
  TACIT_TRY(const TTask task, ReadT(call, request, services));
  TACIT_TRY(const Numbers numbers, AskNumbers(task.Text(), 1, 3, request, services));
  learn::TwoGroups sums{.groups = {},
                        .half = task.Number().Half(),
                        .rows_noise = numbers.noises[0],
                        .sum_noise = numbers.noises[1],
                        .squares_noise = numbers.noises[2]};
  for (const auto& row : numbers.answer.rows) {
    const auto* group = std::get_if<int64_t>(&row[0]);
    if (group == nullptr || *group < 0 || *group > 1) continue;
    sums.groups[static_cast<size_t>(*group)] = {
        .rows = answer::FiniteNumber(row[1]).value_or(0.0),
        .sum = answer::FiniteNumber(row[2]).value_or(0.0),
        .squares = answer::FiniteNumber(row[3]).value_or(0.0)};
  }
  const learn::TTest test = learn::CompareMeans(sums);
  std::vector<engine::Value> row(11);
  for (size_t g = 0; g < 2; ++g) row[9 + g] = test.rows[g];
  if (test.found) {
    const learn::TTest::Found& found = *test.found;
    row[0] = NumberWithin(found.difference, found.margin);
    row[1] = NumberWithin(found.difference - found.margin, found.margin);
    row[2] = NumberWithin(found.difference + found.margin, found.margin);
    row[3] = ShortNumber(found.p_value);
    row[4] = ShortNumber(found.t);
    row[5] = ShortNumber(found.se_noise);
    row[6] = ShortNumber(found.se_sample);
    for (size_t g = 0; g < 2; ++g) {
      row[7 + g] = NumberWithin(found.means[g] + task.Number().Middle(), found.margin);
    }
  }
  answer::Answer answer = StatisticAnswer(TColumns(), numbers.answer);
  answer.rows.push_back(row);
  answer.notices.emplace_back(
      "the difference is the mean where " + task.from.rows.shape[task.group].name +
      " is true less the mean where it is false; low, high and p_value hold the noise and the luck "
      "of who is in the data. Where they are empty, the noise hides how many rows a group has");
  AddSeveralRows(task.from.rows, answer.notices);
  return answer;
}

Result<answer::Explanation> ExplainT(const sql::LearnCall& call, const Request& request,
                                     Services& services) {
  TACIT_TRY(const TTask task, ReadT(call, request, services));
  return QuoteNumbers(task.Text(), 1, 3, request, services);
}

}  // namespace

const Statistic kChiSquare = {
    .task = "chi_square", .columns = ChiColumns, .answer = AnswerChi, .explain = ExplainChi};
const Statistic kTTest = {
    .task = "t_test", .columns = TColumns, .answer = AnswerT, .explain = ExplainT};

}  // namespace tacit::gateway::learning
