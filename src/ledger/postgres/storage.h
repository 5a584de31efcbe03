#pragma once

#include <memory>
#include <string>

#include "ledger/chain/head_files.h"
#include "ledger/place.h"
#include "ledger/postgres/connection.h"
#include "ledger/storage.h"

// A ledger in a PostgreSQL database, shared by gateways. Each keeps a head file of its own, on its
// own disk: a database that goes back is noticed by every gateway that had a later charge
// acknowledged.

namespace tacit::ledger {

class PostgresStorage final : public Storage {
 public:
  using Options = PostgresConnection::Options;

  PostgresStorage(const Place& place, const Options& options)
      : place_(*place.server),
        options_(options),
        heads_(HeadFile::PathOf(place.path), place.witness) {}

  // Makes the tables, where they are not there yet and the role may, and puts `first` into them,
  // with this gateway's head. Refuses where a ledger is; where a head of one is left here, unless
  // that may go.
  enum class HeadHere { kInTheWay, kReplaced };
  static Result<Done> Create(const Place& place, const Addition& first, const OwnerKey& key,
                             HeadHere head_here = HeadHere::kInTheWay);

  Result<std::unique_ptr<StorageConnection>> Connect() override;
  // The database is asked at every charge what it holds; here it is the gateway's own file.
  Result<Done> CheckPlace() override { return heads_.CheckPlace(); }
  // The server says so when it is written to.
  Result<Done> CheckRoom() override { return Done{}; }
  Result<Head> RecallHead(const OwnerKey& signed_by) override { return heads_.Recall(signed_by); }
  Result<Done> RememberHead(const Head& head, const OwnerKey& key) override {
    return heads_.Remember(head, key);
  }
  Result<Done> ReplaceHead(const Head& head, const OwnerKey& key) override {
    return heads_.Replace(head, key);
  }

 private:
  PostgresPlace place_;
  Options options_;
  HeadFiles heads_;
};

}  // namespace tacit::ledger
