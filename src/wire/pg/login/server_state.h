#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "wire/auth/guess_delays.h"
#include "wire/auth/tls.h"
#include "wire/deployment/live_deployment.h"
#include "wire/pg/login/registry.h"
#include "wire/pg/state/session_state.h"
#include "wire/transport/strangers.h"
#include "wire/words/log.h"

namespace tacit::wire::pg {

class Connection;

// Every limit is for a client that means no good, or has a fault.
struct SessionLimits {
  std::chrono::milliseconds login{20'000};  // from the first byte to the right password, in all
  std::chrono::milliseconds write{30'000};  // for 64 KiB to be taken
  Statements::Limits statements = {};
  Portals::Limits portals = {};
  // Of messages beyond kOtherFrameBytesMax, from their heads until they have been dealt with.
  HeldBytes::Limits frames = {.of_session = 4u << 20, .of_analyst = 32u << 20};
};

// What the sessions of one analyst have together.
struct AnalystUsage {
  size_t sessions = 0;
  size_t statement_bytes = 0;
  size_t portal_bytes = 0;
  size_t frame_bytes = 0;
};

// What all connections of a server share; they keep it alive. For one thread.
struct ServerState {
  LiveDeployment& deployment;
  std::shared_ptr<const TlsIdentity> tls;  // for new connections
  SessionLimits limits;
  size_t logged_in_max;
  size_t logged_in_of_analyst_max;
  Strangers strangers;
  Registry registry = {};
  GuessDelays guesses = {};
  std::set<Connection*> connections = {};
  OnceASecond logs_refused = {};                   // of strangers
  std::map<std::string, AnalystUsage> usage = {};  // by analyst, of those who are logged in
  bool accepting = false;
  bool stopping = false;
};

// A place among those who are logged in, until it is destroyed.
class Seat {
 public:
  // Nothing when there is none left. An analyst who takes many leaves some for the others.
  static std::optional<Seat> Take(const std::shared_ptr<ServerState>& server,
                                  const std::string& analyst);
  Seat(Seat&& other) noexcept = default;
  Seat& operator=(Seat&&) = delete;
  ~Seat();

  AnalystUsage& usage() const { return server_->usage.at(analyst_); }

 private:
  Seat(std::shared_ptr<ServerState> server, std::string analyst)
      : server_(std::move(server)), analyst_(std::move(analyst)) {}

  std::shared_ptr<ServerState> server_;  // null after a move
  std::string analyst_;
};

}  // namespace tacit::wire::pg
