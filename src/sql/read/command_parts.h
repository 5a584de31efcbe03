#pragma once

#include "base/ascii.h"
#include "sql/parse/raw_tree.h"
#include "sql/read/command.h"

// The commands that carry a question or values inside. Internal to sql/read/command.cc.

namespace tacit::sql {

using CommandKind = decltype(Command::kind);

// An OtherCommand that says why when a part of the statement is not answered. `text` is the
// statement and `scan` its tokens. The question inside is not read yet.
CommandKind ReadPrepare(const PgQuery__PrepareStmt& prepare, const std::string& text,
                        const PgQuery__ScanResult& scan);
CommandKind ReadExecute(const PgQuery__ExecuteStmt& execute);
CommandKind ReadCopy(const PgQuery__CopyStmt& copy, const std::string& text,
                     const PgQuery__ScanResult& scan);

}  // namespace tacit::sql
