#pragma once

#include "wire/deployment/live_deployment.h"
#include "wire/service/question.h"

// Questions about the protected tables: their parameters, and their way to the gateway and back.

namespace tacit::wire {

// What is known of a text under these terms, with the types that were declared for its parameters;
// null for one that this analyst has not asked lately.
std::shared_ptr<const KnownQuestion> FindKnown(const std::string& analyst, const std::string& text,
                                               const std::vector<uint32_t>& declared,
                                               const Terms& terms);
bool IsKnownPrivate(const Question& question, const Terms& terms);

// On a worker's thread. Each reads the question's text at most once, and not at all where somebody
// has read it. The catalog of the question's session, where it has one, was asked before.
Result<answer::Answer> AnswerPrivate(const Question& question, LiveDeployment& deployment,
                                     const TermsInForce& terms, size_t worker);
// By a protocol that shows no catalog.
Result<answer::Explanation> ExplainPrivate(const Question& question, LiveDeployment& deployment,
                                           const TermsInForce& terms, size_t worker);
// Runs nothing, charges nothing.
Result<Shape> DescribePrivate(const Question& question, LiveDeployment& deployment,
                              const TermsInForce& terms, size_t worker);

// The answer where it was replayed before and nobody has written to the ledger since: the same that
// AnswerPrivate gives. Never waits, so that it is for any thread.
std::optional<answer::Answer> ReplayPrivate(const Question& question, LiveDeployment& deployment,
                                            const Terms& terms);

}  // namespace tacit::wire
