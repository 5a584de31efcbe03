#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "wire/http/message.h"
#include "wire/transport/transport.h"

namespace tacit::wire::http {

// Where a connection waits for the answer to its request. Whoever makes the answer may outlive the
// connection and its thread: nothing of theirs is held here.
class Waiting : public std::enable_shared_from_this<Waiting> {
 public:
  // From any thread. The first counts.
  void Give(Response response) noexcept;
  // Without memory even for a text: the connection closes.
  void GiveUp() noexcept;
  bool Over();

  // On the connection's thread; nothing when it was given up.
  static asio::awaitable<std::optional<Response>> Taken(std::shared_ptr<Waiting> waiting);

 private:
  class Bell;
  void Wake() noexcept;  // under the lock

  std::mutex mutex_;
  bool over_ = false;
  std::optional<Response> response_;
  asio::steady_timer* timer_ = nullptr;  // of who waits, while they do
};

// The answer to one request, to be given once from any thread. Where nobody gives one, because the
// work threw or was lost on its way, the client is told so all the same.
class Reply {
 public:
  explicit Reply(std::shared_ptr<Waiting> waiting);
  void operator()(Response response) const { promise_->Keep(std::move(response)); }

 private:
  struct Promise {
    explicit Promise(std::shared_ptr<Waiting> to) : waiting(std::move(to)) {}
    Promise(const Promise&) = delete;
    Promise& operator=(const Promise&) = delete;
    ~Promise();
    void Keep(Response response) noexcept;
    std::shared_ptr<Waiting> waiting;
  };
  std::shared_ptr<Promise> promise_;
};

// Called on the connection's thread; answers at once, or has it done elsewhere.
using Dispatcher = std::function<void(std::shared_ptr<const Request> request, Reply reply)>;

}  // namespace tacit::wire::http
