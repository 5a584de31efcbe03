#pragma once

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::wire {

namespace asio = boost::asio;

// Errors come back as values; nothing throws across a co_await.
inline constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);

// The bytes of one connection, plain or inside TLS, with a deadline that closes it. For the thread
// of its executor.
class Transport {
 public:
  using Socket = asio::ip::tcp::socket;
  explicit Transport(Socket socket);
  ~Transport();

  // Everything below returns false, or nothing, when the connection is gone.
  asio::awaitable<std::optional<unsigned char>> Peek();
  asio::awaitable<bool> StartTls(std::shared_ptr<asio::ssl::context> context);
  // Before anything else was read: takes the header of the PROXY protocol, version 2, if there is
  // one; remote() is then whom it names. False also for a header that is broken.
  asio::awaitable<bool> TakeProxyHeader();
  asio::awaitable<bool> Read(char* to, size_t count);
  // What is there, or comes next; empty at the end. Valid until the next read.
  asio::awaitable<std::string_view> ReadSome();
  asio::awaitable<bool> Write(std::string_view bytes);
  // Says goodbye inside TLS, within a second; a second time nothing. What is read after it are
  // bytes to throw away.
  asio::awaitable<void> Finish();

  // Bytes came behind what was read: nothing a client may send before it has our answer.
  bool HasUnread() const { return next_ < end_; }
  bool encrypted() const { return tls_ != nullptr; }
  std::string protocol() const;  // that ALPN chose; empty without
  const std::string& remote() const { return remote_; }

  // The connection closes when this much time has passed, whatever it is doing.
  void CloseAfter(std::chrono::milliseconds time);
  void KeepOpen();
  // Ends the reading that is under way; writing still works.
  void Interrupt();
  void Close();

  asio::any_io_executor executor() { return socket_.get_executor(); }

 private:
  using Tls = asio::ssl::stream<Socket&>;

  using Clock = std::chrono::steady_clock;

  asio::awaitable<bool> Fill();
  void Watch();
  void WakeUp();

  Socket socket_;
  std::shared_ptr<asio::ssl::context> context_;
  std::unique_ptr<Tls> tls_;
  asio::steady_timer watchdog_;
  std::optional<Clock::time_point> deadline_;  // nothing: stay open
  std::optional<Clock::time_point> wakes_at_;  // the watchdog; nothing: it is not running
  std::shared_ptr<Transport*> self_;           // the watchdog's handler may outlive us
  std::string remote_;
  std::vector<char> buffer_;
  size_t next_ = 0;
  size_t end_ = 0;
};

}  // namespace tacit::wire
