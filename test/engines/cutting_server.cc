#include "cutting_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tacit::golden {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

void SendAll(int socket, const std::string& bytes) {
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += static_cast<size_t>(count);
  }
}

std::string ReceiveSome(int socket) {
  std::string bytes(size_t{1} << 16, '\0');
  const ssize_t count = ::recv(socket, bytes.data(), bytes.size(), 0);
  bytes.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return bytes;
}

LoopbackServer::LoopbackServer(std::function<void(int)> serve) : serve_(std::move(serve)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(listener_, 16), 0);
  socklen_t size = sizeof address;
  EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Accept(); });
}

LoopbackServer::~LoopbackServer() {
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int client : open_) ::shutdown(client, SHUT_RDWR);
  }
  for (std::thread& worker : workers_) worker.join();
  for (const int client : open_) ::close(client);
  ::close(listener_);
}

void LoopbackServer::Accept() {
  for (;;) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    const std::lock_guard lock(mutex_);
    open_.push_back(client);
    workers_.emplace_back([this, client] {
      serve_(client);
      ::shutdown(client, SHUT_RDWR);
    });
  }
}

CuttingServer::CuttingServer(int port, std::function<bool(int)> cuts)
    : port_(port), cuts_(std::move(cuts)), server_([this](int client) { Pass(client); }) {}

void CuttingServer::Pass(int client) {
  if (is_shut_) return;
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(port_);
  if (::connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(server);
    return;
  }
  bool asked = false;  // what comes back next is another page
  for (;;) {
    pollfd both[2] = {{.fd = client, .events = POLLIN, .revents = 0},
                      {.fd = server, .events = POLLIN, .revents = 0}};
    if (::poll(both, 2, 100) < 0 || is_shut_) break;
    if (both[0].revents != 0) {
      const std::string bytes = ReceiveSome(client);
      if (bytes.empty()) break;
      asked = bytes.starts_with("GET ");
      SendAll(server, bytes);
    }
    if (both[1].revents != 0) {
      const std::string bytes = ReceiveSome(server);
      if (bytes.empty()) break;
      const bool is_cut = asked && cuts_(++answers_);
      asked = false;
      SendAll(client, is_cut ? bytes.substr(0, bytes.size() / 2) : bytes);
      if (is_cut) break;
    }
  }
  ::close(server);
}

}  // namespace tacit::golden
