#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "wire/pg/protocol/message.h"
#include "wire/words/sql_state.h"

namespace tacit::wire::pg {

// An error as the client sees it: its public text, its SQLSTATE, and its place in what was sent.
// `offset` is where the question starts in it. The private detail stays behind.
Report ReportOf(const Error& error, std::string_view sent = {}, int offset = 0);

// An error that has a condition name of PostgreSQL's, which decides its SQLSTATE.
Error Condition(std::string message, const char* rule, std::string hint = "");

}  // namespace tacit::wire::pg
