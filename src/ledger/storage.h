#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ledger/chain/owner_key.h"
#include "ledger/record/record.h"

// Where a ledger is kept. A store holds rows, finds them again and makes them durable, and decides
// nothing: what the rows mean and whether they can be believed is the business of chain/ and
// decide/, which know no store. ledger/sqlite is one, ledger/postgres, for several gateways, is
// another. Whatever a store promises is written here, and the tests of the ledger run on every
// store.

namespace tacit::ledger {

using NamedText = std::pair<std::string, std::string>;

// What all records add up to, in the order of the names' bytes.
struct BookRows {
  std::vector<NamedText> declared;
  std::vector<NamedText> accounts;
};

// The record that an analyst's request id was charged by.
struct RequestRow {
  std::string analyst;
  std::string id;
  int64_t sequence = 0;
};

// The record by which an analyst paid for a release.
struct PaymentRow {
  std::string analyst;
  ReleaseId release;
  int64_t sequence = 0;
};

// The records by which an analyst paid for something, each once.
struct PayingRecords {
  int64_t count = 0;            // of all of them
  std::vector<int64_t> newest;  // the lowest sequence first
};

// A stored answer, but for its bytes.
struct AnswerRow {
  ReleaseId id;
  std::string fingerprint;
  int64_t data_version = 0;
  int64_t sealed_by = 0;  // the record; 0: none yet
  std::string hash;
};

struct AnswerHash {
  ReleaseId id;
  std::string hash;
};

struct AnswerBytes {
  std::string bytes;
  std::string hash;
  int64_t sealed_by = 0;
};

// What one act adds to the ledger: all of it, or nothing.
struct Addition {
  std::vector<StoredRecord> records;  // they follow the last one
  BookRows books;                     // changed rows; each replaces that of its name
  std::vector<RequestRow> requests;
  std::vector<PaymentRow> payments;
  int64_t seal = 0;  // the record that seals every answer without a seal; 0: none does
};

// Which stored answers are looked for: those to one question.
struct AnswerSearch {
  std::string_view fingerprint;
  int64_t data_version = 0;
  std::optional<std::string_view> paid_by;  // only those that this analyst has paid for
};

// What a charge looks for.
struct ExpectedLookup {
  std::string analyst;
  std::string request_id;                 // empty: none
  std::vector<std::string> fingerprints;  // of the questions whose stored answers are wanted
  int64_t data_version = 0;
};

// What a transaction looks for, as far as that is known before it begins.
struct Expected {
  std::vector<ExpectedLookup> lookups = {};
  std::vector<int64_t> records = {};          // by sequence, each with the one before it
  std::optional<int64_t> records_after = {};  // the first ones behind this
  bool empty() const { return lookups.empty() && records.empty() && !records_after; }
};

// Why 64: a question is asked again at a few prices, not at hundreds; the newest are looked at.
inline constexpr int64_t kAnswerCandidatesMax = 64;

// A conversation with a store, used by one thread at a time, with one transaction at a time. Rows
// are read and written inside a transaction, and a transaction sees one state of the ledger, with
// what it has written itself.
class StorageConnection {
 public:
  enum class Access {
    kRead,
    kWrite,          // the only one at that time, in all programs; durable once committed
    kWriteUnsynced,  // the same, but a power failure may lose it: durable with the next kWrite
  };

  virtual ~StorageConnection() = default;

  // For the next transaction that is begun: a store that is far away can fetch all of it at once.
  // What was not expected is found all the same.
  virtual void Expect(Expected) {}

  // Waits for other writers for a while, then is kUnavailable. Gives up what a caller left open.
  virtual Result<Done> Begin(Access access) = 0;
  // Done: all of it holds. An error: none of it, or, where the storage failed, nobody knows.
  virtual Result<Done> Commit() = 0;
  // Gives up the transaction that is open, if one is. Needs no memory.
  virtual void RollBack() noexcept = 0;
  // Whether the last failure leaves open what the storage holds: then nothing must be built on it.
  virtual bool MustStop() const = 0;

  virtual Result<std::optional<StoredRecord>> FindRecord(int64_t sequence) = 0;
  virtual Result<std::optional<StoredRecord>> LastRecord() = 0;
  // Those of these that are there, in this order.
  virtual Result<std::vector<StoredRecord>> FindRecords(const std::vector<int64_t>& sequences);
  // The first ones behind `sequence`, at most so many.
  virtual Result<std::vector<StoredRecord>> RecordsAfter(int64_t sequence, int64_t count_max);
  virtual Result<BookRows> ReadBooks() = 0;
  virtual Result<std::optional<int64_t>> FindRequest(const std::string& analyst,
                                                     const std::string& request_id) = 0;
  virtual Result<std::optional<int64_t>> FindPayment(const std::string& analyst,
                                                     const ReleaseId& release) = 0;
  // At most `newest_max` of them are told. Looks at no other analyst's rows: nobody shall learn
  // from the time how many those are.
  virtual Result<PayingRecords> FindPaying(const std::string& analyst, int64_t newest_max) = 0;
  // The newest of those behind record `after`, at most so many, the lowest first.
  virtual Result<std::vector<int64_t>> FindPayingAfter(const std::string& analyst, int64_t after,
                                                       int64_t newest_max) = 0;
  // Those with the highest record first, then by their ordinal; at most `count_max` of them.
  virtual Result<std::vector<ReleaseId>> FindAnswers(const AnswerSearch& search,
                                                     int64_t count_max) = 0;
  virtual Result<std::optional<AnswerBytes>> FindAnswer(const ReleaseId& id) = 0;
  // By record and ordinal. 0: those without a seal.
  virtual Result<std::vector<AnswerHash>> AnswersSealedBy(int64_t sequence) = 0;

  // After an error the transaction has to be given up.
  virtual Result<Done> Append(const Addition& addition) = 0;
  // A release has at most one answer. After an error nothing of it is there, and the transaction
  // may go on unless MustStop().
  virtual Result<Done> SaveAnswer(const AnswerRow& answer, const std::string& bytes) = 0;
  // Writes what changes nothing: to see whether the storage takes it.
  virtual Result<Done> WriteMark() = 0;

  // Every row, for verifying; `each` may call what reads. Stops at the first error and returns it.
  template <class Row>
  using Each = std::function<Result<Done>(const Row&)>;
  virtual Result<Done> ForEachRecord(const Each<StoredRecord>& each) = 0;  // by sequence
  virtual Result<Done> ForEachRequest(const Each<RequestRow>& each) = 0;
  virtual Result<Done> ForEachPayment(const Each<PaymentRow>& each) = 0;
  virtual Result<Done> ForEachAnswer(const Each<AnswerRow>& each) = 0;  // by record and ordinal
  // What is wrong below the rows; empty: nothing.
  virtual Result<std::string> FindFault() = 0;

  // Outside a transaction. Changes whenever another connection has written, here or elsewhere.
  virtual Result<int64_t> Version() = 0;
  // Outside a transaction: housekeeping that was put off. Where somebody waits, only what must not
  // wait any longer.
  virtual Result<Done> TidyUp(bool somebody_waits) = 0;
};

// One ledger's place, opened. Connect may be called beside anything else; the other calls come one
// at a time.
class Storage {
 public:
  virtual ~Storage() = default;

  // kUnavailable when there is no ledger, or none that this program can read.
  virtual Result<std::unique_ptr<StorageConnection>> Connect() = 0;
  // Before each write: the place is still the one that was opened, and nobody else's.
  virtual Result<Done> CheckPlace() = 0;
  // The storage takes as much as a charge writes.
  virtual Result<Done> CheckRoom() = 0;

  // The last acknowledged record, remembered apart from the rows: to notice when those go back.
  virtual Result<Head> RecallHead(const OwnerKey& signed_by) = 0;
  // Unless a later record is remembered already. Not waited for by the disk.
  virtual Result<Done> RememberHead(const Head& head, const OwnerKey& key) = 0;
  // Whatever was remembered, and whether or not anything was.
  virtual Result<Done> ReplaceHead(const Head& head, const OwnerKey& key) = 0;
};

}  // namespace tacit::ledger
