#pragma once

#include <sys/types.h>

#include <string>

#include "ledger/place.h"

// A real PostgreSQL 15 of the test's own, in a temporary folder, reached by a Unix socket only. It
// waits for the disk, as one that keeps ledgers has to. In the test library only.

namespace tacit::ledger::testing {

class PostgresServer {
 public:
  // `options`: as `postgres -c` takes them, each with its -c.
  explicit PostgresServer(const std::string& options = "");
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer();

  // Started when the first test asks for it, stopped at the program's end.
  static PostgresServer& Shared();

  std::string Dsn() const { return "host=" + folder_ + " port=5432 user=tacit dbname=ledger"; }
  std::string SocketPath() const { return folder_ + "/.s.PGSQL.5432"; }
  // A schema that no ledger has; `beside`: where the gateway keeps its own part.
  Place NewPlace(const std::string& beside);

  void Start();
  // kill -9 of every process of the server: what was not on the disk is lost.
  void Kill();
  // Somebody who may do anything there; ends the program when it fails.
  void Sql(const std::string& statement);

 private:
  pid_t Run(const std::string& command) const;

  std::string folder_;
  std::string options_;
  pid_t server_ = 0;
  int places_ = 0;
};

}  // namespace tacit::ledger::testing
