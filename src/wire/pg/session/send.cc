#include "wire/pg/session/send.h"

#include "wire/pg/session/co_try.h"
#include "wire/pg/state/client_text.h"
#include "wire/pg/state/report.h"
#include "wire/pg/types/codec.h"
#include "wire/pg/types/copy_row.h"

namespace tacit::wire::pg {
namespace {

// A row as its bytes: texts or binary, as each column's format says.
Result<Row> CellsOf(const ClientForm& form, const std::vector<WireColumn>& columns,
                    const Values& row) {
  Row cells(row.size());
  for (size_t i = 0; i < row.size(); ++i) {
    if (engine::IsNull(row[i])) continue;
    const Oid type = columns[i].type;
    TACIT_TRY(cells[i],
              columns[i].format == 0 ? TextFor(form, type, row[i]) : BinaryFor(form, type, row[i]));
  }
  return cells;
}

}  // namespace

std::vector<WireColumn> WireColumnsOf(const std::vector<OidColumn>& columns,
                                      const std::vector<int16_t>& formats) {
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

void Tell(Session& session, Report report) {
  AddReport(session.out(), ForClient(session.state.settings, std::move(report)));
}

void SendDescription(Session& session, const std::vector<OidColumn>& columns,
                     const std::vector<int16_t>& formats) {
  std::vector<WireColumn> shown = WireColumnsOf(columns, formats);
  for (WireColumn& column : shown) {
    column.name = ForClient(session.state.settings, std::move(column.name));
  }
  AddRowDescription(session.out(), shown);
}

void SendNotices(Session& session, const Table& table) {
  if (!session.state.settings.SendsNotices()) return;
  for (const std::string& notice : table.notices) {
    Tell(session, {.severity = Severity::kNotice, .state = "00000", .message = notice});
  }
}

void SendComplete(Session& session, const std::string& tag, size_t rows) {
  const bool counts = tag == "SELECT" || tag == "FETCH" || tag == "COPY";
  AddCommandComplete(session.out(), counts ? tag + " " + std::to_string(rows) : tag);
}

asio::awaitable<Result<size_t>> SendRows(Session& session, Portal& portal, size_t rows_max) {
  Table& table = *portal.table;
  const std::vector<WireColumn> columns = WireColumnsOf(table.columns, portal.formats);
  const ClientForm form = FormOf(session.state.settings);
  size_t sent = 0;
  Values row;
  for (; (rows_max == 0 || sent < rows_max) && table.rows.Next(portal.next, row); ++sent) {
    TACIT_CO_TRY(const Row cells, CellsOf(form, columns, row));
    AddDataRow(session.out(), cells);
    const bool taken = co_await session.connection.FlushWhenFull();
    if (!taken) co_return Condition("the client is gone", "protocol_violation");
    table.rows.LetGoBefore(portal.next);
  }
  co_return sent;
}

asio::awaitable<Result<Done>> SendCopy(Session& session, const Table& table,
                                       const sql::CopyCommand& copy) {
  std::string& out = session.out();
  std::vector<std::string> names;
  std::vector<Oid> types;
  for (const OidColumn& column : table.columns) {
    names.push_back(ForClient(session.state.settings, column.name));
    types.push_back(column.type);
  }
  const ClientForm form = FormOf(session.state.settings);
  AddCopyOut(out, copy.format == sql::CopyFormat::kBinary, table.columns.size());
  std::string head = CopyHead(copy, names);
  if (copy.header && !head.empty()) AddCopyData(out, std::exchange(head, ""));
  for (const Values& row : table.rows) {
    TACIT_CO_TRY(const std::string line, CopyLine(copy, types, row, form));
    // A binary head comes with the first row, as PostgreSQL sends it and clients expect it.
    AddCopyData(out, std::exchange(head, "") + line);
    const bool taken = co_await session.connection.FlushWhenFull();
    if (!taken) co_return InvalidArgument("the client is gone");
  }
  if (const std::string tail = head + CopyTail(copy); !tail.empty()) AddCopyData(out, tail);
  AddPlain(out, 'c');
  SendComplete(session, "COPY", table.rows.size());
  co_return Done{};
}

}  // namespace tacit::wire::pg
