#pragma once

#include "wire/pg/session/session.h"

namespace tacit::wire::pg {

// The extended protocol: Parse, Bind, Describe, Execute and Close. Parse judges a question and
// fixes the shape of its answer; only Execute runs it, and what it costs is charged then. Messages
// of a copy that nobody began are left out, as PostgreSQL does.
Later<Done> RunExtendedMessage(Session& session, const Frame& frame);

}  // namespace tacit::wire::pg
