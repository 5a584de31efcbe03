#include "ledger/sqlite/database.h"

namespace tacit::ledger {
namespace {

// Why 128 MiB: twice the largest stored answer; a damaged length field cannot ask for more.
constexpr int kValueBytesMax = 128 << 20;

const char* PublicReason(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "it is busy with other charges";
    case SQLITE_FULL:
      return "the disk is full";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "it is read-only";
    case SQLITE_CANTOPEN:
      return "it cannot be opened";
    case SQLITE_NOTADB:
      return "the file is not a ledger";
    case SQLITE_CORRUPT:
      return "the file is damaged";
    case SQLITE_IOERR:
      return "the disk reported an error";
    case SQLITE_NOMEM:
      return "there is no memory for it";
    default:
      return "the database reported an error";
  }
}

}  // namespace

SqliteStatement::SqliteStatement(SqliteDatabase& database, IdleStatements::node_type taken)
    : database_(&database), taken_(std::move(taken)), statement_(taken_.mapped()) {}

SqliteStatement::~SqliteStatement() {
  if (!taken_.empty()) database_->Return(std::move(taken_));
}

SqliteStatement& SqliteStatement::Bind(int64_t value) {
  const int code = sqlite3_bind_int64(statement_, next_parameter_++, value);
  if (code != SQLITE_OK) failure_ = code;
  return *this;
}

SqliteStatement& SqliteStatement::Bind(std::string_view text) {
  const int code = sqlite3_bind_text64(statement_, next_parameter_++, text.data(), text.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) failure_ = code;
  return *this;
}

SqliteStatement& SqliteStatement::BindBlob(std::string_view bytes) {
  // A null pointer would bind NULL instead of an empty blob.
  const char* start = bytes.empty() ? "" : bytes.data();
  const int code =
      sqlite3_bind_blob64(statement_, next_parameter_++, start, bytes.size(), SQLITE_TRANSIENT);
  if (code != SQLITE_OK) failure_ = code;
  return *this;
}

Result<bool> SqliteStatement::Step() {
  if (failure_ != SQLITE_OK) return database_->Failure(failure_, "read or written");
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return database_->Failure(code, "read or written");
}

Result<Done> SqliteStatement::Execute() {
  TACIT_TRY(const bool row, Step());
  TACIT_ASSERT(!row);
  return Done{};
}

int64_t SqliteStatement::Int(int column) const { return sqlite3_column_int64(statement_, column); }

std::string SqliteStatement::Text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int length = sqlite3_column_bytes(statement_, column);
  if (bytes == nullptr || length <= 0) return "";
  return std::string(static_cast<const char*>(bytes), static_cast<size_t>(length));
}

bool SqliteStatement::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::Open(const std::string& path,
                                                             const Options& options) {
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase);
  const char* vfs = options.vfs.empty() ? nullptr : options.vfs.c_str();
  const int code =
      sqlite3_open_v2(path.c_str(), &database->handle_,
                      options.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs);
  if (code != SQLITE_OK) return database->Failure(code, "opened");
  database->alone_ = options.alone;
  sqlite3* handle = database->handle_;
  sqlite3_busy_timeout(handle, options.busy_timeout_ms);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kValueBytesMax);
  // The schema of a damaged file must not run code; closing a command must not cost more fsyncs.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  // Before the first read: every connection in write-ahead mode shares a lock on the file for as
  // long as it is open, and the first read of this one then asks for all of it.
  if (options.alone) TACIT_CHECK(database->Execute("PRAGMA locking_mode = EXCLUSIVE"));
  TACIT_CHECK(database->Execute("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY"));
  TACIT_CHECK(database->WaitForDisk(true));
  const int prepared = sqlite3_prepare_v3(handle, "ROLLBACK", -1, SQLITE_PREPARE_PERSISTENT,
                                          &database->roll_back_, nullptr);
  if (prepared != SQLITE_OK) return database->Failure(prepared, "opened");
  // The hook replaces the automatic checkpoint, whose fsyncs would fall into some charge.
  sqlite3_wal_hook(
      handle,
      [](void* self, sqlite3*, const char*, int frames) {
        static_cast<SqliteDatabase*>(self)->log_frames_ = frames;
        return SQLITE_OK;
      },
      database.get());
  return database;
}

SqliteDatabase::~SqliteDatabase() {
  for (const auto& [sql, statement] : idle_) sqlite3_finalize(statement);
  sqlite3_finalize(roll_back_);
  sqlite3_close_v2(handle_);
}

Result<SqliteStatement> SqliteDatabase::Prepare(std::string_view sql) {
  if (const auto idle = idle_.find(sql); idle != idle_.end()) {
    return SqliteStatement(*this, idle_.extract(idle));
  }
  IdleStatements::node_type made = idle_.extract(idle_.emplace(std::string(sql), nullptr));
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &made.mapped(), nullptr);
  if (code != SQLITE_OK) return Failure(code, "read or written");
  return SqliteStatement(*this, std::move(made));
}

void SqliteDatabase::Return(IdleStatements::node_type taken) noexcept {
  sqlite3_reset(taken.mapped());  // repeats the code of the last step, which was reported
  sqlite3_clear_bindings(taken.mapped());
  idle_.insert(std::move(taken));
}

bool SqliteDatabase::RollBack() noexcept {
  if (sqlite3_get_autocommit(handle_) != 0) return true;
  sqlite3_step(roll_back_);
  sqlite3_reset(roll_back_);
  return sqlite3_get_autocommit(handle_) != 0;
}

Result<Done> SqliteDatabase::Execute(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return Failure(code, "read or written");
  return Done{};
}

Result<Done> SqliteDatabase::Run(std::string_view sql) {
  TACIT_TRY(SqliteStatement statement, Prepare(sql));
  return statement.Execute();
}

Result<int64_t> SqliteDatabase::QueryInt(const char* sql) {
  TACIT_TRY(SqliteStatement query, Prepare(sql));
  TACIT_TRY(const bool row, query.Step());
  return row ? query.Int(0) : int64_t{0};
}

Result<Done> SqliteDatabase::WaitForDisk(bool wait) {
  if (waits_for_disk_ == wait) return Done{};
  waits_for_disk_.reset();
  TACIT_CHECK(Execute(wait ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"));
  waits_for_disk_ = wait;
  return Done{};
}

Result<Done> SqliteDatabase::CheckpointBeyond(int frames_min) {
  if (log_frames_ < frames_min) return Done{};
  const int code =
      sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  if (code != SQLITE_OK && (code & 0xff) != SQLITE_BUSY) return Failure(code, "checkpointed");
  log_frames_ = 0;
  return Done{};
}

Error SqliteDatabase::Failure(int code, std::string_view doing) {
  last_failure_ = code;
  std::string message = "the ledger could not be ";
  message.append(doing).append(": ").append(PublicReason(code));
  std::string detail = "SQLite " + std::to_string(code) + ": ";
  detail += handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  Error error{.code = ErrorCode::kUnavailable,
              .public_message = std::move(message),
              .hint = "",
              .position = std::nullopt,
              .private_detail = std::move(detail)};
  if (alone_ && (code & 0xff) == SQLITE_BUSY) {
    error.public_message = "another program has the ledger open";
    error.hint = "stop the server, and whatever else uses this ledger, then run this again";
  }
  return error;
}

}  // namespace tacit::ledger
