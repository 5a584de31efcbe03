#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wire/pg/login/login.h"
#include "wire/pg/state/session_state.h"

namespace tacit::wire::pg {

// Functions of a session that wait, and may fail.
template <class T>
using Later = asio::awaitable<Result<T>>;

// What errors point into: the text that was sent, and where the running question starts in it.
struct SentText {
  std::string text;
  int offset = 0;
};

// How a session waits for a worker.
struct Waiting {
  bool cancelled = false;
  std::shared_ptr<asio::steady_timer> timer;  // while it waits
  std::optional<Instant> deadline;            // of the running question: statement_timeout
};

// A client that is logged in. A value that the functions of this folder work on; for the thread of
// its connection.
struct Session {
  Session(Connection& from, LoggedIn in);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  LiveDeployment& deployment() const { return connection.server()->deployment; }
  std::string& out() const { return connection.out(); }

  Connection& connection;
  const std::string analyst;
  const std::string database;
  const Seat seat;  // before what is counted in it
  SessionState state;
  Registry::Key key;
  SentText sent = {};
  Waiting waiting = {};
  bool skipping = false;  // until Sync
};

// The whole of a connection, with the one place that catches: whatever is thrown while a client is
// served gets a fixed text, if that can still be sent, and ends this connection alone.
asio::awaitable<void> RunConnection(std::shared_ptr<Connection> connection, Strangers::Stay stay);

}  // namespace tacit::wire::pg
