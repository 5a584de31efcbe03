#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "ledger/chain/append.h"
#include "ledger/inspect.h"
#include "ledger/testing/memory_storage.h"
#include "ledger/testing/postgres_server.h"
#include "ledger/testing/sample.h"

// Somewhere to keep one ledger, for tests that hold wherever it is kept.

namespace tacit::ledger::testing {

enum class Kept { kInFile, kInMemory, kInPostgres };

// Those that this program tries.
std::vector<Kept> KeptHere();

inline void PrintTo(Kept kept, std::ostream* out) {
  *out << (kept == Kept::kInFile     ? "in a file"
           : kept == Kept::kInMemory ? "in memory"
                                     : "in PostgreSQL");
}

class LedgerSite {
 public:
  explicit LedgerSite(Kept kept)
      : kept_(kept),
        place_(kept == Kept::kInPostgres ? PostgresServer::Shared().NewPlace(folder_.File("ledger"))
                                         : Place(folder_.ledger())),
        memory_(std::make_unique<MemoryServer>()) {}

  const Place& place() const { return place_; }

  Result<Done> Create(const OpenOptions& options = {}) const {
    if (kept_ != Kept::kInMemory) return Ledger::Create(place_, options);
    TACIT_TRY(const Addition first, FirstAddition(options));
    return memory_->Create(first, OwnerKey(options.key));
  }

  Result<Ledger> Open(const OpenOptions& options = {}) const {
    if (kept_ != Kept::kInMemory) return Ledger::Open(place_, options);
    TACIT_TRY(std::unique_ptr<Storage> storage, memory_->Open(false));
    return Ledger::Open(std::move(storage), options);
  }

  Ledger Make(const OpenOptions& options = {}) const {
    TACIT_ASSERT(Create(options).ok());
    return Open(options).value();
  }

  Result<Verification> Verify(const std::string& key = "") const {
    if (kept_ != Kept::kInMemory) return ledger::Verify(place_, key);
    TACIT_TRY(const std::unique_ptr<Storage> storage, memory_->Open(false));
    return ledger::Verify(*storage, key);
  }

  Result<Head> Accept(const std::string& reason, const std::string& key = "") const {
    if (kept_ != Kept::kInMemory) return AcceptRestored(place_, reason, key);
    TACIT_TRY(const std::unique_ptr<Storage> storage, memory_->Open(true));
    return AcceptRestored(*storage, reason, key);
  }

  // What verifying finds.
  std::string Fault(const std::string& key = "") const { return Verify(key).value().fault; }

  Rational Spent() const {
    if (kept_ != Kept::kInMemory) return ReadAccounts(place_)->at(0).spent.epsilon;
    const std::unique_ptr<Storage> storage = memory_->Open(false).value();
    return ReadAccounts(*storage)->at(0).spent.epsilon;
  }

  Result<Done> ForEachChargeOf(
      const std::string& analyst, int64_t newest_max,
      const std::function<Result<Done>(int64_t number, const StoredRecord&)>& each) const {
    if (kept_ != Kept::kInMemory) {
      return ledger::ForEachChargeOf(place_, analyst, newest_max, each);
    }
    TACIT_TRY(const std::unique_ptr<Storage> storage, memory_->Open(false));
    return ledger::ForEachChargeOf(*storage, analyst, newest_max, each);
  }

  std::vector<StoredRecord> Records() const {
    std::vector<StoredRecord> records;
    const auto add = [&](const StoredRecord& record) -> Result<Done> {
      records.push_back(record);
      return Done{};
    };
    if (kept_ != Kept::kInMemory) {
      TACIT_ASSERT(ForEachRecord(place_, add).ok());
    } else {
      const std::unique_ptr<Storage> storage = memory_->Open(false).value();
      TACIT_ASSERT(ForEachRecord(*storage, add).ok());
    }
    return records;
  }

  MemoryServer& memory() const { return *memory_; }

 private:
  Kept kept_;
  Folder folder_;
  Place place_;
  std::unique_ptr<MemoryServer> memory_;
};

}  // namespace tacit::ledger::testing
