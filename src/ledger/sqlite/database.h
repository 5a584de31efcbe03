#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// SQLite's C interface with results instead of codes. Everything the library can report becomes an
// Error here and nowhere else.

namespace tacit::ledger {

class SqliteDatabase;

// Statements that are not in use, by their text. They come and go as whole nodes: giving one back
// needs no memory, and so cannot fail.
using IdleStatements = std::multimap<std::string, sqlite3_stmt*, std::less<>>;

// A prepared statement; it goes back to its database's pool when it is dropped. Parameters are
// bound in order; a failed binding is reported by Step.
class SqliteStatement {
 public:
  SqliteStatement(SqliteDatabase& database, IdleStatements::node_type taken);
  SqliteStatement(SqliteStatement&& other) noexcept = default;
  SqliteStatement& operator=(SqliteStatement&&) = delete;
  ~SqliteStatement();

  SqliteStatement& Bind(int64_t value);
  SqliteStatement& Bind(std::string_view text);
  SqliteStatement& BindBlob(std::string_view bytes);

  Result<bool> Step();     // true: there is a row
  Result<Done> Execute();  // a statement without rows

  int64_t Int(int column) const;
  std::string Text(int column) const;  // bytes of a blob too
  bool IsNull(int column) const;

 private:
  SqliteDatabase* database_;
  IdleStatements::node_type taken_;
  sqlite3_stmt* statement_;
  int next_parameter_ = 1;
  int failure_ = SQLITE_OK;
};

class SqliteDatabase {
 public:
  struct Options {
    int flags = SQLITE_OPEN_READWRITE;
    std::string vfs;  // empty: the default
    int busy_timeout_ms = 10000;
    // Nobody else may have the file open, and nobody can open it until this connection is closed.
    bool alone = false;
  };
  static Result<std::unique_ptr<SqliteDatabase>> Open(const std::string& path,
                                                      const Options& options);

  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;
  ~SqliteDatabase();

  Result<SqliteStatement> Prepare(std::string_view sql);
  Result<Done> Execute(const char* sql);   // one or more statements, without parameters
  Result<Done> Run(std::string_view sql);  // one that comes again and again, without parameters
  Result<int64_t> QueryInt(const char* sql);

  // Gives up the transaction that is open, if one is. False when that failed: it is still open.
  bool RollBack() noexcept;
  // Whether a commit returns only when the log is on stable storage.
  Result<Done> WaitForDisk(bool wait);

  // Moves the log into the file when it has grown beyond `frames_min`; never waits for readers.
  Result<Done> CheckpointBeyond(int frames_min);

  // The extended code of the last failure: decides whether the ledger may go on.
  int last_failure() const { return last_failure_; }
  Error Failure(int code, std::string_view doing);

 private:
  friend class SqliteStatement;
  SqliteDatabase() = default;
  void Return(IdleStatements::node_type taken) noexcept;

  sqlite3* handle_ = nullptr;
  bool alone_ = false;
  sqlite3_stmt* roll_back_ = nullptr;  // prepared: giving up must not depend on memory
  IdleStatements idle_;
  int last_failure_ = SQLITE_OK;
  int log_frames_ = 0;
  std::optional<bool> waits_for_disk_;  // what was set last; nothing: not known
};

}  // namespace tacit::ledger
