#include "wire/pg/session/cursors.h"

#include "wire/pg/session/co_try.h"
#include "wire/pg/session/fill.h"
#include "wire/pg/session/prepare.h"
#include "wire/pg/state/report.h"

namespace tacit::wire::pg {
namespace {

// The next rows of a cursor that has run; without a count all that are left.
Table TakeRows(Portal& cursor, std::optional<int64_t> count) {
  Table& table = *cursor.table;
  Table piece{.columns = table.columns, .rows = {}, .notices = std::move(table.notices)};
  table.notices.clear();
  Values row;
  for (int64_t taken = 0; !count || taken < *count; ++taken) {
    if (!table.rows.Next(cursor.next, row)) break;
    piece.rows.push_back(row);
  }
  table.rows.LetGoBefore(cursor.next);
  return piece;
}

}  // namespace

asio::awaitable<Result<CommandDone>> Declare(Session& session, const sql::DeclareCommand& command,
                                             int offset, Portal& portal) {
  SessionState& state = session.state;
  const bool outside =
      state.transaction.block == Transaction::Block::kNone && !state.transaction.in_batch;
  if (outside && !command.hold) {
    co_return Condition("DECLARE CURSOR can only be used in transaction blocks",
                        "no_active_sql_transaction");
  }
  session.sent.offset = offset + command.question.offset;
  Result<Prepared> prepared =
      co_await PrepareQuestion(session, command.question, portal.statement->shape.parameters);
  TACIT_CO_TRY(Prepared statement, std::move(prepared));
  Portal cursor;
  cursor.statement = std::make_shared<const Prepared>(std::move(statement));
  cursor.parameters = std::move(portal.parameters);
  cursor.hold = command.hold;
  if (command.binary) cursor.formats = {1};
  TACIT_CO_CHECK(state.portals.Add(command.cursor, std::move(cursor)));
  co_return CommandDone{.tag = "DECLARE CURSOR"};
}

asio::awaitable<Result<Table>> Fetch(Session& session, const sql::FetchCommand& command) {
  Portals& portals = session.state.portals;
  const Portal* found = portals.Find(command.cursor);
  if (found == nullptr) {
    co_return Condition("cursor \"" + command.cursor + "\" does not exist", "cursor_not_found");
  }
  // A portal of the protocol may hold any command under any name: FETCH of itself, COMMIT, nothing.
  if (!found->statement->returns_rows) {
    co_return Condition("portal \"" + command.cursor + "\" cannot be run",
                        "object_not_in_prerequisite_state", "FETCH reads the rows of a question");
  }
  if (!command.forward) {
    co_return Condition("cursor can only scan forward", "object_not_in_prerequisite_state",
                        "declare it anew: the same question again costs nothing");
  }
  if (!found->table) {
    Portal filled = *found;
    Result<Done> done = co_await FillPortal(session, filled);
    TACIT_CO_CHECK(std::move(done));
    (void)portals.Erase(command.cursor);
    TACIT_CO_CHECK(portals.CountRows(filled));
    TACIT_CO_CHECK(portals.Add(command.cursor, std::move(filled)));
  }
  Portal& cursor = *portals.Find(command.cursor);
  Table piece = TakeRows(cursor, command.count);
  portals.RecountRows(cursor);
  co_return piece;
}

}  // namespace tacit::wire::pg
