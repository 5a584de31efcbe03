#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "ledger/storage.h"

// A second storage, in memory: as a database server would be, it is shared by all who connect, has
// one writer at a time and a snapshot for every reader, forgets what was not synced when the power
// fails, and can be told to fail. In the test library only.

namespace tacit::ledger::testing {

struct MemoryAnswer {
  AnswerRow row;
  std::string bytes;
};

struct MemoryRows {
  int64_t version = 0;
  std::map<int64_t, StoredRecord> records;
  std::map<std::string, std::string> declared;
  std::map<std::string, std::string> accounts;
  std::map<std::pair<std::string, std::string>, int64_t> requests;
  std::map<std::tuple<std::string, int64_t, size_t>, int64_t> payments;
  std::map<std::pair<int64_t, size_t>, MemoryAnswer> answers;
};

struct MemoryFaults {
  enum class Kind {
    kRefused,   // nothing happened, and the next call may work: as on a full disk
    kUnknown,   // nobody knows what the storage holds: as after a failed fsync
    kLostWord,  // a commit that fails has happened all the same: as when a connection breaks
  };
  // Counted over all calls to the storage, from one. 0: nothing fails.
  int64_t fail_at = 0;
  bool for_ever = false;
  Kind kind = Kind::kRefused;
};

// Outlives the storages that are opened on it.
class MemoryServer {
 public:
  Result<Done> Create(const Addition& first, const OwnerKey& key);
  Result<std::unique_ptr<Storage>> Open(bool alone);

  void ArmFaults(const MemoryFaults& faults);
  bool FaultHappened();
  int64_t syncs();

  // What was not synced is gone. Nobody is connected.
  void LosePower();
  // As somebody would who may write everything but knows no key.
  MemoryRows rows();
  void Replace(MemoryRows rows);

 private:
  friend class MemoryStorage;
  friend class MemoryConnection;

  // Counts a call; true when it is to fail.
  bool Fails(MemoryFaults::Kind& kind);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const MemoryRows> visible_;  // null: there is no ledger
  std::shared_ptr<const MemoryRows> durable_;
  bool writing_ = false;
  int connections_ = 0;
  bool alone_ = false;
  std::optional<Head> head_;
  std::string signature_;  // of the head
  MemoryFaults faults_;
  int64_t calls_ = 0;
  int64_t syncs_ = 0;
  bool happened_ = false;
};

}  // namespace tacit::ledger::testing
