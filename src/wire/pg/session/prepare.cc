#include "wire/pg/session/prepare.h"

#include "wire/pg/session/asking.h"
#include "wire/pg/session/co_try.h"
#include "wire/pg/state/commands.h"
#include "wire/pg/state/report.h"
#include "wire/service/front_door.h"

namespace tacit::wire::pg {
namespace {

Later<Shape> ShapeOf(Session& session, std::string text, sql::SharedReading reading,
                     std::vector<uint32_t> types) {
  Question question = QuestionOf(session, std::move(text), std::move(reading));
  question.parameter_types = std::move(types);
  Result<Shape> shape = co_await AskShape(session, std::move(question));
  co_return shape;
}

// The question inside DECLARE or COPY, whose parameters are the command's.
const sql::QuestionInside* QuestionIn(const sql::Command& command) {
  if (const auto* declare = std::get_if<sql::DeclareCommand>(&command.kind)) {
    return &declare->question;
  }
  if (const auto* copy = std::get_if<sql::CopyCommand>(&command.kind)) return &copy->question;
  return nullptr;
}

}  // namespace

asio::awaitable<Result<Prepared>> PrepareQuestion(Session& session,
                                                  const sql::QuestionInside& question,
                                                  std::vector<uint32_t> types) {
  Prepared prepared;
  prepared.text = question.text;
  prepared.declared_types = types;
  prepared.command =
      sql::Command{.text = question.text, .offset = 0, .tag = "SELECT", .kind = sql::AskCommand{}};
  prepared.returns_rows = true;
  Result<Shape> shape =
      co_await ShapeOf(session, question.text, question.reading, std::move(types));
  TACIT_CO_TRY(prepared.shape, std::move(shape));
  co_return prepared;
}

asio::awaitable<Result<Prepared>> Prepare(Session& session, std::string text,
                                          std::vector<uint32_t> types) {
  Prepared prepared;
  prepared.declared_types = types;
  TACIT_CO_TRY(std::vector<sql::Command> commands,
               ReadRequest(session.analyst, text, session.deployment()));
  const CountedReadings counted(session.state.statements, commands, text.size());
  prepared.text = std::move(text);
  if (commands.size() > 1) {
    co_return Condition("cannot insert multiple commands into a prepared statement",
                        "syntax_error");
  }
  if (commands.empty()) co_return prepared;
  prepared.command = std::move(commands.front());
  const sql::Command& command = *prepared.command;
  session.sent.offset = command.offset;
  TACIT_CO_CHECK(CheckBlock(session.state.transaction, command));
  if (const auto* ask = std::get_if<sql::AskCommand>(&command.kind)) {
    Result<Shape> shape = co_await ShapeOf(session, command.text, ask->reading, std::move(types));
    TACIT_CO_TRY(prepared.shape, std::move(shape));
    prepared.returns_rows = true;
    co_return prepared;
  }
  const sql::QuestionInside* inside = QuestionIn(command);
  if (inside == nullptr) {
    prepared.shape.parameters = std::move(types);
    co_return prepared;
  }
  session.sent.offset += inside->offset;
  Result<Shape> shape = co_await ShapeOf(session, inside->text, inside->reading, std::move(types));
  TACIT_CO_TRY(Shape inner, std::move(shape));
  prepared.shape.parameters = std::move(inner.parameters);
  co_return prepared;
}

asio::awaitable<Result<CommandDone>> RunPrepare(Session& session,
                                                const sql::PrepareCommand& command, int offset) {
  Statements& statements = session.state.statements;
  TACIT_CO_TRY(std::vector<uint32_t> types, ParameterTypesOf(command));
  TACIT_CO_CHECK(statements.CheckRoomFor(command.name, command.question.text.size()));
  session.sent.offset = offset + command.question.offset;
  if (!command.question.asks)
    co_return Condition("PREPARE takes a SELECT here", "feature_not_supported");
  Result<Prepared> prepared = co_await PrepareQuestion(session, command.question, std::move(types));
  TACIT_CO_TRY(Prepared statement, std::move(prepared));
  TACIT_CO_CHECK(statements.Keep(command.name, std::move(statement)));
  co_return CommandDone{.tag = "PREPARE"};
}

std::optional<std::vector<OidColumn>> ColumnsOf(const Session& session, const Prepared& statement) {
  if (!statement.command) return std::nullopt;
  if (statement.returns_rows) return statement.shape.columns;
  const SessionState& state = session.state;
  if (const auto* show = std::get_if<sql::ShowCommand>(&statement.command->kind)) {
    const TermsInForce terms = session.deployment().terms();
    const Result<Table> table = Show(*show, state.settings, terms->policy.privacy.query);
    return table.ok() ? std::optional(table->columns) : std::nullopt;
  }
  if (const auto* fetch = std::get_if<sql::FetchCommand>(&statement.command->kind)) {
    const Portal* cursor = state.portals.Find(fetch->cursor);
    if (fetch->move || cursor == nullptr || !cursor->statement->returns_rows) return std::nullopt;
    return cursor->statement->shape.columns;
  }
  if (const auto* execute = std::get_if<sql::ExecuteCommand>(&statement.command->kind)) {
    const PreparedStatement found = state.statements.Find(execute->name);
    if (found == nullptr || !found->returns_rows) return std::nullopt;
    return found->shape.columns;
  }
  return std::nullopt;
}

}  // namespace tacit::wire::pg
