#include "wire/pg/session/co_try.h"
#include "wire/pg/session/report.h"
#include "wire/pg/session/session.h"
#include "wire/pg/types/codec.h"

// The extended protocol. Parse judges a question and fixes the shape of its answer; only Execute
// runs it, and what it costs is charged then.

namespace tacit::wire::pg {
asio::awaitable<Result<Session::PreparedStatement>> Session::Prepare(std::string text,
                                                                     std::vector<uint32_t> types) {
  auto prepared = std::make_shared<Prepared>();
  prepared->declared_types = types;
  Result<std::vector<sql::Command>> read = sql::ReadCommands(text);
  TACIT_CO_TRY(std::vector<sql::Command> commands, std::move(read));
  prepared->text = std::move(text);
  if (commands.size() > 1) {
    co_return Condition("cannot insert multiple commands into a prepared statement",
                        "syntax_error");
  }
  if (commands.empty()) co_return PreparedStatement(std::move(prepared));
  prepared->command = std::move(commands.front());
  sent_offset_ = prepared->command->offset;
  TACIT_CO_CHECK(CheckBlock(*prepared->command));
  if (std::holds_alternative<sql::AskCommand>(prepared->command->kind)) {
    Result<Shape> shape = co_await AskShape(prepared->command->text, std::move(types));
    TACIT_CO_TRY(prepared->shape, std::move(shape));
    prepared->returns_rows = true;
    co_return PreparedStatement(std::move(prepared));
  }
  // The parameters of DECLARE and COPY are those of the question inside.
  const auto* declare = std::get_if<sql::DeclareCommand>(&prepared->command->kind);
  const auto* copy = std::get_if<sql::CopyCommand>(&prepared->command->kind);
  if (declare == nullptr && copy == nullptr) {
    prepared->shape.parameters = std::move(types);
    co_return PreparedStatement(std::move(prepared));
  }
  sent_offset_ += declare != nullptr ? declare->offset : copy->offset;
  const std::string question = declare != nullptr ? declare->question : copy->question;
  Result<Shape> shape = co_await AskShape(question, std::move(types));
  TACIT_CO_TRY(Shape inner, std::move(shape));
  prepared->shape.parameters = std::move(inner.parameters);
  co_return PreparedStatement(std::move(prepared));
}

size_t Session::Prepared::Bytes() const {
  // The command holds the text again, and a question inside it once more.
  size_t bytes = sizeof *this + 3 * text.size() + 4 * declared_types.size();
  bytes += 4 * shape.parameters.size();
  for (const Column& column : shape.columns) bytes += sizeof column + column.name.size();
  return bytes;
}

Result<Done> Session::CheckRoomFor(const std::string& name, size_t bytes) const {
  if (!name.empty() && statements_.contains(name)) {
    return Condition("prepared statement \"" + name + "\" already exists",
                     "duplicate_prepared_statement");
  }
  // The nameless one takes the place of the one before it.
  const auto before = statements_.find(name);
  const size_t freed = before == statements_.end() ? 0 : before->second->Bytes();
  if ((before == statements_.end() && statements_.size() >= hall_.limits.statements_max) ||
      !statement_bytes_.HasRoomFor(bytes, hall_.limits.statement_bytes, freed)) {
    return Condition("too many prepared statements", "out_of_memory",
                     "close those that are not used any more (DEALLOCATE), or prepare fewer");
  }
  return Done{};
}

Result<Done> Session::KeepStatement(const std::string& name, PreparedStatement statement) {
  const size_t bytes = statement->Bytes();
  TACIT_CHECK(CheckRoomFor(name, bytes));
  if (const auto before = statements_.find(name); before != statements_.end()) {
    ForgetStatement(before);
  }
  statements_.emplace(name, std::move(statement));
  statement_bytes_ += bytes;
  return Done{};
}

void Session::ForgetStatement(std::map<std::string, PreparedStatement>::iterator place) {
  statement_bytes_ -= place->second->Bytes();
  statements_.erase(place);
}

asio::awaitable<Result<Done>> Session::HandleParse(const Frame& frame) {
  TACIT_CO_TRY(ParseMessage message, ReadParse(frame.body));
  sent_ = message.text;
  TACIT_CO_CHECK(CheckRoomFor(message.statement, message.text.size()));
  Result<PreparedStatement> prepared =
      co_await Prepare(std::move(message.text), std::move(message.parameter_types));
  TACIT_CO_TRY(PreparedStatement statement, std::move(prepared));
  TACIT_CO_CHECK(KeepStatement(message.statement, std::move(statement)));
  AddPlain(out_, '1');
  co_return Done{};
}

asio::awaitable<Result<Done>> Session::HandleBind(const Frame& frame) {
  TACIT_CO_TRY(BindMessage message, ReadBind(frame.body));
  const auto found = statements_.find(message.statement);
  if (found == statements_.end()) {
    co_return Condition("prepared statement \"" + message.statement + "\" does not exist",
                        "invalid_sql_statement_name");
  }
  const PreparedStatement statement = found->second;
  sent_ = statement->text;
  if (statement->command) TACIT_CO_CHECK(CheckBlock(*statement->command));
  const std::vector<uint32_t>& types = statement->shape.parameters;
  if (message.parameters.size() != types.size()) {
    co_return Condition("bind message supplies " + std::to_string(message.parameters.size()) +
                            " parameters, but the prepared statement requires " +
                            std::to_string(types.size()),
                        "protocol_violation");
  }
  Portal portal;
  portal.statement = statement;
  portal.formats = std::move(message.result_formats);
  for (size_t i = 0; i < message.parameters.size(); ++i) {
    const std::vector<int16_t>& formats = message.parameter_formats;
    const int16_t format = formats.empty() ? int16_t{0} : formats[formats.size() == 1 ? 0 : i];
    std::optional<std::string>& value = message.parameters[i];
    if (value && format == 1) {
      TACIT_CO_TRY(value, TextOf(types[i], *value));
    }
    if (value && value->find('\0') != std::string::npos) {
      co_return Condition("a parameter contains a zero byte", "invalid_text_representation");
    }
    portal.bytes += sizeof value + (value ? value->size() : 0);
    portal.parameters.push_back(std::move(value));
  }
  const std::optional<std::vector<Column>> columns = ColumnsOf(*statement);
  const size_t count = columns ? columns->size() : 0;
  if (portal.formats.size() > 1 && portal.formats.size() != count) {
    co_return Condition("bind message has " + std::to_string(portal.formats.size()) +
                            " result formats but the query has " + std::to_string(count) +
                            " columns",
                        "protocol_violation");
  }
  if (message.portal.empty()) ErasePortal("");
  if (!portal_bytes_.HasRoomFor(portal.bytes, hall_.limits.portal_bytes)) {
    co_return Condition("too many bound parameters wait in this session", "out_of_memory",
                        "execute or close what is bound already");
  }
  TACIT_CO_CHECK(AddPortal(message.portal, std::move(portal)));
  AddPlain(out_, '2');
  co_return Done{};
}

// Nothing for what returns no rows.
std::optional<std::vector<Column>> Session::ColumnsOf(const Prepared& statement) const {
  if (!statement.command) return std::nullopt;
  if (statement.returns_rows) return statement.shape.columns;
  if (const auto* show = std::get_if<sql::ShowCommand>(&statement.command->kind)) {
    const Result<Table> table = RunShow(*show);
    return table.ok() ? std::optional(table->columns) : std::nullopt;
  }
  if (const auto* fetch = std::get_if<sql::FetchCommand>(&statement.command->kind)) {
    const auto cursor = portals_.find(fetch->cursor);
    if (fetch->move || cursor == portals_.end()) return std::nullopt;
    return ColumnsOf(*cursor->second.statement);
  }
  if (const auto* execute = std::get_if<sql::ExecuteCommand>(&statement.command->kind)) {
    const auto found = statements_.find(execute->name);
    if (found == statements_.end() || !found->second->returns_rows) return std::nullopt;
    return found->second->shape.columns;
  }
  return std::nullopt;
}

asio::awaitable<Result<Done>> Session::HandleDescribe(const Frame& frame) {
  TACIT_CO_TRY(const NamedMessage message, ReadNamed(frame.body));
  std::optional<std::vector<Column>> columns;
  std::vector<int16_t> formats;
  if (message.kind == 'S') {
    const auto found = statements_.find(message.name);
    if (found == statements_.end()) {
      co_return Condition("prepared statement \"" + message.name + "\" does not exist",
                          "invalid_sql_statement_name");
    }
    AddParameterDescription(out_, found->second->shape.parameters);
    columns = ColumnsOf(*found->second);
  } else {
    const auto found = portals_.find(message.name);
    if (found == portals_.end()) {
      co_return Condition("portal \"" + message.name + "\" does not exist", "cursor_not_found");
    }
    columns = ColumnsOf(*found->second.statement);
    formats = found->second.formats;
  }
  if (columns) {
    AddRowDescription(out_, WireColumnsOf(*columns, formats));
  } else {
    AddPlain(out_, 'n');
  }
  co_return Done{};
}

asio::awaitable<Result<Done>> Session::HandleExecute(const Frame& frame) {
  TACIT_CO_TRY(const ExecuteMessage message, ReadExecute(frame.body));
  const auto found = portals_.find(message.portal);
  if (found == portals_.end()) {
    co_return Condition("portal \"" + message.portal + "\" does not exist", "cursor_not_found");
  }
  // Held here while it runs: the command may close what it runs in (CLOSE ALL, COMMIT).
  Portal portal = std::move(found->second);
  portal_bytes_ -= portal.bytes;
  portal.bytes = 0;
  portals_.erase(found);
  const PreparedStatement statement = portal.statement;
  sent_ = statement->text;
  if (!statement->command) {
    AddPlain(out_, 'I');
    co_return AddPortal(message.portal, std::move(portal));
  }
  sent_offset_ = statement->command->offset;
  TACIT_CO_CHECK(CheckBlock(*statement->command));
  if (!portal.table) {
    Result<Done> filled = co_await FillPortal(portal, portal.tag);
    TACIT_CO_CHECK(std::move(filled));
    if (!portal.table) {
      AddCommandComplete(out_, portal.tag);
      co_return Done{};
    }
    SendNotices(portal);
    if (const auto* copy = std::get_if<sql::CopyCommand>(&statement->command->kind)) {
      Result<Done> copied = co_await SendCopy(portal, *copy);
      co_return copied;
    }
  }
  const size_t rows_max = message.rows_max > 0 ? static_cast<size_t>(message.rows_max) : 0;
  const size_t left = portal.table->rows.size() - portal.next_row;
  Result<size_t> sent = co_await SendRows(portal, rows_max);
  TACIT_CO_TRY(const size_t rows, std::move(sent));
  if (rows_max > 0 && left >= rows_max) {
    AddPlain(out_, 's');
    TACIT_CO_CHECK(KeepWaiting(portal));
  } else {
    const std::string& tag = portal.tag;
    AddCommandComplete(out_,
                       tag == "SELECT" || tag == "FETCH" ? tag + " " + std::to_string(rows) : tag);
  }
  co_return AddPortal(message.portal, std::move(portal));
}

Result<Done> Session::HandleClose(const Frame& frame) {
  TACIT_TRY(const NamedMessage message, ReadNamed(frame.body));
  if (message.kind == 'P') {
    ErasePortal(message.name);
  } else if (const auto found = statements_.find(message.name); found != statements_.end()) {
    ForgetStatement(found);
  }
  AddPlain(out_, '3');  // also for a name that nobody has
  return Done{};
}

}  // namespace tacit::wire::pg
