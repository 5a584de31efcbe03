#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ledger/books.h"
#include "ledger/inspect.h"
#include "ledger/record.h"
#include "ledger/sqlite/database.h"

// What is in the ledger's tables, read and written inside the caller's transaction.
//
// The records are the truth. All other tables can be computed from them, except the stored answers'
// bytes; the books are checked against the last record whenever they are read.

namespace tacit::ledger {

inline constexpr int64_t kApplicationId = 0x54434c47;  // "TCLG"
inline constexpr int64_t kFormatVersion = 1;

inline std::string RecordName(int64_t sequence) { return "record " + std::to_string(sequence); }

// What a reader says who finds something else than was written.
Error Damaged(std::string what);

Result<Done> MakeTables(Database& database);
// The file is a ledger of this format. A newer one is refused by name.
Result<Done> CheckFormat(Database& database);
// Writes the mark of the format, which is there already: a write that changes nothing.
Result<Done> WriteFormatAgain(Database& database);

// The chain.
struct ChainedRecord {
  std::shared_ptr<const Record> record;
  std::string hash;
};
Result<std::optional<StoredRecord>> FindRecord(Database& database, int64_t sequence);
// Reads, parses and checks that the hash fits its predecessor's.
Result<ChainedRecord> LoadRecord(Database& database, int64_t sequence);
Result<StoredRecord> LastRecord(Database& database);
Result<Done> CheckLastLinks(Database& database, int count);
Result<std::string> AppendRecord(Database& database, const Record& record,
                                 const std::string& previous_hash);

// The books, checked against the last record, whose hash comes with them.
struct CheckedBooks {
  std::shared_ptr<const Books> books;
  std::string head_hash;
};
Result<Books> ReadBooks(Database& database);
Result<CheckedBooks> LoadBooks(Database& database);
// `hash` is that of the books after.
Result<Done> SaveBooks(Database& database, const Books& before, const Books& after,
                       const std::string& hash);

// Request ids: the record that an analyst's id was charged by.
Result<std::optional<int64_t>> FindRequest(Database& database, const std::string& analyst,
                                           const std::string& request_id);
Result<Done> SaveRequest(Database& database, const std::string& analyst,
                         const std::string& request_id, int64_t sequence);

// Who has paid for which release, and by which record.
Result<std::optional<int64_t>> FindPayment(Database& database, const std::string& analyst,
                                           const ReleaseId& id);
Result<Done> SavePayment(Database& database, const std::string& analyst, const ReleaseId& id,
                         int64_t sequence);

// Stored answers.
Result<std::vector<ReleaseId>> FindReleases(Database& database, const std::string& fingerprint,
                                            int64_t data_version);
// Those that the analyst has paid for.
Result<std::vector<ReleaseId>> FindPaidReleases(Database& database, const std::string& analyst,
                                                const std::string& fingerprint,
                                                int64_t data_version);
// The bytes, checked against the hash that the owner's key gives them; nothing when they were never
// stored. An answer to a record from before the ledger was bound has a plain hash, and a seal.
Result<std::optional<std::string>> LoadRelease(Database& database, const ReleaseId& id,
                                               const std::string& record_hash);
Result<Done> SaveRelease(Database& database, const ReleaseId& id, const std::string& fingerprint,
                         int64_t data_version, const std::string& bytes, const std::string& hash);
// Seals the answers stored since the last charge under record `sequence`.
Result<Seal> SealReleases(Database& database, int64_t sequence);
// The seal that record `sequence` must carry.
Result<Seal> ReadSeal(Database& database, int64_t sequence);

// Recomputes all of it in the caller's transaction (inspect.h).
Result<Verification> VerifyAll(Database& database);

}  // namespace tacit::ledger
