#include "wire/http/server.h"

#include <csignal>
#include <thread>

#include "wire/http/conversation.h"
#include "wire/transport/address.h"
#include "wire/transport/listen.h"
#include "wire/words/log.h"

namespace tacit::wire::http {
namespace {

using boost::system::error_code;

// Why 64: so many who cannot be served are told so at once; the others are only closed.
constexpr size_t kTurnedAwayMax = 64;
constexpr std::chrono::seconds kTurnAwayTime{5};
constexpr std::chrono::milliseconds kPause{50};

Response NoRoom(Guests::Verdict verdict) {
  if (verdict == Guests::Verdict::kFull) {
    return Problem(503, "No room", "the server has as many connections as it takes; try again");
  }
  return Problem(429, "Too many connections",
                 "your address has as many connections as one may have; close some");
}

class AsioServer final : public Server {
 public:
  AsioServer(const Options& options, Dispatcher dispatcher)
      : stops_on_signals_(options.stops_on_signals),
        tls_(options.tls),
        guests_(options.limits.guests) {
    shared_.limits = options.limits;
    shared_.dispatch = std::move(dispatcher);
    shared_.is_proxy = options.is_proxy;
  }

  // Threads of the dispatcher may still tell the context that an answer is there.
  ~AsioServer() override { shared_.dispatch = nullptr; }

  Result<Done> Open(const std::string& endpoint) {
    TACIT_TRY(acceptor_, ListenOn(context_, endpoint));
    // From here on, before anybody is told that it listens.
    if (stops_on_signals_) {
      signals_.add(SIGINT);
      signals_.add(SIGTERM);
      signals_.async_wait([this](const error_code& error, int) {
        if (!error) Close();
      });
    }
    return Done{};
  }

  uint16_t port() const override { return acceptor_.local_endpoint().port(); }

  void Run() override {
    while (true) {
      try {
        if (acceptor_.is_open()) Accept();
        context_.run();
        if (!acceptor_.is_open()) return;
        context_.restart();
      } catch (...) {
        // Without memory, most likely, and outside of any connection: the others go on.
        std::this_thread::sleep_for(kPause);
      }
    }
  }

  void Stop() override {
    asio::post(context_, [this] { Close(); });
  }

  void UseTls(TlsContext tls) override {
    asio::post(context_, [this, tls = std::move(tls)]() mutable { tls_ = std::move(tls); });
  }

 private:
  void Close() {
    shared_.stopping = true;
    error_code ignored;
    acceptor_.close(ignored);
    signals_.cancel(ignored);
    for (Transport* transport : shared_.idle) transport->Interrupt();
  }

  // Begins to take connections, unless it does already. However that ends, it may begin again.
  void Accept() {
    if (accepting_) return;
    std::shared_ptr<bool> accepting(&accepting_, [](bool* flag) { *flag = false; });
    accepting_ = true;
    asio::co_spawn(context_, TakeConnections(std::move(accepting)),
                   [this](const std::exception_ptr& failure) {
                     accepting_ = false;
                     if (failure && acceptor_.is_open()) Accept();
                   });
  }

  asio::awaitable<void> TakeConnections(std::shared_ptr<bool>) {
    asio::steady_timer pause(context_);
    while (acceptor_.is_open()) {
      auto [error, socket] = co_await acceptor_.async_accept(kAsTuple);
      if (error == asio::error::operation_aborted) break;
      if (!error && Receive(std::move(socket))) continue;
      // Out of descriptors or memory, most likely: wait for some instead of spinning.
      pause.expires_after(kPause);
      const auto [waited] = co_await pause.async_wait(kAsTuple);
      (void)waited;
    }
  }

  // Whatever is thrown here costs this connection, not the listener.
  bool Receive(Transport::Socket socket) {
    if (guests_.all() + turned_away_ >= shared_.limits.guests.all_max + kTurnedAwayMax) {
      return true;  // closes it
    }
    try {
      asio::co_spawn(context_, Welcome(std::move(socket)), [](const std::exception_ptr& failure) {
        if (failure) Log("connection_failed");
      });
      return true;
    } catch (...) {
      return false;
    }
  }

  asio::awaitable<void> Welcome(Transport::Socket socket) {
    Transport transport(std::move(socket));
    transport.CloseAfter(std::chrono::seconds(shared_.limits.idle_seconds_max));
    const auto is_proxy = [&] { return shared_.is_proxy && shared_.is_proxy(transport.remote()); };
    if (is_proxy()) {
      const bool taken = co_await transport.TakeProxyHeader();
      if (!taken) co_return;
    }
    const std::string address = NetworkOf(transport.remote());
    const Guests::Verdict verdict = guests_.Judge(address, is_proxy());
    if (verdict != Guests::Verdict::kWelcome) {
      co_await TurnStrangerAway(transport, verdict);
      co_return;
    }
    Guests::Place place(guests_, address, [&transport] { transport.Close(); });
    const bool started = co_await StartTls(transport);
    if (started) co_await Converse(transport, shared_, place);
    co_await transport.Finish();
  }

  asio::awaitable<bool> StartTls(Transport& transport) {
    if (!tls_) co_return true;
    const bool started = co_await transport.StartTls(tls_);
    co_return started;
  }

  asio::awaitable<void> TurnStrangerAway(Transport& transport, Guests::Verdict verdict) {
    LogRefused(transport.remote());
    if (turned_away_ >= kTurnedAwayMax) co_return;
    const Counted one(turned_away_);
    transport.CloseAfter(kTurnAwayTime);
    const bool started = co_await StartTls(transport);
    if (started) co_await TurnAway(transport, NoRoom(verdict));
  }

  void LogRefused(const std::string& remote) {
    if (logs_refused_.Due()) Log("connection_refused", {{"remote", remote}});
  }

  struct Counted {
    explicit Counted(size_t& to) : count(to) { ++count; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --count; }
    size_t& count;
  };

  const bool stops_on_signals_;
  TlsContext tls_;
  Shared shared_;
  Guests guests_;
  size_t turned_away_ = 0;
  bool accepting_ = false;
  OnceASecond logs_refused_;
  asio::io_context context_{1};
  asio::ip::tcp::acceptor acceptor_{context_};
  asio::signal_set signals_{context_};
};

}  // namespace

Result<std::unique_ptr<Server>> Server::Listen(const std::string& endpoint, const Options& options,
                                               Dispatcher dispatcher) {
  auto server = std::make_unique<AsioServer>(options, std::move(dispatcher));
  TACIT_CHECK(server->Open(endpoint));
  return std::unique_ptr<Server>(std::move(server));
}

Result<std::unique_ptr<Server>> Server::Listen(const std::string& endpoint, const Options& options,
                                               Handler handler) {
  return Listen(
      endpoint, options,
      Dispatcher([handler = std::move(handler)](const std::shared_ptr<const Request>& request,
                                                const Reply& reply) { reply(handler(*request)); }));
}

}  // namespace tacit::wire::http
