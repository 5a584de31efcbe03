#pragma once

#include "base/error.h"
#include "wire/http/message.h"

namespace tacit::wire::http {

// The public part of an error as an RFC 9457 document: `type` names the kind, `hint` says what
// would pass, `position` is the byte in the query, `rule` the privacy rule that refused.
Response ProblemOf(const Error& error);

}  // namespace tacit::wire::http
