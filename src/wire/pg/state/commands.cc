#include "wire/pg/state/commands.h"

#include <algorithm>

#include "catalog/types.h"
#include "wire/pg/state/report.h"
#include "wire/pg/types/codec.h"

namespace tacit::wire::pg {
namespace {

using Block = Transaction::Block;

Result<CommandDone> Run(const sql::TransactionCommand& command, SessionState& state) {
  return RunTransaction(command, state.transaction, state.settings, state.portals);
}

Result<CommandDone> Run(const sql::SetCommand& command, SessionState& state) {
  CommandDone done{.tag = command.reset ? "RESET" : "SET"};
  if (command.name.empty()) {
    state.settings.ResetAll();
    return done;
  }
  const Transaction& transaction = state.transaction;
  if (command.local && transaction.block == Block::kNone && !transaction.in_batch) {
    done.warning_state = "25P01";
    done.warning = "SET LOCAL can only be used in transaction blocks";
    return done;
  }
  TACIT_CHECK(state.settings.Set(command.name, command.value, command.local));
  return done;
}

Result<CommandDone> Run(const sql::CloseCommand& command, SessionState& state) {
  if (command.cursor.empty()) {
    state.portals.Clear();
    return CommandDone{.tag = "CLOSE CURSOR ALL"};
  }
  if (!state.portals.Erase(command.cursor)) {
    return Condition("cursor \"" + command.cursor + "\" does not exist", "cursor_not_found");
  }
  return CommandDone{.tag = "CLOSE CURSOR"};
}

Result<CommandDone> Run(const sql::DiscardCommand& command, SessionState& state) {
  switch (command.target) {
    case sql::DiscardTarget::kPlans:
      return CommandDone{.tag = "DISCARD PLANS"};
    case sql::DiscardTarget::kSequences:
      return CommandDone{.tag = "DISCARD SEQUENCES"};
    case sql::DiscardTarget::kTemp:
      return CommandDone{.tag = "DISCARD TEMP"};
    case sql::DiscardTarget::kAll:
      break;
  }
  if (state.transaction.block != Block::kNone) {
    return Condition("DISCARD ALL cannot run inside a transaction block", "active_sql_transaction");
  }
  state.portals.Clear();
  state.statements.Clear();
  state.settings.ResetAll();
  state.last = nullptr;
  return CommandDone{.tag = "DISCARD ALL"};
}

Result<CommandDone> Run(const sql::DeallocateCommand& command, SessionState& state) {
  if (command.name.empty()) {
    state.statements.Clear();
    return CommandDone{.tag = "DEALLOCATE ALL"};
  }
  if (!state.statements.Forget(command.name)) {
    return Condition("prepared statement \"" + command.name + "\" does not exist",
                     "invalid_sql_statement_name");
  }
  return CommandDone{.tag = "DEALLOCATE"};
}

Result<CommandDone> Run(const sql::ListenCommand& command, SessionState&) {
  return CommandDone{.tag = command.listen ? "LISTEN" : "UNLISTEN"};
}

Result<CommandDone> Run(const sql::SetTransactionCommand&, SessionState&) {
  return CommandDone{.tag = "SET"};
}

Error NotAnswered(const sql::OtherCommand& other, const std::string& tag) {
  if (other.writes) {
    return Condition("cannot execute " + tag + " here: this server answers questions",
                     "read_only_sql_transaction", "send a SELECT or EXPLAIN SELECT");
  }
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = (other.why.empty() ? tag : other.why) + " is not supported",
               .hint = other.hint.empty() ? "send the SELECT itself" : other.hint,
               .position = 0,
               .private_detail = ""};
}

}  // namespace

Result<CommandDone> RunCommand(const sql::Command& command, SessionState& state) {
  if (const auto* other = std::get_if<sql::OtherCommand>(&command.kind)) {
    return NotAnswered(*other, command.tag);
  }
  return std::visit(
      [&](const auto& kind) -> Result<CommandDone> {
        if constexpr (requires { Run(kind, state); }) {
          return Run(kind, state);
        } else {
          return NotAnswered(sql::OtherCommand{}, command.tag);
        }
      },
      command.kind);
}

Result<Table> Show(const sql::ShowCommand& command, const Settings& settings,
                   const policy::QueryPrice& price) {
  Table table;
  if (command.name == "all") {
    for (const char* name : {"name", "setting", "description"}) {
      table.columns.push_back({.name = name, .type = oid::kText});
    }
    for (const std::vector<std::string>& row : settings.ShowAll()) {
      table.rows.push_back(Values(row.begin(), row.end()));
    }
    return table;
  }
  TACIT_TRY(std::string value, settings.Show(command.name));
  if (value.empty() && command.name == "tacit.epsilon") value = ToString(price.epsilon.value);
  if (value.empty() && command.name == "tacit.delta") value = ToString(price.delta.value);
  table.columns.push_back({.name = command.name, .type = oid::kText});
  table.rows.push_back({engine::Value(std::move(value))});
  return table;
}

Result<std::vector<uint32_t>> ParameterTypesOf(const sql::PrepareCommand& command) {
  constexpr Oid kTaken[] = {oid::kBool,   oid::kInt2,     oid::kInt4,      oid::kInt8,
                            oid::kFloat4, oid::kFloat8,   oid::kText,      oid::kVarchar,
                            oid::kBpchar, oid::kDate,     oid::kTimestamp, oid::kTimestampTz,
                            oid::kUuid,   oid::kInterval, oid::kNumeric,   oid::kUnknown};
  std::vector<uint32_t> types;
  for (const std::string& name : command.types) {
    const catalog::TypeFacts* type = catalog::FindTypeNamed(name);
    if (type == nullptr ||
        std::find(std::begin(kTaken), std::end(kTaken), type->oid) == std::end(kTaken)) {
      return Condition("type \"" + name + "\" is none of a parameter here", "undefined_object");
    }
    types.push_back(type->oid == oid::kUnknown ? 0 : type->oid);
  }
  return types;
}

}  // namespace tacit::wire::pg
