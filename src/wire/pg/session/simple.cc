#include "wire/pg/session/co_try.h"
#include "wire/pg/session/report.h"
#include "wire/pg/session/session.h"

// The simple protocol: a text of any number of statements, answered in order.

namespace tacit::wire::pg {

asio::awaitable<void> Session::RunQueryMessage(const std::string& text) {
  sent_ = text;
  sent_offset_ = 0;
  ErasePortal("");
  Result<std::vector<sql::Command>> commands = sql::ReadCommands(text);
  if (!commands.ok()) {
    Fail(ReportOf(commands.error(), sent_, 0));
    co_return;
  }
  if (commands->empty()) {
    AddPlain(out_, 'I');
    co_return;
  }
  in_batch_ = commands->size() > 1;
  Result<Done> done = co_await RunBatch(*commands);
  in_batch_ = false;
  if (!done.ok()) Fail(ReportOf(done.error(), sent_, sent_offset_));
  EraseFinishedPortals();
}

asio::awaitable<Result<Done>> Session::RunBatch(const std::vector<sql::Command>& commands) {
  if (commands.size() > 1) {
    Result<Done> judged = co_await JudgeBatch(commands);
    TACIT_CO_CHECK(std::move(judged));
  }
  for (const sql::Command& command : commands) {
    sent_offset_ = command.offset;
    TACIT_CO_CHECK(CheckBlock(command));
    Result<Done> done = co_await RunSimple(command);
    TACIT_CO_CHECK(std::move(done));
    const bool taken = co_await FlushWhenFull();
    if (!taken) co_return Condition("the client is gone", "protocol_violation");
  }
  co_return Done{};
}

// Nothing of a batch is charged when a later part of it would be refused.
asio::awaitable<Result<Done>> Session::JudgeBatch(const std::vector<sql::Command>& commands) {
  for (const sql::Command& command : commands) {
    const auto* copy = std::get_if<sql::CopyCommand>(&command.kind);
    if (!std::holds_alternative<sql::AskCommand>(command.kind) && copy == nullptr) continue;
    sent_offset_ = command.offset + (copy != nullptr ? copy->offset : 0);
    Result<Shape> shape = co_await AskShape(copy != nullptr ? copy->question : command.text, {});
    TACIT_CO_CHECK(std::move(shape));
  }
  co_return Done{};
}

asio::awaitable<Result<Done>> Session::RunSimple(const sql::Command& command) {
  auto statement = std::make_shared<Prepared>();
  statement->text = command.text;
  statement->command = command;
  Portal portal;
  portal.statement = statement;
  std::string tag;
  Result<Done> filled = co_await FillPortal(portal, tag);
  TACIT_CO_CHECK(std::move(filled));
  if (!portal.table) {
    AddCommandComplete(out_, tag);
    co_return Done{};
  }
  SendNotices(portal);
  if (const auto* copy = std::get_if<sql::CopyCommand>(&command.kind)) {
    Result<Done> copied = co_await SendCopy(portal, *copy);
    co_return copied;
  }
  AddRowDescription(out_, WireColumnsOf(portal.table->columns, {}));
  Result<size_t> sent = co_await SendRows(portal, 0);
  TACIT_CO_TRY(const size_t rows, std::move(sent));
  AddCommandComplete(out_,
                     tag == "SELECT" || tag == "FETCH" ? tag + " " + std::to_string(rows) : tag);
  co_return Done{};
}

}  // namespace tacit::wire::pg
