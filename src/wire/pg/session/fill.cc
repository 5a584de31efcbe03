#include "wire/pg/session/fill.h"

#include "wire/pg/prepared/fit_columns.h"
#include "wire/pg/session/asking.h"
#include "wire/pg/session/co_try.h"
#include "wire/pg/session/cursors.h"
#include "wire/pg/session/prepare.h"
#include "wire/pg/session/send.h"
#include "wire/pg/state/commands.h"
#include "wire/pg/state/report.h"
#include "wire/pg/types/codec.h"

namespace tacit::wire::pg {
namespace {

void Warn(Session& session, const CommandDone& done) {
  if (done.warning_state == nullptr || !session.state.settings.SendsWarnings()) return;
  Tell(session,
       {.severity = Severity::kWarning, .state = done.warning_state, .message = done.warning});
}

// The types of an answer are not those that the client was told: because it was told under other
// terms, or because the values of the parameters decided.
Later<Done> CheckDescription(Session& session, const Prepared& statement, Question asked) {
  asked.parameter_types = statement.declared_types;
  Result<Shape> now = co_await AskShape(session, std::move(asked));
  if (!now.ok() || !HaveSameTypes(statement.shape.columns, now->columns)) {
    co_return Error{.code = ErrorCode::kUnsupported,
                    .public_message = "cached plan must not change result type",
                    .hint = "the policy or a setting changed: prepare the statement again",
                    .position = std::nullopt,
                    .private_detail = ""};
  }
  co_return Done{};
}

Later<Done> FillByAsking(Session& session, Portal& portal, std::string text,
                         sql::SharedReading reading) {
  const Prepared& statement = *portal.statement;
  Question question = QuestionOf(session, text, reading);
  question.parameter_types = statement.shape.parameters;
  question.parameters = std::move(portal.parameters);
  Result<Table> asked = co_await Ask(session, std::move(question));
  TACIT_CO_TRY(Table table, std::move(asked));
  for (const catalog::Answer::Change& change : table.changes) {
    TACIT_CO_CHECK(session.state.settings.Set(change.name, change.value, change.local));
  }
  const std::vector<OidColumn>& told = statement.shape.columns;
  if (statement.returns_rows && !HaveSameTypes(told, table.columns)) {
    Question again = QuestionOf(session, std::move(text), std::move(reading));
    Result<Done> checked = co_await CheckDescription(session, statement, std::move(again));
    TACIT_CO_CHECK(std::move(checked));
  }
  if (statement.returns_rows) TACIT_CO_CHECK(FitColumns(told, table));
  for (const WireColumn& column : WireColumnsOf(table.columns, portal.formats)) {
    if (column.format == 1 && !HasBinary(column.type)) {
      TACIT_CO_CHECK(BinaryOf(column.type, ""));
    }
  }
  if (table.last != nullptr && portal.tag != "EXPLAIN") {
    table.last->number = ++session.state.answers;
    session.state.last = table.last;
  }
  portal.table = std::move(table);
  co_return Done{};
}

// EXECUTE name (values)
Later<Done> FillByExecute(Session& session, Portal& portal, const sql::ExecuteCommand& command) {
  Portal inside;
  inside.statement = session.state.statements.Find(command.name);
  inside.parameters = command.values;
  inside.formats = portal.formats;
  if (inside.statement == nullptr) {
    co_return Condition("prepared statement \"" + command.name + "\" does not exist",
                        "invalid_sql_statement_name");
  }
  if (!inside.statement->returns_rows) {
    co_return Condition("EXECUTE runs a prepared SELECT", "feature_not_supported");
  }
  const size_t wanted = inside.statement->shape.parameters.size();
  if (command.values.size() != wanted) {
    co_return Condition("wrong number of parameters for prepared statement \"" + command.name +
                            "\": it takes " + std::to_string(wanted),
                        "syntax_error");
  }
  Result<Done> filled = co_await FillPortal(session, inside);
  if (!filled.ok()) {
    Error error = std::move(filled).error();
    error.position = std::nullopt;  // it is a place in another text
    co_return error;
  }
  portal.table = std::move(inside.table);
  portal.tag = std::move(inside.tag);
  co_return Done{};
}

Later<Done> FillByFetch(Session& session, Portal& portal, const sql::FetchCommand& command) {
  Result<Table> fetched = co_await Fetch(session, command);
  TACIT_CO_TRY(Table table, std::move(fetched));
  if (command.move) {
    portal.tag = "MOVE " + std::to_string(table.rows.size());
  } else {
    portal.tag = "FETCH";
    portal.table = std::move(table);
  }
  co_return Done{};
}

Later<Done> FillByShow(Session& session, Portal& portal, const sql::ShowCommand& command) {
  const TermsInForce terms = session.deployment().terms();
  TACIT_CO_TRY(portal.table, Show(command, session.state.settings, terms->policy.privacy.query));
  portal.tag = "SHOW";
  co_return Done{};
}

Later<Done> FillByCopy(Session& session, Portal& portal, const sql::CopyCommand& command,
                       int offset) {
  portal.tag = "COPY";
  session.sent.offset = offset + command.question.offset;
  if (command.format == sql::CopyFormat::kBinary) portal.formats = {1};
  Result<Done> asked =
      co_await FillByAsking(session, portal, command.question.text, command.question.reading);
  co_return asked;
}

// What returns no rows.
Later<CommandDone> RunWithoutRows(Session& session, Portal& portal, const sql::Command& command) {
  if (const auto* declare = std::get_if<sql::DeclareCommand>(&command.kind)) {
    Result<CommandDone> declared = co_await Declare(session, *declare, command.offset, portal);
    co_return declared;
  }
  if (const auto* prepare = std::get_if<sql::PrepareCommand>(&command.kind)) {
    Result<CommandDone> prepared = co_await RunPrepare(session, *prepare, command.offset);
    co_return prepared;
  }
  co_return RunCommand(command, session.state);
}

}  // namespace

asio::awaitable<Result<Done>> FillPortal(Session& session, Portal& portal) {
  const PreparedStatement statement = portal.statement;
  const sql::Command& command = *statement->command;
  Result<Done> filled = Done{};
  if (const auto* ask = std::get_if<sql::AskCommand>(&command.kind)) {
    portal.tag = command.tag.starts_with("EXPLAIN") ? "EXPLAIN" : "SELECT";
    filled = co_await FillByAsking(session, portal, command.text, ask->reading);
  } else if (const auto* copy = std::get_if<sql::CopyCommand>(&command.kind)) {
    filled = co_await FillByCopy(session, portal, *copy, command.offset);
  } else if (const auto* execute = std::get_if<sql::ExecuteCommand>(&command.kind)) {
    filled = co_await FillByExecute(session, portal, *execute);
  } else if (const auto* fetch = std::get_if<sql::FetchCommand>(&command.kind)) {
    filled = co_await FillByFetch(session, portal, *fetch);
  } else if (const auto* show = std::get_if<sql::ShowCommand>(&command.kind)) {
    filled = co_await FillByShow(session, portal, *show);
  } else {
    Result<CommandDone> done = co_await RunWithoutRows(session, portal, command);
    TACIT_CO_TRY(const CommandDone ran, std::move(done));
    Warn(session, ran);
    portal.tag = ran.tag;
  }
  co_return filled;
}

}  // namespace tacit::wire::pg
