#include "wire/pg/session/extended.h"

#include "wire/pg/prepared/bind.h"
#include "wire/pg/session/co_try.h"
#include "wire/pg/session/fill.h"
#include "wire/pg/session/prepare.h"
#include "wire/pg/session/send.h"
#include "wire/pg/state/client_text.h"
#include "wire/pg/state/report.h"

namespace tacit::wire::pg {
namespace {

Error NoStatement(const std::string& name) {
  return Condition("prepared statement \"" + name + "\" does not exist",
                   "invalid_sql_statement_name");
}

Error NoPortal(const std::string& name) {
  return Condition("portal \"" + name + "\" does not exist", "cursor_not_found");
}

Later<Done> HandleParse(Session& session, const Frame& frame) {
  TACIT_CO_TRY(ParseMessage message, ReadParse(frame.body));
  TACIT_CO_TRY(message.text, FromClient(session.state.settings, std::move(message.text)));
  session.sent.text = message.text;
  Statements& statements = session.state.statements;
  TACIT_CO_CHECK(statements.CheckRoomFor(message.statement, message.text.size()));
  Result<Prepared> prepared =
      co_await Prepare(session, std::move(message.text), std::move(message.parameter_types));
  TACIT_CO_TRY(Prepared statement, std::move(prepared));
  TACIT_CO_CHECK(statements.Keep(message.statement, std::move(statement)));
  AddPlain(session.out(), '1');
  co_return Done{};
}

Result<Done> HandleBind(Session& session, const Frame& frame) {
  TACIT_TRY(BindMessage message, ReadBind(frame.body));
  SessionState& state = session.state;
  Portal portal;
  portal.statement = state.statements.Find(message.statement);
  if (portal.statement == nullptr) return NoStatement(message.statement);
  const Prepared& statement = *portal.statement;
  session.sent.text = statement.text;
  if (statement.command) TACIT_CHECK(CheckBlock(state.transaction, *statement.command));
  TACIT_TRY(portal.parameters,
            BoundTexts(message, statement.shape.parameters, FormOf(state.settings)));
  const std::optional<std::vector<OidColumn>> columns = ColumnsOf(session, statement);
  portal.formats = std::move(message.result_formats);
  TACIT_CHECK(CheckFormats(portal.formats, columns ? columns->size() : 0));
  if (message.portal.empty()) (void)state.portals.Erase("");
  TACIT_CHECK(state.portals.CountParameters(portal));
  TACIT_CHECK(state.portals.Add(message.portal, std::move(portal)));
  AddPlain(session.out(), '2');
  return Done{};
}

Result<Done> HandleDescribe(Session& session, const Frame& frame) {
  TACIT_TRY(const NamedMessage message, ReadNamed(frame.body));
  std::optional<std::vector<OidColumn>> columns;
  std::vector<int16_t> formats;
  if (message.kind == 'S') {
    const PreparedStatement statement = session.state.statements.Find(message.name);
    if (statement == nullptr) return NoStatement(message.name);
    AddParameterDescription(session.out(), statement->shape.parameters);
    columns = ColumnsOf(session, *statement);
  } else {
    const Portal* portal = session.state.portals.Find(message.name);
    if (portal == nullptr) return NoPortal(message.name);
    columns = ColumnsOf(session, *portal->statement);
    formats = portal->formats;
  }
  if (columns) {
    SendDescription(session, *columns, formats);
  } else {
    AddPlain(session.out(), 'n');
  }
  return Done{};
}

// The rows that a message asks for, of a portal that has run.
Later<Done> SendPart(Session& session, Portal& portal, int32_t wanted) {
  const size_t rows_max = wanted > 0 ? static_cast<size_t>(wanted) : 0;
  const size_t left = portal.table->rows.size() - portal.next.row;
  Result<size_t> sent = co_await SendRows(session, portal, rows_max);
  TACIT_CO_TRY(const size_t rows, std::move(sent));
  if (rows_max > 0 && left >= rows_max) {
    AddPlain(session.out(), 's');
    co_return session.state.portals.CountRows(portal);
  }
  SendComplete(session, portal.tag, rows);
  co_return Done{};
}

Later<Done> HandleExecute(Session& session, const Frame& frame) {
  TACIT_CO_TRY(const ExecuteMessage message, ReadExecute(frame.body));
  // Held here while it runs: the command may close what it runs in (CLOSE ALL, COMMIT).
  std::optional<Portal> portal = session.state.portals.Take(message.portal);
  if (!portal) co_return NoPortal(message.portal);
  const PreparedStatement statement = portal->statement;
  session.sent.text = statement->text;
  if (!statement->command) {
    AddPlain(session.out(), 'I');
    co_return session.state.portals.Add(message.portal, std::move(*portal));
  }
  session.sent.offset = statement->command->offset;
  TACIT_CO_CHECK(CheckBlock(session.state.transaction, *statement->command));
  if (!portal->table) {
    Result<Done> filled = co_await FillPortal(session, *portal);
    TACIT_CO_CHECK(std::move(filled));
    if (!portal->table) {
      AddCommandComplete(session.out(), portal->tag);
      co_return Done{};
    }
    SendNotices(session, *portal->table);
    if (const auto* copy = std::get_if<sql::CopyCommand>(&statement->command->kind)) {
      Result<Done> copied = co_await SendCopy(session, *portal->table, *copy);
      co_return copied;
    }
  }
  Result<Done> sent = co_await SendPart(session, *portal, message.rows_max);
  TACIT_CO_CHECK(std::move(sent));
  co_return session.state.portals.Add(message.portal, std::move(*portal));
}

Result<Done> HandleClose(Session& session, const Frame& frame) {
  TACIT_TRY(const NamedMessage message, ReadNamed(frame.body));
  if (message.kind == 'P') {
    (void)session.state.portals.Erase(message.name);
  } else {
    (void)session.state.statements.Forget(message.name);
  }
  AddPlain(session.out(), '3');  // also for a name that nobody has
  return Done{};
}

}  // namespace

asio::awaitable<Result<Done>> RunExtendedMessage(Session& session, const Frame& frame) {
  Result<Done> done = Done{};
  switch (frame.type) {
    case 'P':
      done = co_await HandleParse(session, frame);
      break;
    case 'B':
      done = HandleBind(session, frame);
      break;
    case 'D':
      done = HandleDescribe(session, frame);
      break;
    case 'E':
      done = co_await HandleExecute(session, frame);
      break;
    case 'C':
      done = HandleClose(session, frame);
      break;
    default:
      break;
  }
  co_return done;
}

}  // namespace tacit::wire::pg
