#pragma once

#include <optional>
#include <string>

// Where a ledger is kept, as the owner's policy names it.

namespace tacit::ledger {

// A schema of a PostgreSQL database, which several gateways share.
struct PostgresPlace {
  std::string dsn;            // as libpq reads it
  std::string password = {};  // empty: by libpq's own ways (a password file, a certificate, ...)
  std::string schema = "tacit_ledger";
};

struct Place {
  // A SQLite file.
  Place(std::string file) : path(std::move(file)) {}  // NOLINT: a path is a place
  Place(const char* file) : path(file) {}             // NOLINT
  Place(PostgresPlace database, std::string beside)
      : path(std::move(beside)), server(std::move(database)) {}

  // The ledger's file; of a database, what this gateway itself keeps begins with it: PATH-head,
  // PATH-questions.
  std::string path;
  std::string witness = {};  // a second head file, elsewhere; empty: none
  std::optional<PostgresPlace> server = {};

  // For people; without a password.
  std::string Name() const {
    return server ? "schema " + server->schema + " of the database " + server->dsn : path;
  }
  // Whatever password and witness are.
  bool IsThatOf(const Place& other) const {
    if (path != other.path || server.has_value() != other.server.has_value()) return false;
    return !server || (server->dsn == other.server->dsn && server->schema == other.server->schema);
  }
};

}  // namespace tacit::ledger
