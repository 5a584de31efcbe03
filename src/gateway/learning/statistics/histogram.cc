#include <algorithm>
#include <numeric>

#include "gateway/learning/statistics/asked.h"
#include "gateway/learning/statistics/statistic.h"

// tacit.histogram and tacit.top_k: the rows of each cell of a column. Both are made of the same
// release: whoever has paid for one has the other.

namespace tacit::gateway::learning {
namespace {

constexpr char kHistogramTakes[] = "one column: a number, a boolean, or a text with listed values";
constexpr size_t kHistogramBins = 20;
// Why 1000: a listed text may be long; more cells than that are a table, and not a picture.
constexpr size_t kHistogramCells = 1000;
constexpr size_t kTopDefault = 10;

struct HistogramTask {
  StatisticRows from;
  learn::CutColumn cut;
};

Result<HistogramTask> ReadHistogram(const sql::LearnCall& call, const Request& request,
                                    const Services& services) {
  HistogramTask task;
  TACIT_TRY(task.from, ReadStatisticRows(call, 1, kHistogramTakes, request, services));
  TACIT_TRY(const size_t bins, CountOption(call, "bins", kHistogramBins, kHistogramCells));
  TACIT_TRY(task.cut, CutOf(task.from, 0, bins, request, services));
  TACIT_CHECK(CheckCells({task.cut}, kHistogramCells));
  return task;
}

// Half of what 95 % of the noise lies in, of each count.
double MarginOfCount(const Counts& counts) { return counts.answer.columns[1].error->moe95.get_d(); }

std::vector<plan::OutputColumn> HistogramColumns() {
  return {StatisticColumn("value", TypeKind::kText), StatisticColumn("low", TypeKind::kDouble),
          StatisticColumn("high", TypeKind::kDouble), StatisticColumn("count", TypeKind::kBigint),
          StatisticColumn("margin", TypeKind::kDouble)};
}

Result<answer::Answer> AnswerHistogram(const sql::LearnCall& call, const Request& request,
                                       Services& services) {
  TACIT_CHECK(CheckStatistic(call, {"bins"}, request));
  TACIT_TRY(const HistogramTask task, ReadHistogram(call, request, services));
  TACIT_TRY(const Counts counts, CountCells({task.cut}, task.from.rows, request, services));
  answer::Answer answer = StatisticAnswer(HistogramColumns(), counts.answer);
  for (size_t i = 0; i < task.cut.cells(); ++i) {
    std::vector<engine::Value> row(5);
    row[0] = task.cut.Label(i);
    if (task.cut.kind == learn::CutColumn::Kind::kNumber) {
      row[1] = task.cut.ends[i].get_d();
      row[2] = task.cut.whole ? task.cut.ends[i].get_d() : task.cut.ends[i + 1].get_d();
    }
    row[3] = static_cast<int64_t>(counts.counts[i]);
    row[4] = ShortNumber(MarginOfCount(counts));
    answer.rows.push_back(row);
  }
  answer.notices.emplace_back(
      "in 95 % of answers a count is within its margin of the rows that count there; what lies "
      "outside the column's public range counts in the first cell or the last");
  return answer;
}

Result<answer::Explanation> ExplainHistogram(const sql::LearnCall& call, const Request& request,
                                             Services& services) {
  TACIT_CHECK(CheckStatistic(call, {"bins"}, request));
  TACIT_TRY(const HistogramTask task, ReadHistogram(call, request, services));
  return QuoteCells({task.cut}, task.from.rows, request, services);
}

std::vector<plan::OutputColumn> TopColumns() {
  return {StatisticColumn("rank", TypeKind::kInteger), StatisticColumn("value", TypeKind::kText),
          StatisticColumn("count", TypeKind::kBigint),
          StatisticColumn("margin", TypeKind::kDouble)};
}

Result<answer::Answer> AnswerTop(const sql::LearnCall& call, const Request& request,
                                 Services& services) {
  TACIT_CHECK(CheckStatistic(call, {"k", "bins"}, request));
  TACIT_TRY(const size_t k, CountOption(call, "k", kTopDefault, kHistogramCells));
  TACIT_TRY(const HistogramTask task, ReadHistogram(call, request, services));
  TACIT_TRY(const Counts counts, CountCells({task.cut}, task.from.rows, request, services));
  std::vector<size_t> order(counts.counts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return counts.counts[a] > counts.counts[b]; });
  answer::Answer answer = StatisticAnswer(TopColumns(), counts.answer);
  for (size_t i = 0; i < std::min(k, order.size()); ++i) {
    std::vector<engine::Value> row(4);
    row[0] = static_cast<int64_t>(i + 1);
    row[1] = task.cut.Label(order[i]);
    row[2] = static_cast<int64_t>(counts.counts[order[i]]);
    row[3] = ShortNumber(MarginOfCount(counts));
    answer.rows.push_back(row);
  }
  answer.notices.emplace_back(
      "by noisy counts: two that are closer than their margins may stand in the wrong order, and "
      "the largest of many noisy counts are a little larger than they should be; "
      "tacit.histogram of the same rows is free now and has all of them");
  return answer;
}

Result<answer::Explanation> ExplainTop(const sql::LearnCall& call, const Request& request,
                                       Services& services) {
  TACIT_CHECK(CheckStatistic(call, {"k", "bins"}, request));
  TACIT_CHECK(CountOption(call, "k", kTopDefault, kHistogramCells));
  TACIT_TRY(const HistogramTask task, ReadHistogram(call, request, services));
  return QuoteCells({task.cut}, task.from.rows, request, services);
}

}  // namespace

const Statistic kHistogram = {.task = "histogram",
                              .columns = HistogramColumns,
                              .answer = AnswerHistogram,
                              .explain = ExplainHistogram};
const Statistic kTopK = {
    .task = "top_k", .columns = TopColumns, .answer = AnswerTop, .explain = ExplainTop};

}  // namespace tacit::gateway::learning
