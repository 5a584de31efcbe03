#pragma once

#include "wire/pg/session/session.h"

// Cursors of SQL: a question that is answered once, when the first row is fetched, and read in
// pieces.

namespace tacit::wire::pg {

// DECLARE. `portal` is what runs it: the cursor has its parameters. `offset` is where the command
// starts in the text that was sent.
Later<CommandDone> Declare(Session& session, const sql::DeclareCommand& command, int offset,
                           Portal& portal);
// FETCH and MOVE
Later<Table> Fetch(Session& session, const sql::FetchCommand& command);

}  // namespace tacit::wire::pg
