#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ledger/place.h"

struct pg_conn;
struct pg_result;

// A conversation with a PostgreSQL server by libpq, with results instead of codes and an end to
// every wait. Statements are queued, sent together and waited for once: what a server far away
// costs is the number of waits. Everything that libpq can report becomes an Error here and nowhere
// else.

namespace tacit::ledger {

// A statement's parameter: text, or bytes as they are.
struct PgValue {
  std::string bytes;
  bool binary = false;

  PgValue(std::string text) : bytes(std::move(text)) {}       // NOLINT: a text is a value
  PgValue(std::string_view text) : bytes(text) {}             // NOLINT
  PgValue(int64_t number) : bytes(std::to_string(number)) {}  // NOLINT
  static PgValue Bytes(std::string_view raw) {
    PgValue value(raw);
    value.binary = true;
    return value;
  }
};

// What one statement came to.
class PgRows {
 public:
  explicit PgRows(pg_result* result) : result_(result, Clear) {}
  int count() const;
  int64_t changed() const;  // rows
  std::string Tag() const;  // what was done: "COMMIT"
  std::string Text(int row, int column) const;
  int64_t Int(int row, int column) const;
  bool IsTrue(int row, int column) const { return Text(row, column) == "t"; }
  bool IsNull(int row, int column) const;
  std::string Bytes(int row, int column) const;  // of a bytea

 private:
  static void Clear(pg_result* result);
  std::unique_ptr<pg_result, void (*)(pg_result*)> result_;
};

class PostgresSession {
 public:
  // kUnavailable when the server cannot be reached, takes too long or refuses the role.
  static Result<std::unique_ptr<PostgresSession>> Connect(const PostgresPlace& place,
                                                          int answer_timeout_ms);
  PostgresSession(const PostgresSession&) = delete;
  PostgresSession& operator=(const PostgresSession&) = delete;
  ~PostgresSession();

  void Prepare(const std::string& name, const std::string& sql);
  // A prepared statement.
  void Queue(const std::string& name, const std::vector<PgValue>& values = {});
  void QueueText(const std::string& sql);

  // Sends what is queued and waits: a result for each, or the first error. A statement behind one
  // that failed is not run. Waiting too long loses the session.
  Result<std::vector<PgRows>> Run();

  // Sends one statement and leaves its result to be passed over later. Needs little memory; what
  // cannot be sent loses the session, which has the same end for a ROLLBACK.
  void Post(const char* sql) noexcept;

  // Nothing more can be said or heard.
  bool lost() const { return connection_ == nullptr; }
  // The SQLSTATE of the last failure that the server reported; empty: it reported none.
  const std::string& last_state() const { return last_state_; }

 private:
  PostgresSession(pg_conn* connection, int answer_timeout_ms)
      : connection_(connection), answer_timeout_ms_(answer_timeout_ms) {}

  // The next result that is none of libpq's marks between results; null: the session is lost.
  pg_result* Next(int64_t deadline_ms);
  bool AwaitSocket(int64_t deadline_ms);
  Error Lose(const std::string& why);
  void Drop() noexcept;
  Error FailureOf(const pg_result* result);

  pg_conn* connection_;  // null: lost
  int answer_timeout_ms_;
  int queued_ = 0;
  int posted_ = 0;       // statements whose results are still to be passed over
  bool unsent_ = false;  // a statement could not even be queued
  std::string lost_why_;
  std::string last_state_;
};

// "{...}": values of an array parameter.
class PgArray {
 public:
  PgArray& Add(std::string_view text);
  PgArray& Add(int64_t number);
  bool empty() const { return text_.size() == 1; }
  size_t size() const { return text_.size(); }
  std::string Take() { return std::exchange(text_, "{") + "}"; }

 private:
  std::string text_ = "{";
};

Error PostgresUnavailable(std::string message, std::string hint = "", std::string detail = "");

}  // namespace tacit::ledger
