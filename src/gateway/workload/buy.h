#pragma once

#include "answer/answer.h"
#include "gateway/workload/workload_plan.h"

namespace tacit::gateway::workload {

// What a workload gives: every question is free from now on for whoever bought it, asked without a
// price or at the one that stands beside it.
struct Bought {
  std::vector<ServedQuestion> questions;
  size_t measured = 0;  // tables that several questions share
  size_t own = 0;       // releases that serve themselves alone
  size_t derived = 0;   // tables that follow from what was measured
  plan::Cost cost;      // of what is drawn
  answer::Privacy privacy;
  bool is_quote = false;  // nothing was bought: this is what it would be
};

// As an answer: a row for each question, with the price at which it is free and its errors there.
std::vector<plan::OutputColumn> BoughtColumns();
answer::Answer AnswerOf(const Bought& bought);

// Plans all questions together, charges once, draws, and stores every answer: all or nothing. The
// questions have one analyst. Bought again it is free.
Result<Bought> BuyWorkload(const std::vector<Request>& questions,
                           const std::optional<Epsilon>& total, Services& services);

// The same without buying: what it would cost this asker now.
Result<Bought> QuoteWorkload(const std::vector<Request>& questions,
                             const std::optional<Epsilon>& total, Services& services);

// SELECT * FROM tacit.buy(text), as `request` asks it; with `explain` what it would cost.
Result<answer::Answer> AnswerBuying(const std::string& text, const Request& request, bool explain,
                                    Services& services);

}  // namespace tacit::gateway::workload
