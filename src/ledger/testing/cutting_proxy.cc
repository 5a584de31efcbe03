#include "ledger/testing/cutting_proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <string_view>

#include "base/assert.h"

namespace tacit::ledger::testing {
namespace {

sockaddr_un AddressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  TACIT_ASSERT(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

bool SendAll(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

}  // namespace

// What has been read in a direction and is no whole message yet.
struct CuttingProxy::Link {
  std::string from_client;
  std::string from_server;
  bool started = false;  // the first message of a client has no letter
};

CuttingProxy::CuttingProxy(const std::string& folder, const std::string& server_socket)
    : path_(folder + "/.s.PGSQL.5432"), server_socket_(server_socket) {
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = AddressOf(path_);
  TACIT_ASSERT(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  TACIT_ASSERT(::listen(listener_, 64) == 0);
  accepts_ = std::thread([this] { Accept(); });
}

CuttingProxy::~CuttingProxy() {
  stops_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  accepts_.join();
  while (links_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::close(listener_);
  ::unlink(path_.c_str());
}

void CuttingProxy::Arm(Counted counted, int64_t messages) {
  counted_ = counted;
  left_ = messages;
  cut_ = false;
  armed_ = true;
}

bool CuttingProxy::Disarm() {
  armed_ = false;
  return cut_;
}

void CuttingProxy::Accept() {
  while (!stops_) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    ++links_;
    std::thread([this, client] {
      Carry(client);
      --links_;
    }).detach();
  }
}

void CuttingProxy::Carry(int client) {
  const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = AddressOf(server_socket_);
  Link link;
  bool goes_on =
      ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  while (goes_on && !stops_) {
    pollfd both[] = {{.fd = client, .events = POLLIN, .revents = 0},
                     {.fd = server, .events = POLLIN, .revents = 0}};
    if (::poll(both, 2, 100) < 0) break;
    if (both[0].revents != 0) goes_on = Pass(link, Counted::kFromClient, client, server);
    if (goes_on && both[1].revents != 0) goes_on = Pass(link, Counted::kFromServer, server, client);
  }
  ::close(server);
  ::close(client);
}

bool CuttingProxy::Pass(Link& link, Counted counted, int from, int to) {
  std::string& waiting = counted == Counted::kFromClient ? link.from_client : link.from_server;
  char bytes[16384];
  const ssize_t count = ::recv(from, bytes, sizeof bytes, 0);
  if (count <= 0) return false;
  waiting.append(bytes, static_cast<size_t>(count));
  while (true) {
    const bool has_letter = counted == Counted::kFromServer || link.started;
    const size_t head = has_letter ? 1 : 0;
    if (waiting.size() < head + 4) return true;
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(waiting[head + i]); };
    const size_t length = head + (static_cast<size_t>(byte(0)) << 24 | size_t{byte(1)} << 16 |
                                  size_t{byte(2)} << 8 | size_t{byte(3)});
    if (waiting.size() < length) return true;
    if (armed_ && counted_ == counted && left_.fetch_sub(1) == 0) {
      armed_ = false;
      cut_ = true;
      return false;
    }
    if (counted == Counted::kFromClient) link.started = true;
    if (!SendAll(to, std::string_view(waiting).substr(0, length))) return false;
    waiting.erase(0, length);
  }
}

}  // namespace tacit::ledger::testing
