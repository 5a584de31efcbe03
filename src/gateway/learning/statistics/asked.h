#pragma once

#include <optional>

#include "answer/answer.h"
#include "gateway/learning/rows_to_learn.h"
#include "learn/statistics/cells.h"
#include "learn/statistics/chance.h"
#include "sql/learn.h"

// What every statistic does with its call, its rows and its one question.
namespace tacit::gateway::learning {

// The options that a task has; any other is an error that names them.
Result<Done> CheckStatistic(const sql::LearnCall& call, const std::vector<std::string>& options,
                            const Request& request);
// A whole number from 1 to `most`; absent: `otherwise`.
Result<size_t> CountOption(const sql::LearnCall& call, const char* name, size_t otherwise,
                           size_t most);

// The rows with what is public of their columns.
struct StatisticRows {
  RowsToLearn rows;
  // By their place in `rows.shape`: the range of a number; nothing of others.
  std::vector<std::optional<learn::Column>> ranges;

  bool IsNumber(size_t column) const { return ranges[column].has_value(); }
  bool IsBoolean(size_t column) const { return rows.shape[column].type.kind == TypeKind::kBoolean; }
};
// `takes` says for people which columns there have to be.
Result<StatisticRows> ReadStatisticRows(const sql::LearnCall& call, size_t columns,
                                        const char* takes, const Request& request,
                                        const Services& services);
Error WrongColumns(const sql::LearnCall& call, const char* takes);

// A column as cells: a text by its list, a number by `bins` of its range.
Result<learn::CutColumn> CutOf(const StatisticRows& from, size_t column, size_t bins,
                               const Request& request, const Services& services);
// Refused where there are more cells than a statistic counts.
Result<Done> CheckCells(const std::vector<learn::CutColumn>& columns, size_t most);

// A question whose answer has `keys` columns that say which group a row is of, and then numbers.
struct Numbers {
  answer::Answer answer;
  std::vector<learn::NoiseLaw> noises;  // of each number, in its own unit
};
// Free; asks neither the engine nor, but for what is left, the ledger. Refuses whatever is not one
// release of numbers with known noise.
Result<answer::Explanation> QuoteNumbers(const std::string& text, size_t keys, size_t numbers,
                                         const Request& request, Services& services);
Result<Numbers> AskNumbers(const std::string& text, size_t keys, size_t numbers,
                           const Request& request, Services& services);

// The counts of cells, the last column's cells within the one before.
struct Counts {
  std::vector<double> counts;
  learn::NoiseLaw noise;
  answer::Answer answer;
};
Result<Counts> CountCells(const std::vector<learn::CutColumn>& columns, const RowsToLearn& rows,
                          const Request& request, Services& services);
Result<answer::Explanation> QuoteCells(const std::vector<learn::CutColumn>& columns,
                                       const RowsToLearn& rows, const Request& request,
                                       Services& services);

// The answer's frame: what was paid, and what it is.
answer::Answer StatisticAnswer(std::vector<plan::OutputColumn> columns, const answer::Answer& paid);
// Added where a person may have several rows and the statistic takes them for different people's.
void AddSeveralRows(const RowsToLearn& rows, std::vector<std::string>& notices);

plan::OutputColumn StatisticColumn(const char* name, TypeKind kind);
// As many digits as three; NULL for what is no finite number.
engine::Value ShortNumber(double number);
// So many digits as an error of this size supports.
engine::Value NumberWithin(double number, double error);

}  // namespace tacit::gateway::learning
