#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "sql/read/command.h"
#include "wire/pg/prepared/portals.h"
#include "wire/pg/state/settings/settings.h"

// Transaction blocks. Nothing is ever written to the data; what a transaction holds are a session's
// settings and cursors.

namespace tacit::wire::pg {

struct Savepoint {
  std::string name;
  Settings::Snapshot settings;
  uint64_t portals_born = 0;  // before it
};

struct Transaction {
  enum class Block { kNone, kOpen, kFailed };
  Block block = Block::kNone;
  bool in_batch = false;  // several statements at once are a transaction of their own
  std::vector<Savepoint> savepoints = {};
  uint64_t portals_born = 0;                                        // before the open block began
  std::optional<std::chrono::system_clock::time_point> began = {};  // what now() is in it
};

// What a command did: the tag of CommandComplete, and a warning where PostgreSQL warns.
struct CommandDone {
  std::string tag;
  const char* warning_state = nullptr;
  std::string warning = {};
};

// As ReadyForQuery says it: I, T or E.
char StatusOf(const Transaction& transaction);
// An error in a block: nothing but its end is accepted any more.
void FailBlock(Transaction& transaction);
// in_failed_sql_transaction, unless the command ends the failed block.
Result<Done> CheckBlock(const Transaction& transaction, const sql::Command& command);
// After each statement outside a block.
void EndStatement(const Transaction& transaction, Settings& settings, Portals& portals);

Result<CommandDone> RunTransaction(const sql::TransactionCommand& command, Transaction& transaction,
                                   Settings& settings, Portals& portals);

}  // namespace tacit::wire::pg
