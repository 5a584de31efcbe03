#pragma once

#include "sql/read/command.h"
#include "wire/deployment/live_deployment.h"
#include "wire/service/question.h"

// The one way in for what clients send, by whichever protocol: a request is read once, a question
// is carried out by a worker in its analyst's turn, what it throws is caught, and it is counted,
// timed, logged and given the instant at which its answer may leave. The protocols above only turn
// bytes into these values and back.

namespace tacit::wire {

// What a text says: questions and commands. What is not SQL ends here. A text that is known to be
// one question is not read again: it has no reading.
Result<std::vector<sql::Command>> ReadRequest(const std::string& analyst, const std::string& text,
                                              LiveDeployment& deployment);

// Has the work done by a worker. False when too many of this analyst's wait already.
bool HandToWorker(const std::string& analyst, LiveDeployment& deployment, WorkerPool::Job work);

// A result, and the instant before which it may not leave. Counted from the question in whole
// periods of the policy, for answers and errors alike: when one leaves must not say how long it
// took. Only what is known to have asked the catalog alone leaves at once.
template <class T>
struct Outcome {
  Result<T> result;
  Instant leaves_at = {};
};

// On a worker's thread. What the question throws is an error here; that there is no memory even to
// say so is thrown.
Outcome<AnyAnswer> Answer(Question question, LiveDeployment& deployment, size_t worker);
Outcome<answer::Explanation> Explain(const Question& question, LiveDeployment& deployment,
                                     size_t worker);
// Runs nothing, charges nothing, and looks at nothing that depends on a row: leaves at once.
Result<Shape> Describe(Question question, LiveDeployment& deployment, size_t worker);

// What Answer gives, where that needs neither a worker nor waiting: for any thread. Nothing: hand
// it to a worker.
std::optional<Outcome<AnyAnswer>> AnswerAtOnce(const Question& question,
                                               LiveDeployment& deployment);

// What is left to say when the work itself failed.
Error ProgramFailed();

}  // namespace tacit::wire
