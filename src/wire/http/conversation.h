#pragma once

#include <map>
#include <set>

#include "wire/http/guests.h"
#include "wire/http/server.h"
#include "wire/transport/transport.h"

namespace tacit::wire::http {

// What the connections of a server share; touched by its thread alone.
struct Shared {
  Limits limits;
  Dispatcher dispatch;
  IsProxy is_proxy;  // nothing: nobody is
  bool stopping = false;
  std::set<Transport*> idle;  // wait for a request, until the server stops
  size_t bytes_held = 0;      // of requests, those that are still coming included
  size_t long_answers = 0;    // that are being sent
  std::map<std::string, size_t> long_answers_of;  // by owner
};

// Everything that is said on one connection: a request, its answer, the next request.
asio::awaitable<void> Converse(Transport& transport, Shared& shared, Guests::Place& place);

// A connection for which there is no room: it is told, and closed.
asio::awaitable<void> TurnAway(Transport& transport, const Response& response);

}  // namespace tacit::wire::http
