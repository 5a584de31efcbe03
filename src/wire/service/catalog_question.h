#pragma once

#include "wire/deployment/live_deployment.h"
#include "wire/service/question.h"

// Questions about the catalog: public metadata, and what the asking analyst may know of the books.

namespace tacit::wire {

// The question has a session.
Result<catalog::Answer> AnswerFromCatalog(const catalog::Query& query, const Question& question,
                                          LiveDeployment& deployment, const TermsInForce& terms);
// Runs nothing.
Result<Shape> DescribeFromCatalog(const catalog::Query& query, const Question& question,
                                  LiveDeployment& deployment, const TermsInForce& terms);

}  // namespace tacit::wire
