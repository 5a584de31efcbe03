#include "wire/pg/login/server_state.h"

namespace tacit::wire::pg {

std::optional<Seat> Seat::Take(const std::shared_ptr<ServerState>& server,
                               const std::string& analyst) {
  size_t all = 0;
  for (const auto& [name, usage] : server->usage) all += usage.sessions;
  const auto own = server->usage.find(analyst);
  const size_t taken = own == server->usage.end() ? 0 : own->second.sessions;
  if (all >= server->logged_in_max || taken >= server->logged_in_of_analyst_max) {
    return std::nullopt;
  }
  Seat seat(nullptr, analyst);  // made first: from here on nothing may fail half-way
  ++server->usage[analyst].sessions;
  seat.server_ = server;
  return seat;
}

Seat::~Seat() {
  if (server_ == nullptr) return;
  const auto own = server_->usage.find(analyst_);
  if (--own->second.sessions == 0) server_->usage.erase(own);
}

}  // namespace tacit::wire::pg
