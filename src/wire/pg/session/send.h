#pragma once

#include "wire/pg/session/session.h"

// Answers on their way to the client.

namespace tacit::wire::pg {

// Columns as they are described; without formats all are text, and one format is that of all.
std::vector<WireColumn> WireColumnsOf(const std::vector<OidColumn>& columns,
                                      const std::vector<int16_t>& formats);

// A report, in the client's encoding.
void Tell(Session& session, Report report);
void SendDescription(Session& session, const std::vector<OidColumn>& columns,
                     const std::vector<int16_t>& formats);
void SendNotices(Session& session, const Table& table);
// At most `rows_max` more rows; 0: all.
Later<size_t> SendRows(Session& session, Portal& portal, size_t rows_max);
// COPY (question) TO STDOUT: the answer as a file.
Later<Done> SendCopy(Session& session, const Table& table, const sql::CopyCommand& copy);
// With the number of rows, where the tag has one.
void SendComplete(Session& session, const std::string& tag, size_t rows);

}  // namespace tacit::wire::pg
