#pragma once

#include <cstddef>
#include <functional>

#include "base/result.h"

namespace tacit::sql::grammar {

// Calls `parse` where the stack is large enough for PostgreSQL's grammar over a text of that many
// bytes: right here for a short one, on a thread of its own for a longer one. kUnavailable, and
// `parse` is not called, when there is no such thread to be had.
Result<Done> OnRoomyStack(size_t text_bytes, const std::function<void()>& parse);

}  // namespace tacit::sql::grammar
