#include "wire/pg/session/session.h"

#include "wire/pg/session/serve.h"
#include "wire/words/log.h"

namespace tacit::wire::pg {
namespace {

asio::awaitable<void> LoginAndServe(Connection& connection, Strangers::Stay& stay) {
  std::optional<LoggedIn> in = co_await Login(connection, stay);
  if (!in) co_return;
  Session session(connection, std::move(*in));
  stay.End();
  Log("session_opened", {{"analyst", session.analyst}, {"remote", connection.address()}});
  co_await Serve(session);
  Log("session_closed", {{"analyst", session.analyst}});
}

}  // namespace

Session::Session(Connection& from, LoggedIn in)
    : connection(from),
      analyst(std::move(in.analyst)),
      database(std::move(in.database)),
      seat(std::move(in.seat)),
      state{.settings = std::move(in.settings),
            .transaction = {},
            .statements = Statements(from.server()->limits.statements),
            .portals = Portals(from.server()->limits.portals)} {
  state.statements.bytes().CountIn(&seat.usage().statement_bytes);
  state.portals.bytes().CountIn(&seat.usage().portal_bytes);
  connection.frame_bytes().CountIn(&seat.usage().frame_bytes);
  key = connection.server()->registry.Add([this] {
    waiting.cancelled = true;
    if (waiting.timer) waiting.timer->cancel();
  });
}

// The connection outlives the seat that its messages are counted in.
Session::~Session() {
  connection.frame_bytes().Clear();
  connection.frame_bytes().CountIn(nullptr);
  connection.server()->registry.Remove(key);
}

asio::awaitable<void> RunConnection(std::shared_ptr<Connection> connection, Strangers::Stay stay) {
  bool failed = false;
  try {
    co_await LoginAndServe(*connection, stay);
    // However it ends: inside TLS a connection that only stops could be one that was cut.
    co_await connection->transport().Finish();
  } catch (...) {
    failed = true;  // out of memory, most likely
  }
  if (!failed) co_return;
  Log("session_failed");
  connection->out().clear();
  const Report report{.severity = Severity::kFatal,
                      .state = "XX000",
                      .message = "the program failed; what was charged stays charged",
                      .hint = "connect again"};
  co_await connection->Refuse(report);
}

}  // namespace tacit::wire::pg
