// Charges, written for all who wait.

#include "ledger/chain/append.h"
#include "ledger/decide/check_request.h"
#include "ledger/group/state.h"

namespace tacit::ledger {
namespace {

// Inside the caller's transaction. Nothing is written when it does not come to an Addition.
Result<ChainedAddition> AdditionOf(Chain& chain, const CheckedBooks& before, Decision& decision) {
  PostedRecords posted{.records = std::move(decision.records), .books = std::move(decision.books)};
  TACIT_TRY(const std::vector<AnswerHash> unsealed, chain.rows->AnswersSealedBy(0));
  TACIT_TRY(ChainedAddition addition, ChainTo(before, std::move(posted), unsealed));
  decision.receipt.hash = addition.head_hash;
  decision.receipt.name =
      chain.key.ReceiptName(std::get<ChargeAct>(addition.records.back().act).analyst,
                            decision.receipt.sequence, addition.head_hash);
  return addition;
}

Expected LookupsOf(std::span<PendingCharge* const> pending) {
  Expected expected;
  for (const PendingCharge* charge : pending)
    expected.lookups.push_back(LookupOf(*charge->request));
  return expected;
}

void Count(const Receipt& receipt, Work& work) {
  work.paid.epsilon += receipt.dataset_cost.epsilon;
  work.paid.delta += receipt.dataset_cost.delta;
  work.paid.rho += receipt.dataset_cost.rho;
  for (const GrantedRelease& release : receipt.releases) work.unkept += release.bytes ? 0 : 1;
}

}  // namespace

// proof: ledger/recovery.md#several-gateways
Result<Transaction> Ledger::State::BeginWrite(const Expected& expected, Before& before) {
  while (true) {
    const Head durable = Seen();
    Expected all = expected;
    all.records.push_back(durable.records);
    if (writes->followed != nullptr) all.records_after = writes->followed->books->sequence;
    if (!in_doubt) {
      writes->rows->Expect(std::move(all));
      TACIT_TRY(Transaction transaction, Transaction::Begin(*writes, Transaction::Access::kWrite));
      TACIT_CHECK(CheckHead(*writes, durable));
      TACIT_TRY(before.books, LoadBooks(*writes));
      if (RecordsBehind(*writes, before.books) <= kBehindMax) {
        TACIT_TRY(before.unfollowed, RecordsToFollow(*writes, before.books));
        return Result<Transaction>(std::move(transaction));
      }
    }
    // Much was written meanwhile, and nobody is kept waiting while it is gone through; or what was
    // written is doubted, and nothing more is built on it.
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(*writes, Transaction::Access::kRead));
    TACIT_TRY(const CheckedBooks now, LoadBooks(*writes));
    TACIT_CHECK(FollowRecords(*writes, now));
    in_doubt = false;
  }
}

// All of them in one transaction, in order: each is decided with the earlier ones written. What
// does not fit is refused alone; a failing disk fails them all.
// proof: ledger/recovery.md#what-sqlite-promises-and-what-is-built-on-it
Result<Done> Ledger::State::WriteAll(std::span<PendingCharge* const> pending) {
  Before began;
  TACIT_TRY(Transaction transaction, BeginWrite(LookupsOf(pending), began));
  CheckedBooks before = began.books;
  const Head before_all = Seen();
  std::vector<Result<Receipt>> results;
  Head last = before_all;
  for (const PendingCharge* charge : pending) {
    // Decided here, whatever a quote said: since then another charge may have been written.
    Result<Decision> decided =
        Decide(*writes, *before.books, *charge->request, {.time = TimeNow(), .is_quote = false});
    if (!decided.ok()) {
      if (writes->rows->MustStop()) return std::move(decided).error();
      results.emplace_back(std::move(decided).error());
      continue;
    }
    Decision decision = std::move(decided).value();
    if (!decision.records.empty()) {
      Result<ChainedAddition> addition = AdditionOf(*writes, before, decision);
      if (!addition.ok()) {
        if (writes->rows->MustStop()) return std::move(addition).error();
        results.emplace_back(std::move(addition).error());
        continue;
      }
      TACIT_TRY(before, Append(*writes, std::move(addition).value()));
      last = Head{.records = decision.receipt.sequence, .hash = decision.receipt.hash};
    }
    results.emplace_back(std::move(decision.receipt));
  }
  if (last.records != before_all.records) {
    Head durable = last;  // copied while it can still fail
    auto followed = std::make_unique<const CheckedBooks>(before);
    TACIT_CHECK(transaction.Commit());  // returns when it is on stable storage
    for (const Result<Receipt>& result : results) {
      if (result.ok()) Count(*result, work);
    }
    {
      const std::lock_guard lock(seen_mutex);
      std::swap(seen, durable);
    }
    // With the lock given back, and before any receipt: a charge that was decided by totals that
    // are not the sums stands, and nobody is given anything for it.
    if (Result<Done> verified = FollowThrough(*writes, began.unfollowed, began.books);
        !verified.ok()) {
      in_doubt = true;
      return verified;
    }
    writes->followed = std::move(followed);
    if (Result<Done> remembered = storage->RememberHead(last, key); !remembered.ok()) {
      stopped = true;
      return std::move(remembered).error();
    }
  }
  for (size_t i = 0; i < pending.size(); ++i) pending[i]->result = std::move(results[i]);
  return Done{};
}

Result<Done> Ledger::State::ChargeAll(std::span<PendingCharge* const> pending) {
  TACIT_CHECK(storage->CheckPlace());
  TACIT_CHECK(writes->rows->TidyUp(/*somebody_waits=*/true));
  return WriteAll(pending);
}

void Ledger::State::WriteFor(std::span<PendingCharge* const> pending) noexcept {
  try {
    const Result<Done> charged = Guarded([&] { return ChargeAll(pending); });
    if (charged.ok()) return;
    for (PendingCharge* charge : pending) charge->result = charged.error();
  } catch (...) {
    // The transaction rolled itself back, or was written already: then it stands. Either way those
    // who wait keep what they came with, and the ledger goes on.
  }
}

// proof: ledger/recovery.md#what-sqlite-promises-and-what-is-built-on-it
Result<Receipt> Ledger::Charge(const ChargeRequest& request) {
  TACIT_CHECK(CheckRequest(request));
  Result<Receipt> receipt = state_->ChargeOne(request);
  if (receipt.ok() && receipt->charged() && state_->questions != nullptr) {
    state_->questions->Keep(receipt->hash, request.analyst, state_->TimeNow(), request.question);
  }
  return receipt;
}

Result<Receipt> Ledger::State::ChargeOne(const ChargeRequest& request) {
  PendingCharge mine{.request = &request};
  std::unique_lock lock(queue_mutex);
  queue.push_back(&mine);
  // Whoever comes while nobody writes, writes for all who wait.
  written.wait(lock, [&] { return mine.done || !writing; });
  if (mine.done) return std::move(mine.result);
  writing = true;
  const std::vector<PendingCharge*> batch = std::exchange(queue, {});
  lock.unlock();
  WriteFor(batch);
  lock.lock();
  for (PendingCharge* charge : batch) charge->done = true;
  writing = false;
  written.notify_all();
  return std::move(mine.result);
}

// The store's own mark, as it is: written, and waited for, like a charge.
Result<Done> Ledger::TryToWrite() {
  return state_->Guarded([&]() -> Result<Done> {
    TACIT_CHECK(state_->storage->CheckPlace());
    TACIT_CHECK(state_->storage->CheckRoom());
    Chain& writes = *state_->writes;
    TACIT_TRY(Transaction transaction, Transaction::Begin(writes, Transaction::Access::kWrite));
    TACIT_CHECK(CheckHead(writes, state_->Seen()));
    TACIT_CHECK(writes.rows->WriteMark());
    TACIT_CHECK(transaction.Commit());
    return writes.rows->TidyUp(/*somebody_waits=*/false);
  });
}

}  // namespace tacit::ledger
