#pragma once

#include <string>

#include "base/result.h"
#include "wire/http/message.h"
#include "wire/service/question.h"

namespace tacit::wire::http {

// The question in a POST: its JSON body, and the Idempotency-Key as the request's id. Numbers may
// be JSON numbers, read as they print, or texts such as "1/3".
Result<Question> QuestionOf(const Request& request, const std::string& analyst);

// SELECT * FROM tacit.buy('...') of several questions: a workload is asked for as psql does it.
std::string BuyingText(const std::string& questions);

}  // namespace tacit::wire::http
