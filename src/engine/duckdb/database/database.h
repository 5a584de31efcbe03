#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/duckdb/database/api.h"
#include "engine/duckdb/database/data_file.h"
#include "engine/duckdb/database/spill_folder.h"
#include "engine/result_table.h"

namespace tacit::engine::duckdb {

// DuckDB 1.5's rule for the first rows of a window fails inside on windows over windows, and
// whether it tries depends on what it knows of the data: what fails must not.
inline constexpr char kBrokenOptimizers[] = "top_n_window_elimination";

// Above the aggregates a stored answer is computed again, by a plan that may have been made while
// its tables were still empty. Rules that choose sides and order of joins by the number of rows
// would then give the same rows in another order.
inline constexpr char kOptimizersThatReorder[] = "join_order,build_side_probe_side";

// What DuckDB reads, skips and hands to a thread as one.
inline constexpr int64_t kRowGroupRows = 122'880;

struct Limits {
  int threads = 0;                        // 0: one a core
  int64_t memory_bytes = 0;               // 0: DuckDB's own, four fifths of the machine
  std::chrono::milliseconds deadline{0};  // of a statement; 0: none
  std::string spill = {};   // the folder for what does not fit (spill_folder.h); empty: nothing may
  int64_t spill_bytes = 0;  // the most that may be there; 0: half of what is free
};

// What a failed statement was, before the caller chooses the public text.
struct Failure {
  duckdb_error_type type = DUCKDB_ERROR_INVALID;
  std::string text;
};

class Connection;
class FoundTables;

// An open DuckDB. Except for OpenForImport: no file but its own and those that it spills can be
// reached, no extension is loaded, and no statement can change that.
class Database {
 public:
  static Result<Database> OpenReadOnly(const std::string& path, const Limits& limits);
  // Tables that stand in files, each a view of its name (files/file_views.h): these files can be
  // reached, to be read, and no others.
  static Result<Database> OpenFiles(std::shared_ptr<const FoundTables> files, const Limits& limits);
  static Result<Database> OpenInMemory(const Limits& limits);
  // Writable and able to read files: for the owner's import, never behind the gateway. `path` may
  // be ":memory:".
  static Result<Database> OpenForImport(const std::string& path, const Limits& limits);

  Result<Connection> Connect() const;
  // Whether statements can be run now: the engine answers, and the file that it reads is there
  // (data_file.h). Of a database that was opened read only.
  Result<Done> Check() const;
  // Whether the files that are read in place are those that were opened, by their status alone.
  Result<Done> CheckFiles() const;
  duckdb_database handle() const { return database_.get(); }

 private:
  struct Closer {
    void operator()(_duckdb_database* database) const;
    std::shared_ptr<const SpillFolder> spill = nullptr;  // outlives what is put there
    std::shared_ptr<const DataFile> file = nullptr;
  };

  Database() = default;
  static Result<Database> Open(const std::string& path, bool read_only, const Limits& limits,
                               const std::string& disabled_optimizers = kBrokenOptimizers);
  Result<Done> AddFunctions() const;
  Result<Done> UseFewThreads() const;
  Result<Done> Lock() const;

  std::shared_ptr<_duckdb_database> database_;
  std::shared_ptr<const SpillFolder> spill_;
  std::shared_ptr<const DataFile> file_;  // where it is read only
  std::shared_ptr<const FoundTables> files_;
  Limits limits_;
  bool read_only_ = false;
};

// One session; not for several threads at once, except Interrupt. Keeps the database open.
class Connection {
 public:
  // Runs one statement; a text of several is refused. `select_only` refuses anything but a SELECT.
  // Values in `parameters` are bound to $1, $2, ... The callback sees each chunk, in the engine's
  // order, and may stop with a Failure of its own by returning false.
  using ChunkReader = std::function<bool(duckdb_data_chunk)>;
  struct Statement {
    std::string sql;
    std::vector<Value> parameters{};
    bool select_only = false;
    bool keep_plan = false;  // for the next run of the same text, where plans are kept
  };

  // The columns that the statement would return; it is not run.
  std::optional<Failure> Describe(const Statement& statement, std::vector<ResultColumn>* columns);

  // Nothing on success. `columns` is filled before the first chunk.
  std::optional<Failure> Run(const Statement& statement, std::vector<ResultColumn>* columns,
                             const ChunkReader& reader);

  // All rows as values; more than rows_max is a Failure of type DUCKDB_ERROR_OUT_OF_MEMORY, and so
  // is what does not fit: that is asked, if given, with the bytes of rows that come next.
  using Fits = std::function<bool(size_t bytes)>;
  std::optional<Failure> Query(const Statement& statement, int64_t rows_max, ResultTable* table,
                               const Fits& fits = nullptr);
  // For statements whose result does not matter.
  std::optional<Failure> Execute(const std::string& sql);

  // What was described is usually run next, and planning takes longer than running it. Only where
  // nothing is ever written: a plan may rely on what the tables held when it was made.
  void KeepPlans() { keeps_plans_ = true; }
  void ForgetPlans() { plans_.clear(); }
  size_t PlansKept() const { return plans_.size(); }

  // From any thread: the running statement ends with DUCKDB_ERROR_INTERRUPT.
  void Interrupt();
  // Another session with the same database, for another thread.
  Result<Connection> Another() const;
  // Another one that only binds: what it says of a statement, and how long that takes, depends on
  // the schema and not on what the engine knows of the rows.
  Result<Connection> WithoutOptimizer() const;
  // Percentage of the running statement, or below 0 when DuckDB cannot tell. From any thread.
  double Progress();

  duckdb_connection handle() const { return connection_.get(); }

  struct PreparedCloser {
    void operator()(_duckdb_prepared_statement* statement) const;
  };
  using Prepared = std::unique_ptr<_duckdb_prepared_statement, PreparedCloser>;

 private:
  friend class Database;
  struct Closer {
    void operator()(_duckdb_connection* connection) const;
  };
  struct Plan {
    std::string sql;
    bool select_only = false;
    Prepared prepared;
  };
  Connection() = default;
  std::optional<Failure> TakePlan(const Statement& statement, Prepared* prepared);
  void KeepPlan(const Statement& statement, Prepared prepared);

  std::shared_ptr<_duckdb_database> database_;
  std::unique_ptr<_duckdb_connection, Closer> connection_;
  std::chrono::milliseconds deadline_{0};
  bool keeps_plans_ = false;
  std::vector<Plan> plans_;
};

// 'text' and "name" for statements that are put together.
std::string QuoteLiteral(std::string_view text);
std::string QuoteName(std::string_view name);

}  // namespace tacit::engine::duckdb
