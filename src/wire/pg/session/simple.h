#pragma once

#include "wire/pg/session/session.h"

namespace tacit::wire::pg {

// The simple protocol: a text of any number of statements, answered in order. The error of the
// first that fails; session.sent is what it points into.
Later<Done> RunQueryMessage(Session& session, std::string text);

}  // namespace tacit::wire::pg
