#pragma once

#include "wire/pg/session/session.h"

namespace tacit::wire::pg {

// Runs what a portal stands for. It has its table then, where it returns rows, and its tag.
Later<Done> FillPortal(Session& session, Portal& portal);

}  // namespace tacit::wire::pg
