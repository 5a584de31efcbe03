#pragma once

#include "policy/policy.h"
#include "wire/pg/state/session_state.h"

// Statements that neither are questions nor ask any: nothing here touches data, or waits.

namespace tacit::wire::pg {

// The command is none that asks: no AskCommand, DeclareCommand, CopyCommand, PrepareCommand,
// ExecuteCommand, FetchCommand or ShowCommand. Errors carry PostgreSQL's condition in `rule`.
Result<CommandDone> RunCommand(const sql::Command& command, SessionState& state);

// SHOW. A price that is not set is the policy's, as in tacit.settings.
Result<Table> Show(const sql::ShowCommand& command, const Settings& settings,
                   const policy::QueryPrice& price);

// The types of PREPARE's parameters by PostgreSQL's numbers; 0 for one that is not declared.
Result<std::vector<uint32_t>> ParameterTypesOf(const sql::PrepareCommand& command);

}  // namespace tacit::wire::pg
