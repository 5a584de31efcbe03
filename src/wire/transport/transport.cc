#include "wire/transport/transport.h"

#include <algorithm>
#include <cstring>

#include "wire/transport/proxy_header.h"

namespace tacit::wire {
namespace {

constexpr size_t kBufferBytes = 16 * 1024;

}  // namespace

Transport::Transport(Socket socket)
    : socket_(std::move(socket)),
      watchdog_(socket_.get_executor()),
      self_(std::make_shared<Transport*>(this)),
      buffer_(kBufferBytes) {
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.set_option(asio::socket_base::keep_alive(true), ignored);
  const auto peer = socket_.remote_endpoint(ignored);
  if (ignored) return;
  asio::ip::address address = peer.address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    address = asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  }
  remote_ = address.to_string();
}

Transport::~Transport() {
  *self_ = nullptr;
  Close();
}

asio::awaitable<std::optional<unsigned char>> Transport::Peek() {
  char byte = 0;
  const auto [error, count] = co_await socket_.async_receive(
      asio::buffer(&byte, 1), asio::socket_base::message_peek, kAsTuple);
  if (error || count != 1) co_return std::nullopt;
  co_return static_cast<unsigned char>(byte);
}

// Exactly its bytes are taken from the socket: what follows may be TLS.
asio::awaitable<bool> Transport::TakeProxyHeader() {
  const std::optional<unsigned char> first = co_await Peek();
  if (!first) co_return false;
  if (*first != kProxyFirstByte) co_return true;
  std::string bytes(kProxyHeadBytes, '\0');
  const auto [no_head, head_bytes] =
      co_await asio::async_read(socket_, asio::buffer(bytes), kAsTuple);
  if (no_head) co_return false;
  const std::optional<ProxyHead> head = ReadProxyHead(bytes);
  if (!head) co_return false;
  bytes.assign(head->bytes, '\0');
  const auto [no_rest, rest_bytes] =
      co_await asio::async_read(socket_, asio::buffer(bytes), kAsTuple);
  if (no_rest) co_return false;
  const std::optional<std::string> address = ReadProxyAddress(*head, bytes);
  if (!address) co_return false;
  if (!address->empty()) remote_ = *address;
  co_return true;
}

asio::awaitable<bool> Transport::StartTls(std::shared_ptr<asio::ssl::context> context) {
  context_ = std::move(context);
  auto tls = std::make_unique<Tls>(socket_, *context_);
  const auto [error] = co_await tls->async_handshake(asio::ssl::stream_base::server, kAsTuple);
  if (error) co_return false;
  tls_ = std::move(tls);
  co_return true;
}

// Only when everything in the buffer was taken.
asio::awaitable<bool> Transport::Fill() {
  const auto room = asio::buffer(buffer_);
  boost::system::error_code failed;
  size_t got = 0;
  if (tls_) {
    const auto [error, bytes] = co_await tls_->async_read_some(room, kAsTuple);
    failed = error;
    got = bytes;
  } else {
    const auto [error, bytes] = co_await socket_.async_read_some(room, kAsTuple);
    failed = error;
    got = bytes;
  }
  if (failed || got == 0) co_return false;
  next_ = 0;
  end_ = got;
  co_return true;
}

asio::awaitable<bool> Transport::Read(char* to, size_t count) {
  while (count > 0) {
    if (next_ == end_ && !co_await Fill()) co_return false;
    const size_t part = std::min(count, end_ - next_);
    std::memcpy(to, buffer_.data() + next_, part);
    next_ += part;
    to += part;
    count -= part;
  }
  co_return true;
}

asio::awaitable<std::string_view> Transport::ReadSome() {
  if (next_ == end_ && !co_await Fill()) co_return std::string_view();
  const std::string_view there(buffer_.data() + next_, end_ - next_);
  next_ = end_;
  co_return there;
}

asio::awaitable<bool> Transport::Write(std::string_view bytes) {
  const auto what = asio::buffer(bytes.data(), bytes.size());
  boost::system::error_code failed;
  if (tls_) {
    const auto [error, count] = co_await asio::async_write(*tls_, what, kAsTuple);
    failed = error;
  } else {
    const auto [error, count] = co_await asio::async_write(socket_, what, kAsTuple);
    failed = error;
  }
  co_return !failed;
}

asio::awaitable<void> Transport::Finish() {
  CloseAfter(std::chrono::seconds(1));
  if (tls_) {
    const auto [error] = co_await tls_->async_shutdown(kAsTuple);
    (void)error;
    // What the peer still sends can only be thrown away, and OpenSSL reads no more of it.
    tls_.reset();
  }
  boost::system::error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  KeepOpen();
}

std::string Transport::protocol() const {
  const unsigned char* name = nullptr;
  unsigned length = 0;
  if (tls_) SSL_get0_alpn_selected(tls_->native_handle(), &name, &length);
  return std::string(reinterpret_cast<const char*>(name), length);
}

void Transport::CloseAfter(std::chrono::milliseconds time) {
  deadline_ = Clock::now() + time;
  if (!wakes_at_ || *deadline_ < *wakes_at_) Watch();
}

void Transport::KeepOpen() { deadline_.reset(); }

// Most deadlines are lifted long before they are over: the watchdog sleeps on, and looks at the
// last one when it wakes. Setting and cancelling it for each message would cost more than reading
// the message.
void Transport::Watch() {
  wakes_at_ = deadline_;
  watchdog_.expires_at(*deadline_);
  watchdog_.async_wait([self = self_](const boost::system::error_code& error) {
    if (!error && *self != nullptr) (*self)->WakeUp();
  });
}

void Transport::WakeUp() {
  wakes_at_.reset();
  if (!deadline_) return;
  if (*deadline_ <= Clock::now()) return Close();
  Watch();
}

void Transport::Interrupt() {
  boost::system::error_code ignored;
  socket_.cancel(ignored);
}

void Transport::Close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

}  // namespace tacit::wire
