#include "wire/pg/session/co_try.h"
#include "wire/pg/session/session.h"
#include "wire/pg/types/copy_row.h"

// COPY (question) TO STDOUT: the answer as a file.

namespace tacit::wire::pg {
asio::awaitable<Result<Done>> Session::SendCopy(Portal& portal, const sql::CopyCommand& copy) {
  const Table table = std::move(*portal.table);
  std::vector<std::string> names;
  std::vector<Oid> types;
  for (const Column& column : table.columns) {
    names.push_back(column.name);
    types.push_back(column.type);
  }
  AddCopyOut(out_, copy.format == sql::CopyFormat::kBinary, table.columns.size());
  std::string head = CopyHead(copy, names);
  if (copy.header && !head.empty()) AddCopyData(out_, std::exchange(head, ""));
  for (const Row& row : table.rows) {
    TACIT_CO_TRY(const std::string line, CopyLine(copy, types, row));
    // A binary head comes with the first row, as PostgreSQL sends it and clients expect it.
    AddCopyData(out_, std::exchange(head, "") + line);
    if (out_.size() < kFlushBytes) continue;
    const bool written = co_await Flush();
    if (!written) co_return InvalidArgument("the client is gone");
  }
  if (const std::string tail = head + CopyTail(copy); !tail.empty()) AddCopyData(out_, tail);
  AddPlain(out_, 'c');
  AddCommandComplete(out_, "COPY " + std::to_string(table.rows.size()));
  co_return Done{};
}

}  // namespace tacit::wire::pg
