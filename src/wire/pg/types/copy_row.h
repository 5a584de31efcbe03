#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sql/read/command.h"
#include "wire/pg/types/text/client_form.h"

// What COPY TO STDOUT sends: lines of text or CSV, or PostgreSQL's binary tuples.

namespace tacit::wire::pg {

// Before the rows and after them; empty where the format has none.
std::string CopyHead(const sql::CopyCommand& copy, const std::vector<std::string>& names);
std::string CopyTail(const sql::CopyCommand& copy);

// kUnsupported for a type whose binary form is not known here.
Result<std::string> CopyLine(const sql::CopyCommand& copy, const std::vector<Oid>& types,
                             const std::vector<engine::Value>& row, const ClientForm& form = {});

}  // namespace tacit::wire::pg
