#pragma once

#include "answer/answer.h"
#include "base/result.h"
#include "ledger/ledger.h"

namespace tacit::answer {

// An account as it stands, for whoever asks.
Privacy PrivacyOf(const ledger::Balance& balance, const ledger::Limits& limits,
                  bool asked_by_owner);
// What the receipt of a request says, for whoever asked.
Privacy PrivacyOf(const ledger::Receipt& receipt, const ledger::ChargeRequest& request);

// Puts the result of the post-processing, the plan's error bars and the price together. `margins`
// are those beside the rows, if they were computed.
Answer Assemble(const plan::PrivatePlan& plan, engine::PackedRows rows, engine::PackedRows margins,
                const Privacy& privacy);

// Adds what was paid for this answer in steps before it, in the receipt and in the sentence.
void AddPaidBefore(Answer& answer, const ledger::Cost& before);

// EXPLAIN as an answer: one column of lines.
plan::OutputColumn ExplainColumn();
Answer AnswerOf(const Explanation& explanation);

// What was chosen is off in rows, and only they tell what those are worth: "stands at most 3 ranks
// from the true one".
std::string RankWords(const plan::ColumnError& error);

// "cost 0.1 of your 1; 0.4 left."
std::string PriceSentence(const Privacy& privacy);
// "95 % of answers like this are within 30 of the truth."; empty where nothing can be said. Of the
// columns given, without those whose margins are computed row by row if `with_margins`.
std::string ErrorSentence(const std::vector<plan::OutputColumn>& columns, bool with_margins);
// "In 95 % of answers median stands at most 40 ranks from the true one.": of what was chosen; empty
// where nothing was.
std::string RankSentence(const std::vector<plan::OutputColumn>& columns);

}  // namespace tacit::answer
