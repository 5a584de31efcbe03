#pragma once

#include "wire/pg/session/session.h"

// What a session has carried out by a worker.

namespace tacit::wire::pg {

// A question of this session, with its settings, that comes now.
Question QuestionOf(const Session& session, std::string text, sql::SharedReading reading);

// The answer, at the instant at which it may leave. A cancel request and statement_timeout end the
// waiting, not the work.
Later<Table> Ask(Session& session, Question question);
// The columns that the answer would have; leaves at once.
Later<Shape> AskShape(Session& session, Question question);

}  // namespace tacit::wire::pg
