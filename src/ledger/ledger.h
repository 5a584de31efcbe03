#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/rational.h"
#include "base/result.h"
#include "ledger/limits.h"
#include "ledger/place.h"

namespace tacit::ledger {

// One release a query asks for: a table the mechanisms will draw, or have drawn before.
struct ReleaseWish {
  // Names the question, not the query: the same for every query that needs this very table, and
  // another one for whatever changes what is released (the SQL, the policy's bounds, caps, keys).
  std::string fingerprint;
  // What the answer's precision is made of (noise scales, a threshold); smaller is finer. A stored
  // answer serves when it has as many numbers and none of them is larger.
  std::vector<Rational> scales;
  Cost cost;
  // Earlier releases of the same request whose released values are constants in this one. It is
  // replayed only together with the very releases it was made from.
  std::vector<size_t> made_from;
  // What the table tells, in the planner's words (plan/derive/shape.h): kept with the release, for
  // OwnChargesAfter. Empty: nothing.
  std::string shape = {};
};

// What cannot change once a charge was made under it, as canonical texts.
struct Declarations {
  std::string terms;                         // neighbours, protects, accounting
  std::map<std::string, std::string> units;  // table -> its unit; a table may be added later
  friend bool operator==(const Declarations&, const Declarations&) = default;
};

struct ChargeRequest {
  std::string analyst;     // empty: the owner asks, and only the dataset is charged
  std::string request_id;  // empty: none. At most one charge for an id of an analyst
  std::string query_fingerprint;
  std::string policy_version;
  int64_t data_version = 1;
  Declarations declarations;
  std::string question = {};                    // as it was asked; empty: nothing to keep
  std::vector<std::string> public_tables = {};  // none of them may have been charged for
  std::vector<ReleaseWish> releases;
  Limits limits;  // from the policy, at each charge
  // Of the stored answers that are fine enough the coarsest serves, not the finest: what was asked
  // in steps can be gone through again as it was.
  bool coarsest = false;
};

// What the owner did to the data: which version it is now, and what was done. Never about whom.
struct DataChange {
  int64_t data_version = 1;
  std::string what;  // "table replaced: visits"
};

// A stored release's place: the record that paid for it, and which of that record's releases.
struct ReleaseId {
  int64_t sequence = 0;
  size_t ordinal = 0;
  friend bool operator==(const ReleaseId&, const ReleaseId&) = default;
};

struct GrantedRelease {
  ReleaseId id;
  std::vector<Rational> scales;      // of the answer that serves: may be finer than the wish
  std::optional<std::string> bytes;  // the stored answer; nothing: draw it now and Store it
};

struct Receipt {
  int64_t sequence = 0;  // the record that paid
  std::string hash;      // of that record, 64 hexadecimal digits
  // For the asker: "17:<hash>" for the owner; for an analyst 32 digits that say nothing of the
  // record's place. Empty when nothing was paid.
  std::string name;
  Cost dataset_cost;  // what this request cost; zero for a replay
  Cost analyst_cost;
  Balance balance;                       // the asker's after it: the analyst's, or the dataset's
  std::vector<GrantedRelease> releases;  // one for each wish, in its order

  bool charged() const { return !(dataset_cost.IsZero() && analyst_cost.IsZero()); }
};

// A release that an analyst has paid for, as it was wished.
struct OwnRelease {
  ReleaseId id;
  std::string shape;
};
// What one charge of an asker paid for; `releases` are those with a shape.
struct OwnCharge {
  int64_t sequence = 0;
  std::vector<OwnRelease> releases;
};
struct OwnCharges {
  std::vector<OwnCharge> charges;  // the oldest first
  bool whole = true;               // no older one was left out because there are too many
};

struct Head {
  int64_t records = 0;
  std::string hash;
};

// A state of the ledger as one handle sees it. Between two equal ones nobody, here or in another
// process, has written anything: what was read before is what would be read now.
struct Moment {
  int64_t version = 0;  // the storage's own count of changes
  int64_t records = 0;  // known to be durable
  friend bool operator==(const Moment&, const Moment&) = default;
};

// What was done through one handle.
struct Work {
  Cost paid;           // at the dataset
  int64_t unkept = 0;  // releases that were paid for and whose answers are not kept
};

class Storage;

struct OpenOptions {
  // The deployment's key: a ledger made with one opens with that one alone. Empty: none.
  std::string key;
  // Seconds since 1970, for the records' time. No decision depends on it.
  std::function<int64_t()> clock;
  // How long a charge waits for another process's charge before it is refused.
  int busy_timeout_ms = 10000;
  // A file elsewhere that remembers the last acknowledged record as well: every file of the ledger
  // put back together, with its head, is then still noticed. Empty: the place's own, or none.
  std::string witness = {};
  // Where the texts of charged questions are kept, and for how many days (questions/questions.h);
  // without days none are, without a folder nothing is done about them.
  std::string questions = {};
  std::optional<int> questions_days = {};
  // Registered SQLite VFS to use; empty: the default one. Tests inject faults here.
  std::string vfs;
};

// The durable record of every charge, hash-chained: one SQLite file in WAL mode, or a schema of a
// PostgreSQL database that several gateways share, with a small file beside it (PATH-head) that
// remembers the last record acknowledged here. When Charge returns a Receipt,
// its record is on stable storage; after any crash Open() finds every record whose Receipt was
// returned, and possibly more. Budget can be lost, never regained.
//
// A Ledger may be shared by threads; several processes may hold the same file. After a failed write
// or fsync it stops: every later call is kUnavailable until the program opens the ledger anew.
class Ledger {
 public:
  // Makes a new, empty ledger; a file has mode 0600. Refuses when one, or the head of one, is
  // there.
  static Result<Done> Create(const Place& place, const OpenOptions& options = {});

  // kUnavailable when it is missing (never a new one), unreachable, open to others, under a second
  // name, another deployment's, of a newer format, damaged, or behind its head file. Checks the
  // last kQuickCheckRecords links of the chain.
  static Result<Ledger> Open(const Place& place, const OpenOptions& options = {});
  // The same wherever it is kept (storage.h).
  static Result<Ledger> Open(std::unique_ptr<Storage> storage, const OpenOptions& options);

  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  // Pays for all releases of the request that no stored answer serves, at the dataset and at the
  // analyst, all or nothing; returns after the record is durable. Free when every release replays.
  //   kBudgetExhausted   it does not fit; nothing was written. An analyst is told figures of the
  //                      own account only, and a stored answer that another has paid for needs as
  //                      much room at the dataset as a new one: that others asked is nobody's to
  //                      see
  //   kRefused           the declarations contradict those of an earlier charge
  //   kInvalidArgument   a malformed request, or a request id used before for another query
  //   kUnavailable       not written, or not known to be; or this id's answer was lost in a crash
  Result<Receipt> Charge(const ChargeRequest& request);

  // What Charge would say, without charging. An analyst is not told whether the dataset has room:
  // what can be asked for nothing can be asked until it is measured.
  Result<Receipt> Quote(const ChargeRequest& request);

  // What the analyst has paid for (the owner: what was drawn) behind record `after`: of the newest
  // kOwnRecordsMax charges the newest releases, as many as have shapes of kOwnShapeBytesMax
  // together, without those of another version of the data. Looks at no record of another analyst.
  Result<ledger::OwnCharges> OwnChargesAfter(const std::string& analyst, int64_t data_version,
                                             int64_t after);

  // Stored answers that the asker has paid for, in this order, with the receipt of a request that
  // is free because it is made of them; `request` says who asks. Nothing where one of them was not
  // paid for or is not there.
  Result<std::optional<Receipt>> Recall(const ChargeRequest& request,
                                        const std::vector<ReleaseId>& releases);

  // Keeps the drawn answer of a granted release for replays. Not waited for by the disk: a power
  // failure may lose the answer, never the charge. Each release is stored at most once.
  Result<Done> Store(const Receipt& receipt, size_t ordinal, const std::string& bytes);

  // What the dataset (empty name) or an analyst has spent, and what the limit leaves.
  Result<Balance> BalanceOf(const std::string& analyst, Accounting accounting,
                            const std::optional<Budget>& budget);

  // When this id was first charged for, as its record says it; nothing for one that was not.
  Result<std::optional<std::string>> TimeOfRequest(const std::string& analyst,
                                                   const std::string& request_id);

  Result<Head> ReadHead();

  // Records that the owner changes the data; returns when that is on stable storage.
  Result<Head> RecordChange(const DataChange& change);

  // Whether a charge could be written now: writes to the ledger's storage and waits for the disk,
  // without a record. The errors of Charge; after a failed write the ledger has stopped.
  Result<Done> TryToWrite();

  // For a program that is told to end: waits for what is being written, lets nothing more be
  // written through this handle, and says what was.
  Work Stop();

  // Takes a few microseconds; reads no table.
  Result<Moment> Now();
  // The same where that is possible without waiting for anybody; nothing otherwise.
  std::optional<Moment> TryNow();

  // The `name` of a receipt for the record with this hash.
  std::string ReceiptName(const std::string& analyst, int64_t sequence,
                          const std::string& hash) const;

 private:
  struct State;
  explicit Ledger(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Why 16 KiB: 32 numbers that are drawn together, each of which names them all.
inline constexpr size_t kShapeBytesMax = size_t{16} << 10;

// Why 512: what a dashboard asks in a week, looked through in a few milliseconds.
inline constexpr int64_t kOwnRecordsMax = 512;

// Why 2 MiB: a thousand ordinary tables, and no more memory for whoever asks for large ones.
inline constexpr size_t kOwnShapeBytesMax = size_t{2} << 20;

// Why 256: under a millisecond, and more records than any crash can leave half-written.
inline constexpr int kQuickCheckRecords = 256;

}  // namespace tacit::ledger
