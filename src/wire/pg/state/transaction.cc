#include "wire/pg/state/transaction.h"

#include <algorithm>

#include "wire/pg/state/report.h"

namespace tacit::wire::pg {
namespace {

using Block = Transaction::Block;
using sql::TransactionStep;

// Why 1000: a driver that wraps every statement in one releases it too.
constexpr size_t kSavepointsMax = 1000;
// Of the settings that they keep. Why 256 KiB: all that a session may set, eight times; an analyst
// has some hundred sessions.
constexpr size_t kSavepointBytesMax = size_t{256} << 10;

bool EndsBlock(const sql::Command& command) {
  const auto* transaction = std::get_if<sql::TransactionCommand>(&command.kind);
  return transaction != nullptr && (transaction->step == TransactionStep::kCommit ||
                                    transaction->step == TransactionStep::kRollback ||
                                    transaction->step == TransactionStep::kRollbackTo);
}

void Begin(Transaction& transaction, Settings& settings, const Portals& portals) {
  transaction.block = Block::kOpen;
  transaction.began = std::chrono::system_clock::now();
  transaction.portals_born = portals.born();
  settings.Begin();
}

void End(bool commit, Transaction& transaction, Settings& settings, Portals& portals) {
  if (commit) {
    settings.Commit();
  } else {
    settings.Rollback();
    portals.EraseBornAfter(transaction.portals_born);  // those WITH HOLD too
  }
  transaction.block = Block::kNone;
  transaction.began.reset();
  transaction.savepoints.clear();
  EndStatement(transaction, settings, portals);
}

Result<Done> AddSavepoint(const std::string& name, Transaction& transaction, Settings& settings,
                          const Portals& portals) {
  std::vector<Savepoint>& all = transaction.savepoints;
  Settings::Snapshot kept = settings.Keep();
  size_t bytes = kept->bytes;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool counted = i > 0 && all[i].settings == all[i - 1].settings;
    if (!counted) bytes += all[i].settings->bytes;
  }
  if (all.size() >= kSavepointsMax || bytes > kSavepointBytesMax) {
    return Condition("too many savepoints", "program_limit_exceeded");
  }
  all.push_back({.name = name, .settings = std::move(kept), .portals_born = portals.born()});
  return Done{};
}

// The last one of that name.
Result<std::vector<Savepoint>::iterator> FindSavepoint(const std::string& name,
                                                       Transaction& transaction) {
  std::vector<Savepoint>& all = transaction.savepoints;
  const auto found = std::find_if(all.rbegin(), all.rend(),
                                  [&](const Savepoint& each) { return each.name == name; });
  if (found == all.rend()) {
    return Condition("savepoint \"" + name + "\" does not exist", "savepoint_exception");
  }
  return std::prev(found.base());
}

Result<CommandDone> RunBegin(const sql::TransactionCommand& command, Transaction& transaction,
                             Settings& settings, const Portals& portals) {
  CommandDone done{.tag = command.start ? "START TRANSACTION" : "BEGIN"};
  if (transaction.block != Block::kNone) {
    done.warning_state = "25001";
    done.warning = "there is already a transaction in progress";
    return done;
  }
  Begin(transaction, settings, portals);
  return done;
}

Result<CommandDone> RunEnd(const sql::TransactionCommand& command, Transaction& transaction,
                           Settings& settings, Portals& portals) {
  const bool commit =
      command.step == TransactionStep::kCommit && transaction.block != Block::kFailed;
  CommandDone done{.tag = commit ? "COMMIT" : "ROLLBACK"};
  if (transaction.block == Block::kNone) {
    done.warning_state = "25P01";
    done.warning = "there is no transaction in progress";
    return done;
  }
  End(commit, transaction, settings, portals);
  if (command.chain) Begin(transaction, settings, portals);
  return done;
}

}  // namespace

char StatusOf(const Transaction& transaction) {
  switch (transaction.block) {
    case Block::kNone:
      return 'I';
    case Block::kOpen:
      return 'T';
    case Block::kFailed:
      break;
  }
  return 'E';
}

void FailBlock(Transaction& transaction) {
  if (transaction.block == Block::kOpen) transaction.block = Block::kFailed;
}

Result<Done> CheckBlock(const Transaction& transaction, const sql::Command& command) {
  if (transaction.block != Block::kFailed || EndsBlock(command)) return Done{};
  return Condition(
      "current transaction is aborted, commands ignored until end of transaction block",
      "in_failed_sql_transaction");
}

void EndStatement(const Transaction& transaction, Settings& settings, Portals& portals) {
  if (transaction.block != Block::kNone) return;
  settings.Commit();
  portals.EraseWithoutHold();
}

Result<CommandDone> RunTransaction(const sql::TransactionCommand& command, Transaction& transaction,
                                   Settings& settings, Portals& portals) {
  switch (command.step) {
    case TransactionStep::kBegin:
      return RunBegin(command, transaction, settings, portals);
    case TransactionStep::kCommit:
    case TransactionStep::kRollback:
      return RunEnd(command, transaction, settings, portals);
    case TransactionStep::kSavepoint:
      if (transaction.block == Block::kNone) {
        return Condition("SAVEPOINT can only be used in transaction blocks",
                         "no_active_sql_transaction");
      }
      TACIT_CHECK(AddSavepoint(command.savepoint, transaction, settings, portals));
      return CommandDone{.tag = "SAVEPOINT"};
    case TransactionStep::kRelease: {
      TACIT_TRY(const auto place, FindSavepoint(command.savepoint, transaction));
      transaction.savepoints.erase(place, transaction.savepoints.end());
      return CommandDone{.tag = "RELEASE"};
    }
    case TransactionStep::kRollbackTo:
      break;
  }
  TACIT_TRY(const auto place, FindSavepoint(command.savepoint, transaction));
  transaction.savepoints.erase(std::next(place), transaction.savepoints.end());
  settings.GoBackTo(place->settings);
  portals.EraseBornAfter(place->portals_born);
  transaction.block = Block::kOpen;
  return CommandDone{.tag = "ROLLBACK"};
}

}  // namespace tacit::wire::pg
