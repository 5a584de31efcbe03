#include "wire/pg/session/serve.h"

#include "wire/pg/session/extended.h"
#include "wire/pg/session/send.h"
#include "wire/pg/session/simple.h"
#include "wire/pg/state/client_text.h"
#include "wire/pg/state/report.h"
#include "wire/words/log.h"

namespace tacit::wire::pg {
namespace {

void Fail(Session& session, Report report) {
  Tell(session, std::move(report));
  FailBlock(session.state.transaction);
}

asio::awaitable<bool> SayReady(Session& session) {
  for (const auto& [name, value] : session.state.settings.TakeChanged()) {
    AddParameterStatus(session.out(), name, value);
  }
  AddReady(session.out(), StatusOf(session.state.transaction));
  const bool written = co_await session.connection.Flush();
  co_return written;
}

asio::awaitable<bool> Welcome(Session& session) {
  for (const auto& [name, value] : session.state.settings.TakeChanged()) {
    AddParameterStatus(session.out(), name, value);
  }
  AddBackendKey(session.out(), session.key.process, session.key.secret);
  const bool written = co_await SayReady(session);
  co_return written;
}

asio::awaitable<bool> HandleQuery(Session& session, const Frame& frame) {
  Result<std::string> text = ReadQuery(frame.body);
  if (text.ok()) text = FromClient(session.state.settings, std::move(text).value());
  if (text.ok()) {
    const Result<Done> done = co_await RunQueryMessage(session, *text);
    if (!done.ok()) Fail(session, ReportOf(done.error(), session.sent.text, session.sent.offset));
  } else {
    Fail(session, ReportOf(text.error()));
  }
  const bool written = co_await SayReady(session);
  co_return written;
}

// Answered like a simple query: no Sync follows.
asio::awaitable<bool> HandleFunctionCall(Session& session) {
  Fail(session, {.severity = Severity::kError,
                 .state = "0A000",
                 .message = "function calls by number are not answered",
                 .hint = "send a query"});
  const bool written = co_await SayReady(session);
  co_return written;
}

asio::awaitable<bool> HandleSync(Session& session) {
  session.skipping = false;
  SessionState& state = session.state;
  EndStatement(state.transaction, state.settings, state.portals);
  const bool written = co_await SayReady(session);
  co_return written;
}

asio::awaitable<bool> HandleExtended(Session& session, const Frame& frame) {
  session.sent.offset = 0;
  const Result<Done> done = co_await RunExtendedMessage(session, frame);
  if (!done.ok()) {
    Fail(session, ReportOf(done.error(), session.sent.text, session.sent.offset));
    session.skipping = true;
    // At once, as PostgreSQL does: drivers that wait for each reply before their Sync read it now.
    const bool told = co_await session.connection.Flush();
    co_return told;
  }
  const bool goes_on = co_await session.connection.FlushWhenFull();
  co_return goes_on;
}

// False when the session is over.
asio::awaitable<bool> Handle(Session& session, const Frame& frame) {
  if (frame.type == 'X') co_return false;
  if (!session.deployment().terms()->verifiers.contains(session.analyst)) {
    Log("session_ended", {{"analyst", session.analyst}, {"condition", "no_longer_an_analyst"}});
    const Report report{.severity = Severity::kFatal,
                        .state = "28000",
                        .message = "\"" + session.analyst + "\" may not ask here any more",
                        .hint = "ask the owner of the data"};
    co_await session.connection.Refuse(report);
    co_return false;
  }
  bool goes_on = true;
  if (frame.type == 'S') {
    goes_on = co_await HandleSync(session);
  } else if (session.skipping) {
    co_return true;
  } else if (frame.type == 'H') {
    goes_on = co_await session.connection.Flush();
  } else if (frame.type == 'Q') {
    goes_on = co_await HandleQuery(session, frame);
  } else if (frame.type == 'F') {
    goes_on = co_await HandleFunctionCall(session);
  } else {
    goes_on = co_await HandleExtended(session, frame);
  }
  co_return goes_on;
}

asio::awaitable<void> SayGoodbye(Connection& connection) {
  const Report stopping{
      .severity = Severity::kFatal, .state = "57P01", .message = "the server is stopping"};
  co_await connection.Refuse(stopping);
}

}  // namespace

asio::awaitable<void> Serve(Session& session) {
  Connection& connection = session.connection;
  const ServerState& server = *connection.server();
  const bool welcomed = co_await Welcome(session);
  if (!welcomed) co_return;
  while (true) {
    std::optional<Result<Frame>> frame;
    if (!server.stopping || connection.in_sequence()) frame = co_await connection.ReadFrame();
    if (server.stopping && !frame && !connection.in_sequence()) {
      co_await SayGoodbye(connection);
      co_return;
    }
    if (!frame) co_return;
    if (!frame->ok()) {
      Report report = ReportOf(frame->error());
      report.severity = Severity::kFatal;
      co_await connection.Refuse(report);
      co_return;
    }
    const char type = (*frame)->type;
    connection.SetBusy(true);
    connection.SetInSequence(type != 'Q' && type != 'S' && type != 'F');
    const bool goes_on = co_await Handle(session, **frame);
    connection.SetBusy(false);
    std::string().swap(session.sent.text);  // assigning would keep its memory
    if (!goes_on) co_return;
  }
}

}  // namespace tacit::wire::pg
