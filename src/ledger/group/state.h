#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "ledger/chain/chain.h"
#include "ledger/chain/follow.h"
#include "ledger/decide/decide.h"
#include "ledger/ledger.h"
#include "ledger/questions/questions.h"
#include "ledger/storage.h"

// What the threads that share a Ledger share: who writes, who waits, and whether the storage can
// still be trusted.

namespace tacit::ledger {

Error Stopped();
// What is said when the program could not go on in the middle of a charge.
Error Interrupted();

// What the charge looks for.
ExpectedLookup LookupOf(const ChargeRequest& request);

// A charge that waits to be written; its caller waits too.
struct PendingCharge {
  const ChargeRequest* request = nullptr;
  // The writer's alone until `done`. Made before anybody writes: what can still be said when there
  // is no memory left to say anything.
  Result<Receipt> result = Interrupted();
  bool done = false;  // under queue_mutex
};

// An answer that waits to be kept; its caller waits for `mutex`.
struct PendingAnswer {
  const Receipt* receipt = nullptr;
  ReleaseId id;
  const std::string* bytes = nullptr;
  std::optional<Result<Done>> result = std::nullopt;  // under mutex
};

struct Ledger::State {
  std::mutex mutex;  // of what writes
  std::unique_ptr<Storage> storage;
  OpenOptions options;
  OwnerKey key;
  std::unique_ptr<Chain> writes;
  std::unique_ptr<Questions> questions;  // null: nobody wants them
  std::mutex seen_mutex;
  Head seen;  // the last record this handle knows to be durable
  std::atomic<bool> stopped = false;
  Work work;  // under mutex

  // Who only looks need not wait for those who wait for the disk.
  std::mutex reads_mutex;
  std::unique_ptr<Chain> reads;  // connected when first needed

  // Charges that arrive while others are being written are written together next: the disk is
  // waited for once for all of them.
  std::mutex queue_mutex;
  std::condition_variable written;
  std::vector<PendingCharge*> queue;
  std::vector<PendingAnswer*> answers;  // likewise: whoever comes first keeps them all
  bool writing = false;

  Head Seen();
  std::string TimeNow() const { return TimeText(options.clock); }

  Result<Receipt> ReadOnly(Chain& chain, const ChargeRequest& request, bool& free);
  // For whoever holds reads_mutex.
  Result<Done> ConnectReads();
  Result<Moment> ReadMoment();

  // The books when a transaction that writes began, and what others have written since the last.
  struct Before {
    CheckedBooks books;
    std::vector<StoredRecord> unfollowed;
  };
  Result<Transaction> BeginWrite(const Expected& expected, Before& before);
  bool in_doubt = false;  // what others have written did not verify; under mutex

  Result<Receipt> ChargeOne(const ChargeRequest& request);
  // Whatever happens, everyone who waits has a result, and the next may write.
  void WriteFor(std::span<PendingCharge* const> pending) noexcept;
  Result<Done> ChargeAll(std::span<PendingCharge* const> pending);
  Result<Done> WriteAll(std::span<PendingCharge* const> pending);

  Result<Done> WriteAnswers(PendingAnswer& mine);

  // Runs one call under the lock, unless the ledger has stopped; stops it when the call says so.
  template <class Call>
  auto Guarded(Call call) -> decltype(call()) {
    const std::lock_guard lock(mutex);
    if (stopped) return Stopped();
    auto result = call();
    if (!result.ok() && writes->rows->MustStop()) stopped = true;
    return result;
  }

  // Runs one call that only reads: on the connection that writes when nobody is writing, so that a
  // single caller needs no second one.
  template <class Call>
  auto Reading(Call call) -> decltype(call(*writes)) {
    std::unique_lock idle(mutex, std::try_to_lock);
    std::unique_lock<std::mutex> alone;
    if (!idle.owns_lock()) {
      alone = std::unique_lock(reads_mutex);
      if (!stopped) TACIT_CHECK(ConnectReads());
    }
    if (stopped) return Stopped();
    Chain& chain = idle.owns_lock() ? *writes : *reads;
    auto result = call(chain);
    if (!result.ok() && chain.rows->MustStop()) stopped = true;
    return result;
  }
};

}  // namespace tacit::ledger
