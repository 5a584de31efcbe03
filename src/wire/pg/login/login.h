#pragma once

#include "wire/pg/login/connection.h"

namespace tacit::wire::pg {

// Who has come in.
struct LoggedIn {
  Seat seat;
  std::string analyst;
  std::string database;
  Settings settings;
};

// From the first byte to the right password. A cancel request is carried out here. Nothing when
// nobody comes in: they were told why, or had to be told nothing. Whom a proxy passes on stays
// among the strangers of where they come from.
asio::awaitable<std::optional<LoggedIn>> Login(Connection& connection, Strangers::Stay& stay);

}  // namespace tacit::wire::pg
