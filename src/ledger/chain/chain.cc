#include "ledger/chain/chain.h"

#include <algorithm>

namespace tacit::ledger {

Result<std::unique_ptr<Chain>> Chain::Connect(Storage& storage, const OwnerKey& key) {
  TACIT_TRY(std::unique_ptr<StorageConnection> rows, storage.Connect());
  return std::unique_ptr<Chain>(new Chain{.rows = std::move(rows), .key = key});
}

Result<Transaction> Transaction::Begin(Chain& chain, Access access) {
  chain.known.compared.clear();
  TACIT_CHECK(chain.rows->Begin(access));
  return Transaction(chain);
}

Transaction::Transaction(Transaction&& other) noexcept
    : chain_(std::exchange(other.chain_, nullptr)) {}

Transaction::~Transaction() {
  if (chain_ == nullptr) return;
  chain_->known.compared.clear();
  chain_->rows->RollBack();
}

Result<Done> Transaction::Commit() {
  TACIT_CHECK(chain_->rows->Commit());
  chain_->known.compared.clear();
  chain_ = nullptr;
  return Done{};
}

Error Damaged(std::string what) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger is damaged: " + std::move(what),
               .hint = "run: tacit ledger verify",
               .position = std::nullopt,
               .private_detail = ""};
}

std::shared_ptr<const Record> Remember(Chain& chain, int64_t sequence, Recollection::Link link) {
  std::map<int64_t, Recollection::Link>& links = chain.known.links;
  if (links.size() >= kLinksMax) links.clear();
  chain.known.compared.insert(sequence);
  return links.insert_or_assign(sequence, std::move(link)).first->second.record;
}

Result<ChainedRecord> LoadRecord(Chain& chain, int64_t sequence) {
  const std::map<int64_t, Recollection::Link>& links = chain.known.links;
  if (chain.known.compared.contains(sequence)) {
    if (const auto known = links.find(sequence); known != links.end()) {
      return ChainedRecord{.record = known->second.record, .hash = known->second.hash};
    }
  }
  TACIT_TRY(const std::optional<StoredRecord> stored, chain.rows->FindRecord(sequence));
  if (!stored) return Damaged(RecordName(sequence) + " is missing");
  std::string previous_hash = kNoHash;
  if (sequence != kFirstSequence) {
    TACIT_TRY(const std::optional<StoredRecord> previous, chain.rows->FindRecord(sequence - 1));
    if (!previous) return Damaged(RecordName(sequence - 1) + " is missing");
    previous_hash = previous->hash;
  }
  if (const auto known = links.find(sequence);
      known != links.end() && known->second.previous_hash == previous_hash &&
      known->second.body == stored->body && known->second.hash == stored->hash) {
    chain.known.compared.insert(sequence);
    return ChainedRecord{.record = known->second.record, .hash = stored->hash};
  }
  if (ChainHash(previous_hash, stored->body) != stored->hash) {
    return Damaged(RecordName(sequence) + " does not fit its hash");
  }
  TACIT_TRY(Record record, ReadRecord(stored->body));
  if (record.sequence != sequence) return Damaged(RecordName(sequence) + " names another place");
  const auto remembered = Remember(chain, sequence,
                                   {.previous_hash = std::move(previous_hash),
                                    .body = stored->body,
                                    .hash = stored->hash,
                                    .record = std::make_shared<const Record>(std::move(record))});
  return ChainedRecord{.record = remembered, .hash = stored->hash};
}

Result<StoredRecord> LastRecord(Chain& chain) {
  TACIT_TRY(std::optional<StoredRecord> last, chain.rows->LastRecord());
  if (!last) return Damaged("it has no records");
  return std::move(*last);
}

Result<Done> CheckLastLinks(Chain& chain, int count) {
  TACIT_TRY(const StoredRecord last, LastRecord(chain));
  const int64_t first = std::max<int64_t>(kFirstSequence, last.sequence - count + 1);
  std::string previous_hash = kNoHash;
  if (first != kFirstSequence) {
    TACIT_TRY(const std::optional<StoredRecord> before, chain.rows->FindRecord(first - 1));
    if (!before) return Damaged(RecordName(first - 1) + " is missing");
    previous_hash = before->hash;
  }
  for (int64_t sequence = first; sequence <= last.sequence; ++sequence) {
    TACIT_TRY(const std::optional<StoredRecord> record, chain.rows->FindRecord(sequence));
    if (!record) return Damaged(RecordName(sequence) + " is missing");
    if (ChainHash(previous_hash, record->body) != record->hash) {
      return Damaged(RecordName(sequence) + " does not fit its hash");
    }
    previous_hash = record->hash;
  }
  return Done{};
}

// proof: ledger/recovery.md#where-sqlite-goes-back-silently-and-how-that-is-noticed
Result<Done> CheckHead(Chain& chain, const Head& head) {
  TACIT_TRY(const std::optional<StoredRecord> record, chain.rows->FindRecord(head.records));
  if (record && record->hash == head.hash) return Done{};
  TACIT_TRY(const StoredRecord last, LastRecord(chain));
  const std::string place = RecordName(head.records);
  const std::string what =
      record ? "its " + place + " is not the one that was acknowledged"
             : "it ends at " + RecordName(last.sequence) + ", but " + place + " was acknowledged";
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger went back: " + what,
               .hint =
                   "was an old copy put in its place, or its -wal file lost? See: tacit ledger "
                   "accept --help",
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace tacit::ledger
