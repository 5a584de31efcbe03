// Answers, kept for all who wait.

#include "ledger/chain/answers.h"

#include "ledger/group/state.h"

namespace tacit::ledger {
namespace {

// Why 64 MiB: a released table of a million groups.
constexpr size_t kAnswerBytesMax = size_t{64} << 20;

// Nobody looks at an answer whose caller is gone.
class InQueue {
 public:
  InQueue(std::mutex& mutex, std::vector<PendingAnswer*>& queue, PendingAnswer& answer)
      : mutex_(mutex), queue_(queue), answer_(&answer) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(answer_);
  }
  InQueue(const InQueue&) = delete;
  InQueue& operator=(const InQueue&) = delete;
  ~InQueue() {
    const std::lock_guard lock(mutex_);
    std::erase(queue_, answer_);
  }

 private:
  std::mutex& mutex_;
  std::vector<PendingAnswer*>& queue_;
  PendingAnswer* answer_;
};

}  // namespace

// Under the lock, for which answers wait while charges are written: whoever gets it keeps all that
// wait, in one transaction, and the others find theirs done. One that is refused is refused alone;
// a failing disk fails them all.
// proof: ledger/recovery.md#decisions
Result<Done> Ledger::State::WriteAnswers(PendingAnswer& mine) {
  if (mine.result) return *mine.result;
  std::vector<PendingAnswer*> all;
  {
    const std::lock_guard lock(queue_mutex);
    all = std::exchange(answers, {});
  }
  // Somebody took it along and could not finish.
  if (std::find(all.begin(), all.end(), &mine) == all.end()) all.push_back(&mine);
  TACIT_CHECK(storage->CheckPlace());
  Expected expected;
  for (const PendingAnswer* answer : all) expected.records.push_back(answer->id.sequence);
  writes->rows->Expect(std::move(expected));
  TACIT_TRY(Transaction transaction,
            Transaction::Begin(*writes, Transaction::Access::kWriteUnsynced));
  std::vector<Result<Done>> results;
  for (const PendingAnswer* answer : all) {
    results.push_back(KeepAnswer(*writes, answer->id, answer->receipt->hash, *answer->bytes));
    if (!results.back().ok() && writes->rows->MustStop()) return results.back();
  }
  TACIT_CHECK(transaction.Commit());
  for (size_t i = 0; i < all.size(); ++i) {
    work.unkept -= results[i].ok() ? 1 : 0;
    all[i]->result = std::move(results[i]);
  }
  TACIT_CHECK(writes->rows->TidyUp(/*somebody_waits=*/false));
  return *mine.result;
}

Result<Done> Ledger::Store(const Receipt& receipt, size_t ordinal, const std::string& bytes) {
  if (ordinal >= receipt.releases.size() || receipt.releases[ordinal].bytes.has_value()) {
    return InvalidArgument("the receipt granted no new release of that number");
  }
  if (bytes.size() > kAnswerBytesMax) return InvalidArgument("the answer is too large to be kept");
  PendingAnswer mine{.receipt = &receipt, .id = receipt.releases[ordinal].id, .bytes = &bytes};
  const InQueue waits(state_->queue_mutex, state_->answers, mine);
  return state_->Guarded([&] { return state_->WriteAnswers(mine); });
}

}  // namespace tacit::ledger
