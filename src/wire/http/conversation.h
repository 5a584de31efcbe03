#pragma once

#include <set>

#include "wire/http/server.h"
#include "wire/transport/transport.h"

namespace tacit::wire::http {

// What the connections of a server share; touched by its thread alone, but for the workers' pool.
struct Shared {
  Limits limits;
  Handler handler;
  asio::thread_pool* workers = nullptr;  // nothing: the handler is called in place
  bool stopping = false;
  std::set<Transport*> idle;  // wait for a request, and are closed when the server stops
};

// Everything that is said on one connection: a request, its answer, the next request.
asio::awaitable<void> Converse(Transport& transport, Shared& shared);

}  // namespace tacit::wire::http
