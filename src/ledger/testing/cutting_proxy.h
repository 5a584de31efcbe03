#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

// Stands between a client and a PostgreSQL server, on Unix sockets, and breaks connections: when
// the n-th of PostgreSQL's messages has passed, in the direction that is counted, neither side
// hears anything more. In the test library only.

namespace tacit::ledger::testing {

class CuttingProxy {
 public:
  enum class Counted { kFromClient, kFromServer };

  // Listens as `folder`/.s.PGSQL.5432 and calls the server up there.
  CuttingProxy(const std::string& folder, const std::string& server_socket);
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;
  ~CuttingProxy();

  // The next connection that has passed `messages` is cut, once. Counted from now on.
  void Arm(Counted counted, int64_t messages);
  // True when that has happened since.
  bool Disarm();

 private:
  struct Link;

  void Accept();
  void Carry(int client);
  // False: the connection is to be cut.
  bool Pass(Link& link, Counted counted, int from, int to);

  std::string path_;
  std::string server_socket_;
  int listener_ = -1;
  std::atomic<bool> stops_ = false;
  std::atomic<bool> armed_ = false;
  std::atomic<bool> cut_ = false;
  std::atomic<Counted> counted_ = Counted::kFromClient;
  std::atomic<int64_t> left_ = 0;
  std::atomic<int> links_ = 0;
  std::thread accepts_;
};

}  // namespace tacit::ledger::testing
