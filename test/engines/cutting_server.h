#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tacit::golden {

// Stands on loopback where a client looks for a server. Each connection is handed to `serve`, which
// reads and writes its socket until it returns.
class LoopbackServer {
 public:
  explicit LoopbackServer(std::function<void(int client)> serve);
  ~LoopbackServer();
  std::string Url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  void Accept();

  std::function<void(int)> serve_;
  int listener_ = -1;
  int port_ = 0;
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> workers_;
  std::thread thread_;
};

// Passes bytes on to a port of 127.0.0.1 and back. Of the answers to GET that it sees, those whose
// number `cuts` names end in their middle; once it is shut nothing passes any more.
class CuttingServer {
 public:
  CuttingServer(int port, std::function<bool(int answer)> cuts);
  std::string Url() const { return server_.Url(); }
  void Shut() { is_shut_ = true; }
  int answers() const { return answers_; }

 private:
  void Pass(int client);

  int port_;
  std::function<bool(int)> cuts_;
  std::atomic<int> answers_{0};
  std::atomic<bool> is_shut_{false};
  LoopbackServer server_;
};

// Sends it whole, or gives up.
void SendAll(int socket, const std::string& bytes);
// What there is to read next; empty at the end.
std::string ReceiveSome(int socket);

}  // namespace tacit::golden
