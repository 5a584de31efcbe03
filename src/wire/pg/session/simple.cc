#include "wire/pg/session/simple.h"

#include "wire/pg/session/asking.h"
#include "wire/pg/session/co_try.h"
#include "wire/pg/session/fill.h"
#include "wire/pg/session/send.h"
#include "wire/pg/state/report.h"
#include "wire/service/front_door.h"

namespace tacit::wire::pg {
namespace {

using Commands = std::vector<sql::Command>;

// Nothing of a batch is charged when a later part of it would be refused.
Later<Done> JudgeBatch(Session& session, const Commands& commands) {
  for (const sql::Command& command : commands) {
    const auto* ask = std::get_if<sql::AskCommand>(&command.kind);
    const auto* copy = std::get_if<sql::CopyCommand>(&command.kind);
    if (ask == nullptr && copy == nullptr) continue;
    session.sent.offset = command.offset + (copy != nullptr ? copy->question.offset : 0);
    Question question = copy != nullptr
                            ? QuestionOf(session, copy->question.text, copy->question.reading)
                            : QuestionOf(session, command.text, ask->reading);
    Result<Shape> shape = co_await AskShape(session, std::move(question));
    TACIT_CO_CHECK(std::move(shape));
  }
  co_return Done{};
}

Later<Done> RunOne(Session& session, const sql::Command& command) {
  auto statement = std::make_shared<Prepared>();
  statement->text = command.text;
  statement->command = command;
  Portal portal;
  portal.statement = std::move(statement);
  Result<Done> filled = co_await FillPortal(session, portal);
  TACIT_CO_CHECK(std::move(filled));
  if (!portal.table) {
    AddCommandComplete(session.out(), portal.tag);
    co_return Done{};
  }
  SendNotices(session, *portal.table);
  if (const auto* copy = std::get_if<sql::CopyCommand>(&command.kind)) {
    Result<Done> copied = co_await SendCopy(session, *portal.table, *copy);
    co_return copied;
  }
  SendDescription(session, portal.table->columns, {});
  Result<size_t> sent = co_await SendRows(session, portal, 0);
  TACIT_CO_TRY(const size_t rows, std::move(sent));
  SendComplete(session, portal.tag, rows);
  co_return Done{};
}

Later<Done> RunBatch(Session& session, const Commands& commands) {
  if (commands.size() > 1) {
    Result<Done> judged = co_await JudgeBatch(session, commands);
    TACIT_CO_CHECK(std::move(judged));
  }
  for (const sql::Command& command : commands) {
    session.sent.offset = command.offset;
    TACIT_CO_CHECK(CheckBlock(session.state.transaction, command));
    Result<Done> done = co_await RunOne(session, command);
    TACIT_CO_CHECK(std::move(done));
    const bool taken = co_await session.connection.FlushWhenFull();
    if (!taken) co_return Condition("the client is gone", "protocol_violation");
  }
  co_return Done{};
}

}  // namespace

asio::awaitable<Result<Done>> RunQueryMessage(Session& session, std::string text) {
  SessionState& state = session.state;
  (void)state.portals.Erase("");
  Result<Commands> read = ReadRequest(session.analyst, text, session.deployment());
  session.sent = {.text = std::move(text), .offset = 0};
  TACIT_CO_TRY(Commands commands, std::move(read));
  const CountedReadings counted(state.statements, commands, session.sent.text.size());
  if (commands.empty()) {
    AddPlain(session.out(), 'I');
    co_return Done{};
  }
  state.transaction.in_batch = commands.size() > 1;
  Result<Done> done = co_await RunBatch(session, commands);
  state.transaction.in_batch = false;
  if (!done.ok()) FailBlock(state.transaction);
  EndStatement(state.transaction, state.settings, state.portals);
  co_return done;
}

}  // namespace tacit::wire::pg
