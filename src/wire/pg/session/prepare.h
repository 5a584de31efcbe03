#pragma once

#include "wire/pg/session/session.h"

// Statements before they run: judged, and the shape of their answers fixed.

namespace tacit::wire::pg {

// What a text says, and the shape of its answer. session.sent.offset is where an error points to.
Later<Prepared> Prepare(Session& session, std::string text, std::vector<uint32_t> types);
// The same of a question that was read already, inside another command.
Later<Prepared> PrepareQuestion(Session& session, const sql::QuestionInside& question,
                                std::vector<uint32_t> types);
// PREPARE name AS question
Later<CommandDone> RunPrepare(Session& session, const sql::PrepareCommand& command, int offset);

// The columns that it returns; nothing for what returns no rows.
std::optional<std::vector<OidColumn>> ColumnsOf(const Session& session, const Prepared& statement);

}  // namespace tacit::wire::pg
