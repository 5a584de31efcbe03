#include "ledger/chain/follow.h"

#include <algorithm>
#include <iterator>

namespace tacit::ledger {
namespace {

Result<Done> FollowOne(const StoredRecord& stored, Books& books, std::string& hash) {
  if (stored.sequence != books.sequence + 1) {
    return Damaged(RecordName(books.sequence + 1) + " is missing");
  }
  if (ChainHash(hash, stored.body) != stored.hash) {
    return Damaged(RecordName(stored.sequence) + " does not fit its hash");
  }
  TACIT_TRY(const Record record, ReadRecord(stored.body));
  if (record.sequence != stored.sequence) {
    return Damaged(RecordName(stored.sequence) + " names another place");
  }
  if (const Result<Done> posted = Post(record, books); !posted.ok()) {
    return Damaged(RecordName(stored.sequence) + ": " + posted.error().public_message);
  }
  hash = stored.hash;
  return Done{};
}

}  // namespace

int64_t RecordsBehind(const Chain& chain, const CheckedBooks& now) {
  if (chain.followed == nullptr) return 0;
  return std::max<int64_t>(0, now.books->sequence - chain.followed->books->sequence);
}

Result<std::vector<StoredRecord>> RecordsToFollow(Chain& chain, const CheckedBooks& now) {
  std::vector<StoredRecord> records;
  const int64_t behind = RecordsBehind(chain, now);
  while (static_cast<int64_t>(records.size()) < behind) {
    const int64_t last = chain.followed->books->sequence + static_cast<int64_t>(records.size());
    TACIT_TRY(std::vector<StoredRecord> next,
              chain.rows->RecordsAfter(last, behind - static_cast<int64_t>(records.size())));
    if (next.empty()) return Damaged(RecordName(last + 1) + " is missing");
    std::move(next.begin(), next.end(), std::back_inserter(records));
  }
  return records;
}

// proof: ledger/recovery.md#several-gateways
Result<Done> FollowThrough(Chain& chain, const std::vector<StoredRecord>& records,
                           const CheckedBooks& now) {
  const CheckedBooks* known = chain.followed.get();
  if (known != nullptr && known->head_hash == now.head_hash &&
      (known->books == now.books || *known->books == *now.books)) {
    return Done{};  // nobody has written
  }
  if (known != nullptr) {
    Books books = *known->books;
    std::string hash = known->head_hash;
    if (now.books->sequence < books.sequence) {
      return Damaged("it ends at " + RecordName(now.books->sequence) + ", and " +
                     RecordName(books.sequence) + " was there");
    }
    for (const StoredRecord& stored : records) TACIT_CHECK(FollowOne(stored, books, hash));
    if (hash != now.head_hash) {
      return Damaged("its " + RecordName(books.sequence) + " is not the one that was there");
    }
    if (books != *now.books) {
      return Damaged("the totals of " + RecordName(books.sequence) +
                     " are not the sums of the records before it");
    }
  }
  chain.followed = std::make_unique<const CheckedBooks>(now);
  return Done{};
}

Result<Done> FollowRecords(Chain& chain, const CheckedBooks& now) {
  TACIT_TRY(const std::vector<StoredRecord> records, RecordsToFollow(chain, now));
  return FollowThrough(chain, records, now);
}

}  // namespace tacit::ledger
