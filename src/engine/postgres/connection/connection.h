#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

struct pg_conn;
struct pg_result;

namespace tacit::engine::postgres {

// Why a statement gave nothing. The words are the operator's: they quote no row, because all that
// is taken from the server is its five letters.
struct Failure {
  std::string text;
  bool lost = false;  // the connection is gone with it
};

struct TimeLimits {
  std::chrono::milliseconds connect{10'000};     // for one host
  std::chrono::milliseconds catalog{30'000};     // for what reads no row
  std::chrono::milliseconds statement{300'000};  // the server ends it by itself
  std::chrono::milliseconds grace{15'000};       // and one that does not is left
};

// What a statement gave, cell by cell, in PostgreSQL's binary forms.
class Reply {
 public:
  explicit Reply(pg_result* result);

  size_t rows() const;
  size_t columns() const;
  unsigned TypeOf(size_t column) const;  // its number in pg_type
  std::string NameOf(size_t column) const;
  bool IsNull(size_t row, size_t column) const;
  std::string_view Bytes(size_t row, size_t column) const;

 private:
  struct Closer {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Closer> result_;
};

// A session that reads, with every setting said that gives a statement its meaning. Nothing here
// waits longer than its limit: a server that is silent is left.
class Connection {
 public:
  // Each host of the DSN in turn. What cannot be reached or is of no use says why, in words for the
  // owner; neither the password nor anything of rows is among them.
  static Result<Connection> Open(const policy::PostgresSettings& settings,
                                 const TimeLimits& limits);

  struct Parameter {
    std::optional<std::string> text;  // in PostgreSQL's text form
  };

  // One statement, or several without parameters.
  std::optional<Failure> Execute(const std::string& sql);
  std::optional<Failure> Query(const std::string& sql, const std::vector<Parameter>& parameters,
                               std::optional<Reply>* reply);
  // Makes a statement of that name, and says what columns it has: nothing is planned, no row read.
  std::optional<Failure> Prepare(const std::string& name, const std::string& sql,
                                 std::optional<Reply>* columns);
  std::optional<Failure> Run(const std::string& name, const std::vector<Parameter>& parameters,
                             std::optional<Reply>* reply);

  // Whether the other side is still there, as far as can be told without asking.
  bool IsAlive() const;

 private:
  struct Closer {
    void operator()(pg_conn* connection) const;
  };
  using Handle = std::unique_ptr<pg_conn, Closer>;
  using Deadline = std::chrono::steady_clock::time_point;

  Connection(Handle handle, const TimeLimits& limits)
      : handle_(std::move(handle)), limits_(limits) {}

  static Result<Handle> OpenOne(const std::vector<std::pair<std::string, std::string>>& words,
                                const TimeLimits& limits);
  Result<Done> SayWhatIsMeant();
  std::optional<Failure> Finish(bool sent, std::chrono::milliseconds limit,
                                std::optional<Reply>* reply);
  bool Wait(short events, Deadline deadline) const;
  Failure Lost(const std::string& why);

  Handle handle_;
  TimeLimits limits_;
};

}  // namespace tacit::engine::postgres
