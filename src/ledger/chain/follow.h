#pragma once

#include "ledger/chain/checked_books.h"

// What others have written since, verified: each record is chained to the one before it and keeps
// the ledger's rules, and the totals that are stored are those that the records come to. A record
// that was put in between to bring budget back is found at the next charge, by every gateway that
// had seen the ledger before.

namespace tacit::ledger {

// Inside a transaction that has written nothing yet. `now`: the books as they are stored.
Result<Done> FollowRecords(Chain& chain, const CheckedBooks& now);

// The same in two steps: what there is to follow, inside such a transaction, and following it,
// whenever that is convenient.
Result<std::vector<StoredRecord>> RecordsToFollow(Chain& chain, const CheckedBooks& now);
Result<Done> FollowThrough(Chain& chain, const std::vector<StoredRecord>& records,
                           const CheckedBooks& now);

// How many records were written since the last that this chain has followed; 0 where it has
// followed none.
int64_t RecordsBehind(const Chain& chain, const CheckedBooks& now);

// Why 4096: a tenth of a second's work; more is followed before others are kept waiting.
inline constexpr int64_t kBehindMax = 4096;

}  // namespace tacit::ledger
