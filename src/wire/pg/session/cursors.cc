#include "wire/pg/session/co_try.h"
#include "wire/pg/session/report.h"
#include "wire/pg/session/session.h"
#include "wire/pg/types/codec.h"

// Portals and cursors: a question that is answered once, and read in pieces.

namespace tacit::wire::pg {
namespace {

size_t BytesOf(const Table& table, size_t from) {
  size_t bytes = 0;
  for (size_t i = from; i < table.rows.size(); ++i) {
    bytes += sizeof(Row);
    for (const auto& cell : table.rows[i]) bytes += sizeof cell + (cell ? cell->size() : 0);
  }
  return bytes;
}

}  // namespace

std::vector<WireColumn> Session::WireColumnsOf(const std::vector<Column>& columns,
                                               const std::vector<int16_t>& formats) const {
  std::vector<WireColumn> shown;
  for (size_t i = 0; i < columns.size(); ++i) {
    const int16_t format = formats.empty()       ? int16_t{0}
                           : formats.size() == 1 ? formats[0]
                           : i < formats.size()  ? formats[i]
                                                 : int16_t{0};
    shown.push_back({.name = columns[i].name,
                     .type = columns[i].type,
                     .modifier = columns[i].modifier,
                     .length = LengthOf(columns[i].type),
                     .format = format});
  }
  return shown;
}

Result<Done> Session::AddPortal(const std::string& name, Portal portal) {
  if (!name.empty() && portals_.contains(name)) {
    return Condition("cursor \"" + name + "\" already exists", "duplicate_cursor");
  }
  if (portals_.size() >= hall_.limits.portals_max) {
    return Condition("too many open cursors in this session", "program_limit_exceeded");
  }
  portal_bytes_ += portal.bytes;
  portals_.insert_or_assign(name, std::move(portal));
  return Done{};
}

void Session::ErasePortal(const std::string& name) {
  const auto found = portals_.find(name);
  if (found == portals_.end()) return;
  portal_bytes_ -= found->second.bytes;
  portals_.erase(found);
}

// Outside a transaction block every statement is a transaction of its own, and takes its portals
// with it.
void Session::EraseFinishedPortals() {
  if (block_ != Block::kNone) return;
  settings_->Commit();
  for (auto portal = portals_.begin(); portal != portals_.end();) {
    const auto next = std::next(portal);
    if (!portal->second.hold) ErasePortal(portal->first);
    portal = next;
  }
}

asio::awaitable<Result<Done>> Session::FillPortal(Portal& portal, std::string& tag) {
  const PreparedStatement statement = portal.statement;
  const sql::Command& command = *statement->command;
  if (const auto* declare = std::get_if<sql::DeclareCommand>(&command.kind)) {
    tag = "DECLARE CURSOR";
    Result<Done> declared = co_await Declare(*declare, command.offset, statement->shape.parameters,
                                             std::move(portal.parameters));
    co_return declared;
  }
  if (const auto* copy = std::get_if<sql::CopyCommand>(&command.kind)) {
    tag = "COPY";
    sent_offset_ = command.offset + copy->offset;
    if (copy->format == sql::CopyFormat::kBinary) portal.formats = {1};
    Result<Done> asked = co_await FillByAsking(portal, copy->question);
    co_return asked;
  }
  if (const auto* execute = std::get_if<sql::ExecuteCommand>(&command.kind)) {
    Result<Done> executed = co_await FillByExecute(portal, *execute, tag);
    co_return executed;
  }
  if (!std::holds_alternative<sql::AskCommand>(command.kind)) {
    Result<std::optional<Table>> run = co_await RunCommand(command, tag);
    TACIT_CO_TRY(portal.table, std::move(run));
    co_return Done{};
  }
  tag = command.tag.starts_with("EXPLAIN") ? "EXPLAIN" : "SELECT";
  Result<Done> asked = co_await FillByAsking(portal, command.text);
  co_return asked;
}

asio::awaitable<Result<Done>> Session::FillByAsking(Portal& portal, std::string text) {
  Result<Table> asked = co_await Ask(std::move(text), portal.statement->shape.parameters,
                                     std::move(portal.parameters));
  TACIT_CO_TRY(Table table, std::move(asked));
  for (const catalog::Answer::Change& change : table.changes) {
    TACIT_CO_CHECK(settings_->Set(change.name, change.value, change.local));
  }
  if (portal.statement->returns_rows && table.columns != portal.statement->shape.columns) {
    co_return Error{.code = ErrorCode::kUnsupported,
                    .public_message = "cached plan must not change result type",
                    .hint = "the policy or a setting changed: prepare the statement again",
                    .position = std::nullopt,
                    .private_detail = ""};
  }
  for (const WireColumn& column : WireColumnsOf(table.columns, portal.formats)) {
    if (column.format == 1 && !HasBinary(column.type)) {
      TACIT_CO_CHECK(BinaryOf(column.type, ""));
    }
  }
  portal.table = std::move(table);
  co_return Done{};
}

asio::awaitable<Result<Done>> Session::FillByExecute(Portal& portal,
                                                     const sql::ExecuteCommand& command,
                                                     std::string& tag) {
  const auto found = statements_.find(command.name);
  if (found == statements_.end()) {
    co_return Condition("prepared statement \"" + command.name + "\" does not exist",
                        "invalid_sql_statement_name");
  }
  Portal inside;
  inside.statement = found->second;
  inside.parameters = command.values;
  inside.formats = portal.formats;
  if (!inside.statement->returns_rows) {
    co_return Condition("EXECUTE runs a prepared SELECT", "feature_not_supported");
  }
  const size_t wanted = inside.statement->shape.parameters.size();
  if (command.values.size() != wanted) {
    co_return Condition("wrong number of parameters for prepared statement \"" + command.name +
                            "\": it takes " + std::to_string(wanted),
                        "syntax_error");
  }
  Result<Done> filled = co_await FillPortal(inside, tag);
  if (!filled.ok()) {
    Error error = std::move(filled).error();
    error.position = std::nullopt;  // it is a place in another text
    co_return error;
  }
  portal.table = std::move(inside.table);
  co_return Done{};
}

void Session::SendNotices(Portal& portal) {
  if (!settings_->SendsNotices()) return;
  for (const std::string& notice : portal.table->notices) {
    AddReport(out_, {.severity = Severity::kNotice, .state = "00000", .message = notice});
  }
}

asio::awaitable<Result<size_t>> Session::SendRows(Portal& portal, size_t rows_max) {
  Table& table = *portal.table;
  const std::vector<WireColumn> columns = WireColumnsOf(table.columns, portal.formats);
  const size_t first = portal.next_row;
  size_t end = table.rows.size();
  if (rows_max > 0) end = std::min(end, first + rows_max);
  for (; portal.next_row < end; ++portal.next_row) {
    Row row = std::move(table.rows[portal.next_row]);
    for (size_t i = 0; i < row.size(); ++i) {
      if (!row[i] || columns[i].format == 0) continue;
      TACIT_CO_TRY(row[i], BinaryOf(columns[i].type, *row[i]));
    }
    AddDataRow(out_, row);
    if (out_.size() < kFlushBytes) continue;
    const bool written = co_await Flush();
    if (!written) co_return Condition("the client is gone", "protocol_violation");
  }
  co_return end - first;
}

// The rows that were not fetched yet stay in memory, up to a limit.
Result<Done> Session::KeepWaiting(Portal& portal) {
  portal.bytes = BytesOf(*portal.table, portal.next_row);
  if (portal_bytes_.HasRoomFor(portal.bytes, hall_.limits.portal_bytes)) return Done{};
  portal.bytes = 0;
  return Condition("too many rows wait in the cursors of this session", "out_of_memory",
                   "fetch them all at once, or ask for fewer");
}

asio::awaitable<Result<Done>> Session::Declare(const sql::DeclareCommand& command, int offset,
                                               std::vector<uint32_t> types, Row parameters) {
  if (block_ == Block::kNone && !in_batch_ && !command.hold) {
    co_return Condition("DECLARE CURSOR can only be used in transaction blocks",
                        "no_active_sql_transaction");
  }
  const std::string sent = sent_;
  Result<PreparedStatement> prepared = co_await Prepare(command.question, std::move(types));
  sent_ = sent;
  sent_offset_ = offset + command.offset;
  TACIT_CO_TRY(PreparedStatement statement, std::move(prepared));
  if (!statement->returns_rows) {
    co_return Condition("a cursor reads the answer of a SELECT", "syntax_error");
  }
  Portal portal;
  portal.statement = std::move(statement);
  portal.parameters = std::move(parameters);
  portal.hold = command.hold;
  if (command.binary) portal.formats = {1};
  co_return AddPortal(command.cursor, std::move(portal));
}

asio::awaitable<Result<Table>> Session::Fetch(const sql::FetchCommand& command) {
  const auto found = portals_.find(command.cursor);
  if (found == portals_.end()) {
    co_return Condition("cursor \"" + command.cursor + "\" does not exist", "cursor_not_found");
  }
  if (!command.forward) {
    co_return Condition("cursor can only scan forward", "object_not_in_prerequisite_state",
                        "declare it anew: the same question again costs nothing");
  }
  if (!found->second.table) {
    Portal portal = found->second;
    std::string tag;
    Result<Done> filled = co_await FillPortal(portal, tag);
    TACIT_CO_CHECK(std::move(filled));
    ErasePortal(command.cursor);
    TACIT_CO_CHECK(KeepWaiting(portal));
    TACIT_CO_CHECK(AddPortal(command.cursor, std::move(portal)));
  }
  Portal& portal = portals_.at(command.cursor);
  Table& table = *portal.table;
  Table piece;
  piece.columns = table.columns;
  piece.notices = std::move(table.notices);
  table.notices.clear();
  size_t end = table.rows.size();
  if (command.count && static_cast<uint64_t>(*command.count) < end - portal.next_row) {
    end = portal.next_row + static_cast<size_t>(*command.count);
  }
  for (; portal.next_row < end; ++portal.next_row) {
    piece.rows.push_back(std::move(table.rows[portal.next_row]));
  }
  portal_bytes_ -= portal.bytes;
  portal.bytes = BytesOf(table, portal.next_row);
  portal_bytes_ += portal.bytes;
  co_return piece;
}

Result<Done> Session::CloseCursor(const std::string& name) {
  if (name.empty()) {
    for (auto portal = portals_.begin(); portal != portals_.end();) {
      const auto next = std::next(portal);
      ErasePortal(std::string(portal->first));
      portal = next;
    }
    return Done{};
  }
  if (!portals_.contains(name)) {
    return Condition("cursor \"" + name + "\" does not exist", "cursor_not_found");
  }
  ErasePortal(name);
  return Done{};
}

}  // namespace tacit::wire::pg
