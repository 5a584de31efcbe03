#pragma once

#include "wire/http/reply.h"

namespace tacit::wire::http {

// What the dispatcher answers, for tests without a socket.
inline Response Asked(const Dispatcher& dispatcher, Request request) {
  asio::io_context context;
  const auto waiting = std::make_shared<Waiting>();
  dispatcher(std::make_shared<const Request>(std::move(request)), Reply(waiting));
  std::optional<Response> response;
  asio::co_spawn(context, Waiting::Taken(waiting),
                 [&](const std::exception_ptr&, std::optional<Response> given) {
                   response = std::move(given);
                 });
  context.run();
  return std::move(response).value();
}

}  // namespace tacit::wire::http
