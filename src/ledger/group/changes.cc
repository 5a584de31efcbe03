// What the owner did to the data, on record.

#include "ledger/chain/append.h"
#include "ledger/group/state.h"

namespace tacit::ledger {

Result<Head> Ledger::RecordChange(const DataChange& change) {
  // Why 1000: some table names of 63 bytes.
  if (change.what.empty() || change.what.size() > 1000 || change.data_version < 1) {
    return InvalidArgument("a change of the data needs its version and at most 1000 bytes on it");
  }
  State& state = *state_;
  return state.Guarded([&]() -> Result<Head> {
    TACIT_CHECK(state.storage->CheckPlace());
    Chain& writes = *state.writes;
    State::Before began;
    TACIT_TRY(Transaction transaction, state.BeginWrite({}, began));
    const CheckedBooks& before = began.books;
    TACIT_CHECK(FollowThrough(writes, began.unfollowed, before));
    PostedRecords posted{.records = {}, .books = *before.books};
    Record record{.sequence = 0, .time = state.TimeNow(), .state = "", .act = DataAct{change}};
    TACIT_CHECK(PostNext(record, posted.books));
    posted.records.push_back(std::move(record));
    TACIT_TRY(ChainedAddition addition, ChainTo(before, std::move(posted), {}));
    TACIT_TRY(const CheckedBooks after, Append(writes, std::move(addition)));
    auto followed = std::make_unique<const CheckedBooks>(after);
    TACIT_CHECK(transaction.Commit());
    writes.followed = std::move(followed);
    const Head head{.records = after.books->sequence, .hash = after.head_hash};
    {
      const std::lock_guard lock(state.seen_mutex);
      state.seen = head;
    }
    if (Result<Done> remembered = state.storage->RememberHead(head, state.key); !remembered.ok()) {
      state.stopped = true;
      return std::move(remembered).error();
    }
    return head;
  });
}

}  // namespace tacit::ledger
