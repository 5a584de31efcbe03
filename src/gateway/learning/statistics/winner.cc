#include "answer/assemble.h"
#include "gateway/answer_query.h"
#include "gateway/learning/statistics/asked.h"
#include "gateway/learning/statistics/statistic.h"
#include "sql/print/quote.h"

// tacit.winner: who has most votes, and no number beside it. The ballot is one question, a mode.

namespace tacit::gateway::learning {
namespace {

constexpr char kWinnerTakes[] = "one column: a text with listed values, the candidates";

std::vector<plan::OutputColumn> WinnerColumns() {
  return {StatisticColumn("winner", TypeKind::kText)};
}

Result<Request> VoteOf(const sql::LearnCall& call, const Request& request,
                       const Services& services) {
  TACIT_CHECK(CheckStatistic(call, {}, request));
  TACIT_TRY(const RowsToLearn rows, ReadRows(call.rows, services));
  if (rows.shape.size() != 1 || rows.shape[0].is_array ||
      rows.shape[0].type.kind != TypeKind::kText) {
    return WrongColumns(call, kWinnerTakes);
  }
  TACIT_TRY(const std::vector<std::string> listed,
            ListOf(rows.shape[0].name, rows, request, services));
  Request vote = request;
  vote.text = "SELECT mode() WITHIN GROUP (ORDER BY tacit_rows." +
              sql::QuoteIdentifierIfNeeded(rows.shape[0].name) + ") AS winner FROM (" + rows.text +
              ") AS tacit_rows";
  vote.statement = nullptr;
  vote.parameters.clear();
  vote.previews = false;
  vote.wish.intervals = false;
  return vote;
}

Result<answer::Answer> AnswerWinner(const sql::LearnCall& call, const Request& request,
                                    Services& services) {
  TACIT_TRY(const Request vote, VoteOf(call, request, services));
  TACIT_TRY(const answer::Answer voted, AnswerQuery(vote, services));
  answer::Answer answer = StatisticAnswer(voted.columns, voted);
  for (const auto& row : voted.rows) answer.rows.push_back(row);
  const std::string sentence = answer::RankSentence(voted.columns);
  if (!sentence.empty()) answer.notices.push_back(sentence);
  return answer;
}

Result<answer::Explanation> ExplainWinner(const sql::LearnCall& call, const Request& request,
                                          Services& services) {
  TACIT_TRY(const Request vote, VoteOf(call, request, services));
  return ExplainQuery(vote, services);
}

}  // namespace

const Statistic kWinner = {
    .task = "winner", .columns = WinnerColumns, .answer = AnswerWinner, .explain = ExplainWinner};

}  // namespace tacit::gateway::learning
