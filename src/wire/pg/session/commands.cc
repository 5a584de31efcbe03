#include <algorithm>

#include "wire/pg/session/co_try.h"
#include "wire/pg/session/report.h"
#include "wire/pg/session/session.h"
#include "wire/pg/types/codec.h"

// Statements that are no questions: nothing here touches data.

namespace tacit::wire::pg {
namespace {

// Why 1000: a driver that wraps every statement in one releases it too.
constexpr size_t kSavepointsMax = 1000;
// Of the settings that they keep. Why 4 MiB: as much as the texts of prepared statements may take.
constexpr size_t kSavepointBytesMax = size_t{4} << 20;

bool EndsBlock(const sql::Command& command) {
  const auto* transaction = std::get_if<sql::TransactionCommand>(&command.kind);
  return transaction != nullptr && (transaction->step == sql::TransactionStep::kCommit ||
                                    transaction->step == sql::TransactionStep::kRollback ||
                                    transaction->step == sql::TransactionStep::kRollbackTo);
}

}  // namespace

Result<Done> Session::CheckBlock(const sql::Command& command) const {
  if (block_ != Block::kFailed || EndsBlock(command)) return Done{};
  return Condition(
      "current transaction is aborted, commands ignored until end of transaction block",
      "in_failed_sql_transaction");
}

void Session::EndBlock(bool commit) {
  if (commit) {
    settings_->Commit();
  } else {
    settings_->Rollback();
  }
  block_ = Block::kNone;
  savepoints_.clear();
  EraseFinishedPortals();
}

Result<Done> Session::AddSavepoint(const std::string& name) {
  Settings::Snapshot settings = settings_->Keep();
  size_t bytes = settings->bytes;
  for (size_t i = 0; i < savepoints_.size(); ++i) {
    const bool counted = i > 0 && savepoints_[i].settings == savepoints_[i - 1].settings;
    if (!counted) bytes += savepoints_[i].settings->bytes;
  }
  if (savepoints_.size() >= kSavepointsMax || bytes > kSavepointBytesMax) {
    return Condition("too many savepoints", "program_limit_exceeded");
  }
  savepoints_.push_back({.name = name, .settings = std::move(settings)});
  return Done{};
}

Result<Done> Session::RunTransaction(const sql::TransactionCommand& command, std::string& tag) {
  const auto savepoint = [&]() -> Result<std::vector<Savepoint>::iterator> {
    const auto found =
        std::find_if(savepoints_.rbegin(), savepoints_.rend(),
                     [&](const Savepoint& each) { return each.name == command.savepoint; });
    if (found == savepoints_.rend()) {
      return Condition("savepoint \"" + command.savepoint + "\" does not exist",
                       "savepoint_exception");
    }
    return std::prev(found.base());
  };
  switch (command.step) {
    case sql::TransactionStep::kBegin:
      tag = command.start ? "START TRANSACTION" : "BEGIN";
      if (block_ != Block::kNone) {
        Warn("25001", "there is already a transaction in progress");
        return Done{};
      }
      block_ = Block::kOpen;
      settings_->Begin();
      return Done{};
    case sql::TransactionStep::kCommit:
    case sql::TransactionStep::kRollback: {
      const bool commit = command.step == sql::TransactionStep::kCommit && block_ != Block::kFailed;
      tag = commit ? "COMMIT" : "ROLLBACK";
      if (block_ == Block::kNone) {
        Warn("25P01", "there is no transaction in progress");
        return Done{};
      }
      EndBlock(commit);
      if (command.chain) {
        block_ = Block::kOpen;
        settings_->Begin();
      }
      return Done{};
    }
    case sql::TransactionStep::kSavepoint:
      tag = "SAVEPOINT";
      if (block_ == Block::kNone) {
        return Condition("SAVEPOINT can only be used in transaction blocks",
                         "no_active_sql_transaction");
      }
      return AddSavepoint(command.savepoint);
    case sql::TransactionStep::kRelease: {
      tag = "RELEASE";
      TACIT_TRY(const auto place, savepoint());
      savepoints_.erase(place, savepoints_.end());
      return Done{};
    }
    case sql::TransactionStep::kRollbackTo: {
      tag = "ROLLBACK";
      TACIT_TRY(const auto place, savepoint());
      savepoints_.erase(std::next(place), savepoints_.end());
      settings_->GoBackTo(place->settings);
      block_ = Block::kOpen;
      return Done{};
    }
  }
  return Done{};
}

Result<Done> Session::RunSet(const sql::SetCommand& command, std::string& tag) {
  tag = command.reset ? "RESET" : "SET";
  if (command.name.empty()) {
    settings_->ResetAll();
    return Done{};
  }
  if (command.local && block_ == Block::kNone && !in_batch_) {
    Warn("25P01", "SET LOCAL can only be used in transaction blocks");
    return Done{};
  }
  return settings_->Set(command.name, command.value, command.local);
}

Result<Table> Session::RunShow(const sql::ShowCommand& command) const {
  Table table;
  if (command.name == "all") {
    for (const char* name : {"name", "setting", "description"}) {
      table.columns.push_back({.name = name, .type = kText});
    }
    for (const std::vector<std::string>& row : settings_->ShowAll()) {
      table.rows.emplace_back(row.begin(), row.end());
    }
    return table;
  }
  TACIT_TRY(std::string value, settings_->Show(command.name));
  // Unset is the policy's, as in tacit.settings.
  const TermsInForce terms = hall_.house.terms();
  const policy::QueryPrice& price = terms->policy.privacy.query;
  if (value.empty() && command.name == "tacit.epsilon") value = ToString(price.epsilon.value);
  if (value.empty() && command.name == "tacit.delta") value = ToString(price.delta.value);
  table.columns.push_back({.name = command.name, .type = kText});
  table.rows.push_back({std::move(value)});
  return table;
}

void Session::RunDiscard(const sql::DiscardCommand& command, std::string& tag) {
  switch (command.target) {
    case sql::DiscardTarget::kAll:
      tag = "DISCARD ALL";
      (void)CloseCursor("");
      statements_.clear();
      statement_bytes_.Clear();
      settings_->ResetAll();
      return;
    case sql::DiscardTarget::kPlans:
      tag = "DISCARD PLANS";
      return;
    case sql::DiscardTarget::kSequences:
      tag = "DISCARD SEQUENCES";
      return;
    case sql::DiscardTarget::kTemp:
      tag = "DISCARD TEMP";
      return;
  }
}

asio::awaitable<Result<Done>> Session::RunPrepare(const sql::PrepareCommand& command, int offset) {
  struct Named {
    std::string_view name;
    Oid type;
  };
  static constexpr Named kTypes[] = {
      {"bool", kBool},      {"int2", kInt2},           {"int4", kInt4},
      {"int8", kInt8},      {"float4", kFloat4},       {"float8", kFloat8},
      {"text", kText},      {"varchar", kVarchar},     {"bpchar", kBpchar},
      {"date", kDate},      {"timestamp", kTimestamp}, {"timestamptz", kTimestampTz},
      {"uuid", kUuid},      {"interval", kInterval},   {"numeric", kNumeric},
      {"unknown", kUnknown}};
  std::vector<uint32_t> types;
  for (const std::string& name : command.types) {
    const auto known = std::find_if(std::begin(kTypes), std::end(kTypes),
                                    [&](const Named& type) { return type.name == name; });
    if (known == std::end(kTypes)) {
      co_return Condition("type \"" + name + "\" is none of a parameter here", "undefined_object");
    }
    types.push_back(known->type == kUnknown ? 0 : known->type);
  }
  TACIT_CO_CHECK(CheckRoomFor(command.name, command.question.size()));
  const int whole = offset + command.offset;
  sent_offset_ = 0;
  Result<PreparedStatement> prepared = co_await Prepare(command.question, std::move(types));
  sent_offset_ += whole;
  TACIT_CO_TRY(PreparedStatement statement, std::move(prepared));
  if (!statement->returns_rows) {
    co_return Condition("PREPARE takes a SELECT here", "feature_not_supported");
  }
  co_return KeepStatement(command.name, std::move(statement));
}

Result<Done> Session::RunDeallocate(const sql::DeallocateCommand& command, std::string& tag) {
  tag = command.name.empty() ? "DEALLOCATE ALL" : "DEALLOCATE";
  if (command.name.empty()) {
    statements_.clear();
    statement_bytes_.Clear();
    return Done{};
  }
  const auto found = statements_.find(command.name);
  if (found == statements_.end()) {
    return Condition("prepared statement \"" + command.name + "\" does not exist",
                     "invalid_sql_statement_name");
  }
  ForgetStatement(found);
  return Done{};
}

asio::awaitable<Result<std::optional<Table>>> Session::RunCommand(const sql::Command& command,
                                                                  std::string& tag) {
  const std::optional<Table> nothing;
  if (const auto* transaction = std::get_if<sql::TransactionCommand>(&command.kind)) {
    TACIT_CO_CHECK(RunTransaction(*transaction, tag));
  } else if (const auto* set = std::get_if<sql::SetCommand>(&command.kind)) {
    TACIT_CO_CHECK(RunSet(*set, tag));
  } else if (const auto* show = std::get_if<sql::ShowCommand>(&command.kind)) {
    tag = "SHOW";
    TACIT_CO_TRY(Table table, RunShow(*show));
    co_return std::optional<Table>(std::move(table));
  } else if (const auto* fetch = std::get_if<sql::FetchCommand>(&command.kind)) {
    Result<Table> fetched = co_await Fetch(*fetch);
    TACIT_CO_TRY(Table table, std::move(fetched));
    tag = "FETCH";
    if (!fetch->move) co_return std::optional<Table>(std::move(table));
    tag = "MOVE " + std::to_string(table.rows.size());
  } else if (const auto* close = std::get_if<sql::CloseCommand>(&command.kind)) {
    tag = close->cursor.empty() ? "CLOSE CURSOR ALL" : "CLOSE CURSOR";
    TACIT_CO_CHECK(CloseCursor(close->cursor));
  } else if (const auto* discard = std::get_if<sql::DiscardCommand>(&command.kind)) {
    if (discard->target == sql::DiscardTarget::kAll && block_ != Block::kNone) {
      co_return Condition("DISCARD ALL cannot run inside a transaction block",
                          "active_sql_transaction");
    }
    RunDiscard(*discard, tag);
  } else if (const auto* deallocate = std::get_if<sql::DeallocateCommand>(&command.kind)) {
    TACIT_CO_CHECK(RunDeallocate(*deallocate, tag));
  } else if (const auto* prepare = std::get_if<sql::PrepareCommand>(&command.kind)) {
    tag = "PREPARE";
    Result<Done> prepared = co_await RunPrepare(*prepare, command.offset);
    TACIT_CO_CHECK(std::move(prepared));
  } else if (const auto* listen = std::get_if<sql::ListenCommand>(&command.kind)) {
    tag = listen->listen ? "LISTEN" : "UNLISTEN";
  } else if (std::holds_alternative<sql::SetTransactionCommand>(command.kind)) {
    tag = "SET";
  } else {
    const auto& other = std::get<sql::OtherCommand>(command.kind);
    if (other.writes) {
      co_return Condition("cannot execute " + command.tag + " here: this server answers questions",
                          "read_only_sql_transaction", "send a SELECT or EXPLAIN SELECT");
    }
    const std::string what = other.why.empty() ? command.tag : other.why;
    co_return Error{.code = ErrorCode::kUnsupported,
                    .public_message = what + " is not supported",
                    .hint = other.hint.empty() ? "send the SELECT itself" : other.hint,
                    .position = 0,
                    .private_detail = ""};
  }
  co_return nothing;
}

}  // namespace tacit::wire::pg
