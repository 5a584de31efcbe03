#include "learn/statistics/survival.h"

#include "gateway/learning/statistics/asked.h"
#include "gateway/learning/statistics/statistic.h"

// tacit.survival: how many outlive which time.

namespace tacit::gateway::learning {
namespace {

constexpr char kSurvivalTakes[] =
    "a number, the time until a row was last seen, and a boolean that says whether it died then";
constexpr size_t kSurvivalBins = 20;
// Why 200: a curve of more cells than that has more noise than a band could hold.
constexpr size_t kSurvivalCells = 200;

struct SurvivalTask {
  StatisticRows from;
  std::vector<learn::CutColumn> cut;  // the time, and whether it died
};

Result<SurvivalTask> ReadSurvival(const sql::LearnCall& call, const Request& request,
                                  const Services& services) {
  TACIT_CHECK(CheckStatistic(call, {"bins"}, request));
  SurvivalTask task;
  TACIT_TRY(task.from, ReadStatisticRows(call, 2, kSurvivalTakes, request, services));
  TACIT_TRY(const size_t bins, CountOption(call, "bins", kSurvivalBins, kSurvivalCells));
  const size_t time = task.from.IsNumber(0) ? 0 : 1;
  if (!task.from.IsNumber(time) || !task.from.IsBoolean(1 - time)) {
    return WrongColumns(call, kSurvivalTakes);
  }
  for (const size_t column : {time, 1 - time}) {
    TACIT_TRY(learn::CutColumn cut, CutOf(task.from, column, bins, request, services));
    task.cut.push_back(std::move(cut));
  }
  return task;
}

std::vector<plan::OutputColumn> SurvivalColumns() {
  std::vector<plan::OutputColumn> columns;
  for (const char* name : {"until", "at_risk", "died", "survival", "low", "high"}) {
    columns.push_back(StatisticColumn(name, TypeKind::kDouble));
  }
  return columns;
}

Result<answer::Answer> AnswerSurvival(const sql::LearnCall& call, const Request& request,
                                      Services& services) {
  TACIT_TRY(const SurvivalTask task, ReadSurvival(call, request, services));
  TACIT_TRY(const Counts counts, CountCells(task.cut, task.from.rows, request, services));
  const learn::CutColumn& time = task.cut[0];
  learn::LifeTable table{.died = {}, .left = {}, .moments = time.whole, .noise = counts.noise};
  for (size_t i = 0; i < time.cells(); ++i) {
    table.left.push_back(counts.counts[2 * i]);
    table.died.push_back(counts.counts[2 * i + 1]);
  }
  const std::optional<std::vector<learn::SurvivalPoint>> curve = learn::EstimateSurvival(table);
  answer::Answer answer = StatisticAnswer(SurvivalColumns(), counts.answer);
  for (size_t i = 0; i < time.cells(); ++i) {
    std::vector<engine::Value> row(6);
    row[0] = time.ends[time.whole ? i : i + 1].get_d();
    row[2] = table.died[i];
    if (curve) {
      const learn::SurvivalPoint& point = (*curve)[i];
      row[1] = point.at_risk;
      if (point.known) {
        row[3] = ShortNumber(point.share);
        row[4] = ShortNumber(point.low);
        row[5] = ShortNumber(point.high);
      }
    }
    answer.rows.push_back(row);
  }
  answer.notices.emplace_back(
      std::string("survival is the share that outlives `until`") +
      (time.whole ? ", as Kaplan and Meier estimate it"
                  : "; whoever was last seen alive in a bin is taken to have left in its middle") +
      ". low and high hold the noise and the luck of who is in the data, at each time by itself; "
      "from where they are empty on, too few are left for this noise");
  AddSeveralRows(task.from.rows, answer.notices);
  return answer;
}

Result<answer::Explanation> ExplainSurvival(const sql::LearnCall& call, const Request& request,
                                            Services& services) {
  TACIT_TRY(const SurvivalTask task, ReadSurvival(call, request, services));
  return QuoteCells(task.cut, task.from.rows, request, services);
}

}  // namespace

const Statistic kSurvival = {.task = "survival",
                             .columns = SurvivalColumns,
                             .answer = AnswerSurvival,
                             .explain = ExplainSurvival};

}  // namespace tacit::gateway::learning
