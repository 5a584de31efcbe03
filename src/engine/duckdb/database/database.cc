#include "engine/duckdb/database/database.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

#include "base/quoted.h"
#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/database/no_throw.h"
#include "engine/duckdb/files/file_views.h"
#include "engine/duckdb/functions/functions.h"

namespace tacit::engine::duckdb {
namespace {

// DuckDB 1.5 reads files of the system while it opens, and ends the process when it gets no
// descriptor for one: a destructor of what it had half made throws. So it is not tried without some
// to spare. Why 8: it needs one at a time, and others may take theirs meanwhile.
Result<Done> CheckDescriptorsLeft() {
  constexpr size_t kSpare = 8;
  std::array<int, kSpare> taken;
  size_t count = 0;
  while (count < kSpare) {
    const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) break;
    taken[count++] = descriptor;
  }
  for (size_t i = 0; i < count; ++i) ::close(taken[i]);
  if (count == kSpare) return Done{};
  Error error = EngineUnavailable("no descriptors left to open DuckDB");
  error.public_message = "the program has too many files and connections open";
  error.hint = "nothing was charged: ask again in a while";
  return error;
}

Error NoRoomToSpill(const std::string& folder, int64_t bytes) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message =
                   "the disk has less room than the engine is to have for what does "
                   "not fit its memory",
               .hint = folder + " needs " + std::to_string(bytes >> 20) +
                       " MiB (engine: spill_mb): make room, or declare less",
               .position = std::nullopt,
               .private_detail = ""};
}

struct ConfigCloser {
  void operator()(_duckdb_config* config) const { duckdb_destroy_config(&config); }
};

}  // namespace

std::string QuoteLiteral(std::string_view text) { return Doubled(text, '\''); }
std::string QuoteName(std::string_view name) { return Doubled(name, '"'); }

void Database::Closer::operator()(_duckdb_database* database) const {
  Quietly([&] { duckdb_close(&database); });
}
void Connection::Closer::operator()(_duckdb_connection* connection) const {
  Quietly([&] { duckdb_disconnect(&connection); });
}

Result<Database> Database::Open(const std::string& path, bool read_only, const Limits& limits,
                                const std::string& disabled_optimizers) {
  TACIT_CHECK(LoadLibrary());
  TACIT_CHECK(CheckDescriptorsLeft());
  duckdb_config raw_config = nullptr;
  if (duckdb_create_config(&raw_config) != DuckDBSuccess) return EngineUnavailable("no memory");
  const std::unique_ptr<_duckdb_config, ConfigCloser> config(raw_config);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::pair<const char*, std::string>> options = {
      {"access_mode", read_only ? "READ_ONLY" : "AUTOMATIC"},
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      {"allow_community_extensions", "false"},
      {"allow_persistent_secrets", "false"},
      // What does not fit is encrypted before it is written. Why "unsafe" will do for this:
      // docs/decisions/spilled_rows.md.
      {"temp_file_encryption", "true"},
      {"force_mbedtls_unsafe", "true"},
      {"disabled_optimizers", disabled_optimizers},
      {"threads",
       std::to_string(limits.threads > 0 ? static_cast<unsigned>(limits.threads) : cores)},
  };
  if (limits.memory_bytes > 0) {
    options.emplace_back("memory_limit", std::to_string(limits.memory_bytes) + "B");
  }
  for (const auto& [name, value] : options) {
    if (duckdb_set_config(config.get(), name, value.c_str()) != DuckDBSuccess) {
      return EngineUnavailable(std::string("this DuckDB has no setting ") + name);
    }
  }
  Database database;
  if (!limits.spill.empty()) {
    TACIT_TRY(database.spill_, SpillFolder::Make(limits.spill));
    if (database.spill_->FreeBytes() < limits.spill_bytes) {
      return NoRoomToSpill(limits.spill, limits.spill_bytes);
    }
  }
  // Before the engine opens it, and closed after: whoever closes a file gives up all locks on it.
  if (read_only) {
    TACIT_TRY(database.file_, DataFile::Open(path));
  }
  duckdb_database raw = nullptr;
  char* failure = nullptr;
  if (duckdb_open_ext(path.c_str(), &raw, config.get(), &failure) != DuckDBSuccess) {
    const std::string text = failure != nullptr ? failure : "duckdb_open_ext failed";
    duckdb_free(failure);
    return EngineUnavailable(text);
  }
  database.database_ =
      std::shared_ptr<_duckdb_database>(raw, Closer{database.spill_, database.file_});
  database.limits_ = limits;
  database.read_only_ = read_only;
  return database;
}

Result<Done> Database::AddFunctions() const {
  TACIT_TRY(const Connection connection, Connect());
  return RegisterFunctions(connection.handle());
}

// Tables of one row group are read by one thread in any case; to hand the parts of a statement to
// others takes longer than to do them.
Result<Done> Database::UseFewThreads() const {
  TACIT_TRY(Connection connection, Connect());
  ResultTable large;
  const Connection::Statement statement{
      .sql = "SELECT 1 FROM duckdb_tables() WHERE estimated_size > " +
             std::to_string(kRowGroupRows) + " LIMIT 1"};
  std::optional<Failure> failure = connection.Query(statement, 1, &large);
  if (!failure && large.rows.empty()) failure = connection.Execute("SET threads = 1");
  if (failure) return EngineUnavailable(failure->text);
  return Done{};
}

// The order matters: each line forbids what the one before it needed.
Result<Done> Database::Lock() const {
  TACIT_TRY(Connection connection, Connect());
  std::vector<std::string> statements = {"SET temp_directory = ''"};
  if (spill_) {
    const int64_t bytes = limits_.spill_bytes > 0 ? limits_.spill_bytes : spill_->FreeBytes() / 2;
    statements = {"SET temp_directory = " + QuoteLiteral(spill_->path()),
                  "SET max_temp_directory_size = '" + std::to_string(bytes) + "B'"};
  }
  if (files_) {
    std::string paths;
    for (const FoundTable& table : files_->tables()) {
      // What is attached stays open.
      if (table.declared.format == policy::FileTable::Format::kDuckdb) continue;
      for (const FoundFile& file : table.files) {
        paths += (paths.empty() ? "" : ", ") + QuoteLiteral(file.path);
      }
    }
    statements.push_back("SET allowed_paths = [" + paths + "]");
  }
  statements.emplace_back("SET enable_external_access = false");
  statements.emplace_back("SET lock_configuration = true");
  for (const std::string& statement : statements) {
    if (const std::optional<Failure> failure = connection.Execute(statement)) {
      return EngineUnavailable(failure->text);
    }
  }
  return Done{};
}

Result<Database> Database::OpenReadOnly(const std::string& path, const Limits& limits) {
  TACIT_TRY(Database database, Open(path, true, limits));
  TACIT_CHECK(database.AddFunctions());
  TACIT_CHECK(database.UseFewThreads());
  TACIT_CHECK(database.Lock());
  return database;
}

Result<Database> Database::OpenFiles(std::shared_ptr<const FoundTables> files,
                                     const Limits& limits) {
  TACIT_TRY(Database database, Open(":memory:", false, limits));
  TACIT_CHECK(database.AddFunctions());
  {
    TACIT_TRY(Connection connection, database.Connect());
    TACIT_CHECK(MakeFileViews(connection, *files));
  }
  database.files_ = std::move(files);
  TACIT_CHECK(database.Lock());
  TACIT_CHECK(database.CheckFiles());
  return database;
}

Result<Database> Database::OpenInMemory(const Limits& limits) {
  TACIT_TRY(Database database, Open(":memory:", false, limits,
                                    std::string(kBrokenOptimizers) + "," + kOptimizersThatReorder));
  {
    TACIT_TRY(const Connection connection, database.Connect());
    TACIT_CHECK(RegisterExpressionFunctions(connection.handle()));
  }
  TACIT_CHECK(database.Lock());
  return database;
}

Result<Database> Database::OpenForImport(const std::string& path, const Limits& limits) {
  TACIT_TRY(Database database, Open(path, false, limits));
  TACIT_CHECK(database.AddFunctions());
  return database;
}

Result<Connection> Database::Connect() const {
  Connection first;
  first.database_ = database_;
  first.deadline_ = limits_.deadline;
  first.keeps_plans_ = read_only_;
  return first.Another();
}

Result<Done> Database::Check() const {
  // Connecting is not enough: an engine that has given a database up still does that.
  TACIT_TRY(Connection connection, Connect());
  if (const auto failure = connection.Execute("SELECT 1")) return EngineUnavailable(failure->text);
  TACIT_CHECK(CheckFiles());
  return file_ ? file_->Check() : Result<Done>(Done{});
}

Result<Done> Database::CheckFiles() const {
  return files_ ? files_->CheckUnchanged() : Result<Done>(Done{});
}

Result<Connection> Connection::Another() const {
  duckdb_connection raw = nullptr;
  if (duckdb_connect(database_.get(), &raw) != DuckDBSuccess) {
    return EngineUnavailable("duckdb_connect failed");
  }
  Connection connection;
  connection.database_ = database_;
  connection.connection_.reset(raw);
  connection.deadline_ = deadline_;
  connection.keeps_plans_ = keeps_plans_;
  return connection;
}

Result<Connection> Connection::WithoutOptimizer() const {
  TACIT_TRY(Connection connection, Another());
  connection.keeps_plans_ = false;
  if (const auto failure = connection.Execute("PRAGMA disable_optimizer")) {
    return EngineUnavailable(failure->text);
  }
  return connection;
}

}  // namespace tacit::engine::duckdb
