#pragma once

#include "wire/pg/session/session.h"

namespace tacit::wire::pg {

// Greets a client that has logged in, and answers its messages until it goes or the server stops.
asio::awaitable<void> Serve(Session& session);

}  // namespace tacit::wire::pg
