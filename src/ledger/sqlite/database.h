#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ledger/owner_key.h"

// SQLite's C interface with results instead of codes. Everything the library can report becomes an
// Error here and nowhere else.

namespace tacit::ledger {

class Database;
struct Recollection;

// Statements that are not in use, by their text. They come and go as whole nodes: giving one back
// needs no memory, and so cannot fail.
using IdleStatements = std::multimap<std::string, sqlite3_stmt*, std::less<>>;

// A prepared statement; it goes back to its database's pool when it is dropped. Parameters are
// bound in order; a failed binding is reported by Step.
class Statement {
 public:
  Statement(Database& database, IdleStatements::node_type taken);
  Statement(Statement&& other) noexcept = default;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  Statement& Bind(int64_t value);
  Statement& Bind(std::string_view text);
  Statement& BindBlob(std::string_view bytes);

  Result<bool> Step();     // true: there is a row
  Result<Done> Execute();  // a statement without rows

  int64_t Int(int column) const;
  std::string Text(int column) const;  // bytes of a blob too
  bool IsNull(int column) const;

 private:
  Database* database_;
  IdleStatements::node_type taken_;
  sqlite3_stmt* statement_;
  int next_parameter_ = 1;
  int failure_ = SQLITE_OK;
};

class Database {
 public:
  struct Options {
    int flags = SQLITE_OPEN_READWRITE;
    std::string vfs;  // empty: the default
    int busy_timeout_ms = 10000;
    OwnerKey key = {};
    // Nobody else may have the file open, and nobody can open it until this connection is closed.
    bool alone = false;
  };
  static Result<std::unique_ptr<Database>> Open(const std::string& path, const Options& options);

  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  Result<Statement> Prepare(std::string_view sql);
  Result<Done> Execute(const char* sql);   // one or more statements, without parameters
  Result<Done> Run(std::string_view sql);  // one that comes again and again, without parameters
  Result<int64_t> QueryInt(const char* sql);

  // Moves the log into the file when it has grown beyond `frames_min`; never waits for readers.
  Result<Done> CheckpointBeyond(int frames_min);

  // The extended code of the last failure: decides whether the ledger may go on.
  int last_failure() const { return last_failure_; }
  Error Failure(int code, std::string_view doing);

  Recollection& recollection() { return *recollection_; }
  const OwnerKey& key() const { return key_; }

 private:
  friend class Statement;
  friend class Transaction;
  Database();
  void Return(IdleStatements::node_type taken) noexcept;
  // Gives up the transaction that is open, if one is. False when that failed: it is still open.
  bool RollBack() noexcept;
  // Whether a commit returns only when the log is on stable storage.
  Result<Done> WaitForDisk(bool wait);

  sqlite3* handle_ = nullptr;
  OwnerKey key_;
  bool alone_ = false;
  sqlite3_stmt* roll_back_ = nullptr;  // prepared: giving up must not depend on memory
  IdleStatements idle_;
  int last_failure_ = SQLITE_OK;
  int log_frames_ = 0;
  std::optional<bool> waits_for_disk_;  // what was set last; nothing: not known
  std::unique_ptr<Recollection> recollection_;
};

// BEGIN ... COMMIT; whatever leaves before Commit, an exception too, is rolled back. After the
// Commit of a kWrite the log is on stable storage; kWriteUnsynced leaves that to a later one.
class Transaction {
 public:
  enum class Kind { kRead, kWrite, kWriteUnsynced };
  static Result<Transaction> Begin(Database& database, Kind kind);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<Done> Commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace tacit::ledger
