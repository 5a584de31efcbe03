#pragma once

#include "analysis/facts.h"
#include "answer/answer.h"
#include "gateway/services.h"

namespace tacit::gateway {

// Answers a question, or says why not. When it returns an Answer, its charge is on stable storage;
// when it returns an error after the charge, the charge stands.
Result<answer::Answer> AnswerQuery(const Request& request, Services& services);

// The stored releases that would answer, where the asker has paid for all of them: then it costs
// nothing. Free, and asks the ledger alone.
Result<std::optional<std::vector<ledger::ReleaseId>>> PaidReleases(const Request& request,
                                                                   Services& services);

// What analysis proves about a question. Free, and asks neither the ledger nor the engine.
Result<analysis::Facts> FactsOf(const Request& request, const Services& services);

// What the answer would cost and how far it would be off. Free: charges nothing, reads no row.
Result<answer::Explanation> ExplainQuery(const Request& request, Services& services);

// The columns that the answer would have. Free, and asks neither the ledger nor the engine.
Result<std::vector<plan::OutputColumn>> DescribeQuery(const Request& request,
                                                      const Services& services);

}  // namespace tacit::gateway
