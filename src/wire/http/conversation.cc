#include "wire/http/conversation.h"

#include <chrono>
#include <memory>
#include <optional>

#include "wire/http/read/forwarded.h"
#include "wire/http/read/request_reader.h"
#include "wire/http/reply.h"
#include "wire/http/send.h"

namespace tacit::wire::http {
namespace {

// Why 16 KiB: however full the server is, an ordinary question still comes in.
constexpr size_t kAlwaysTakenBytes = size_t{16} * 1024;

// What a request holds, counted from its first byte until its answer is ready.
class Held {
 public:
  explicit Held(Shared& shared) : shared_(shared) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { shared_.bytes_held -= bytes_; }
  // False when all requests together hold too much for this one to grow.
  bool Grow(size_t bytes) {
    shared_.bytes_held += bytes - bytes_;
    bytes_ = bytes;
    return bytes_ <= kAlwaysTakenBytes || shared_.bytes_held <= shared_.limits.bytes_held_max;
  }

 private:
  Shared& shared_;
  size_t bytes_ = 0;
};

// A long answer holds its rows while it is sent.
class LongAnswer {
 public:
  LongAnswer(Shared& shared, const std::string& owner) : shared_(shared), owner_(owner) {
    ++shared_.long_answers_of[owner_];
    ++shared_.long_answers;
  }
  LongAnswer(const LongAnswer&) = delete;
  LongAnswer& operator=(const LongAnswer&) = delete;
  ~LongAnswer() {
    --shared_.long_answers;
    const auto found = shared_.long_answers_of.find(owner_);
    if (--found->second == 0) shared_.long_answers_of.erase(found);
  }
  bool fits() const {
    return shared_.long_answers <= shared_.limits.long_answers_max &&
           shared_.long_answers_of.at(owner_) <= shared_.limits.long_answers_of_owner_max;
  }

 private:
  Shared& shared_;
  const std::string owner_;
};

// Waits for a request, and is closed if the server stops meanwhile.
class Idle {
 public:
  Idle(Shared& shared, Transport& transport) : shared_(shared), transport_(transport) {
    shared_.idle.insert(&transport_);
  }
  Idle(const Idle&) = delete;
  Idle& operator=(const Idle&) = delete;
  ~Idle() { shared_.idle.erase(&transport_); }

 private:
  Shared& shared_;
  Transport& transport_;
};

Response TooManyLongAnswers() {
  return Problem(503, "Too many long answers",
                 "as many long answers as the server can hold are being read; this one is kept, "
                 "and asking again costs nothing");
}

// Reads a request from `pending` and what comes after it; takes what belongs to it away. False when
// the peer is gone; `refused` when it does not speak HTTP, or there is no room.
asio::awaitable<bool> Receive(Transport& transport, Shared& shared, Held& held,
                              std::string_view& pending, RequestReader& reader, Refused& refused) {
  const Idle idle(shared, transport);
  transport.CloseAfter(std::chrono::seconds(shared.limits.idle_seconds_max));
  bool said_continue = false;
  while (!reader.over()) {
    if (pending.empty()) {
      if (reader.awaits_continue() && !std::exchange(said_continue, true)) {
        const bool said = co_await transport.Write("HTTP/1.1 100 Continue\r\n\r\n");
        if (!said) co_return false;
      }
      pending = co_await transport.ReadSome();
      if (pending.empty()) co_return false;
    }
    // From its first byte on the whole request has one deadline, however its bytes come.
    if (!reader.begun()) {
      transport.CloseAfter(std::chrono::seconds(shared.limits.request_seconds_max));
    }
    pending.remove_prefix(reader.Put(pending));
    if (!held.Grow(reader.bytes_held())) {
      refused = Refusal{503, "Too much at once",
                        "the server holds as many requests as it can; try again"};
      co_return true;
    }
  }
  refused = reader.refused();
  co_return true;
}

// The answer, from wherever it is made; nothing when not even a failure could be told.
asio::awaitable<std::optional<Response>> Answered(Shared& shared, Request request) {
  const auto waiting = std::make_shared<Waiting>();
  {
    // A reply that is dropped says that the program failed: so does whatever is thrown here.
    Reply reply(waiting);
    try {
      shared.dispatch(std::make_shared<const Request>(std::move(request)), std::move(reply));
    } catch (...) {
    }
  }
  std::optional<Response> response = co_await Waiting::Taken(waiting);
  co_return response;
}

asio::awaitable<void> WaitUntil(Transport& transport, Response::Instant when) {
  if (when <= std::chrono::steady_clock::now()) co_return;
  asio::steady_timer timer(transport.executor());
  timer.expires_at(when);
  const auto [error] = co_await timer.async_wait(kAsTuple);
  (void)error;
}

// What the peer still sends is read for a moment: closing over it would reset the connection before
// a refusal has been read.
asio::awaitable<void> Linger(Transport& transport) {
  co_await transport.Finish();
  transport.CloseAfter(std::chrono::seconds(1));
  while (true) {
    const std::string_view more = co_await transport.ReadSome();
    if (more.empty()) break;
  }
}

asio::awaitable<bool> SendCounted(Transport& transport, Shared& shared, const Response& response,
                                  const Manner& manner) {
  std::optional<LongAnswer> one;
  if (response.more) one.emplace(shared, response.owner);
  const bool fits = !one || one->fits();
  const Response instead = fits ? Response() : TooManyLongAnswers();
  const bool sent = co_await Send(transport, fits ? response : instead, manner, shared.limits.pace);
  co_return sent;
}

}  // namespace

asio::awaitable<void> Converse(Transport& transport, Shared& shared, Guests::Place& place) {
  std::string_view pending;  // read, and not yet looked at; in the transport's buffer
  bool keep_alive = true;
  while (keep_alive && !shared.stopping) {
    RequestReader reader({.head_bytes_max = shared.limits.header_bytes_max,
                          .body_bytes_max = shared.limits.body_bytes_max});
    std::optional<Held> held(std::in_place, shared);
    Refused refused;
    const bool there = co_await Receive(transport, shared, *held, pending, reader, refused);
    if (!there) co_return;
    Manner manner{.keep_alive = false,
                  .is_1_0 = reader.head().is_1_0,
                  .is_head = reader.head().request.method == "HEAD"};
    std::optional<Response> response;
    place.SetBusy(true);
    if (refused) {
      response = Problem(refused->status, refused->title, refused->detail);
    } else {
      transport.KeepOpen();  // the answer takes the time it takes
      Request request = reader.TakeRequest();
      request.remote = ClientOf(request, transport.remote(), shared.is_proxy);
      response = co_await Answered(shared, std::move(request));
      if (!response) co_return;
      if (!response->known_as.empty()) place.BecomeKnown(response->known_as);
      co_await WaitUntil(transport, response->not_before);
      manner.keep_alive = reader.head().keep_alive && !shared.stopping;
    }
    held.reset();
    keep_alive = manner.keep_alive;
    const bool sent = co_await SendCounted(transport, shared, *response, manner);
    if (!sent) co_return;
    place.SetBusy(false);
  }
  co_await Linger(transport);
}

asio::awaitable<void> TurnAway(Transport& transport, const Response& response) {
  const Manner manner{.keep_alive = false};
  const Pace pace;
  const bool sent = co_await Send(transport, response, manner, pace);
  if (sent) co_await Linger(transport);
}

}  // namespace tacit::wire::http
