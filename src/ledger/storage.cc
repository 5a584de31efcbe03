#include "ledger/storage.h"

namespace tacit::ledger {

Result<std::vector<StoredRecord>> StorageConnection::FindRecords(
    const std::vector<int64_t>& sequences) {
  std::vector<StoredRecord> found;
  for (const int64_t sequence : sequences) {
    TACIT_TRY(std::optional<StoredRecord> record, FindRecord(sequence));
    if (record) found.push_back(std::move(*record));
  }
  return found;
}

Result<std::vector<StoredRecord>> StorageConnection::RecordsAfter(int64_t sequence,
                                                                  int64_t count_max) {
  std::vector<StoredRecord> found;
  while (static_cast<int64_t>(found.size()) < count_max) {
    TACIT_TRY(std::optional<StoredRecord> record, FindRecord(++sequence));
    if (!record) break;
    found.push_back(std::move(*record));
  }
  return found;
}

}  // namespace tacit::ledger
