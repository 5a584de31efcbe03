#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"

// The ledger's records and their one canonical form: a line of JSON whose bytes are hashed
// (docs/ledger_format.md). Reading refuses whatever is not exactly what writing would produce, so
// two texts never mean the same record.

namespace tacit::ledger {

struct CreateAct {
  std::string ledger_id;        // random, so that two ledgers never share a hash
  std::string deployment = "";  // whose it is (owner_key.h); empty: nobody's, or it was made before
};

struct DeclareAct {  // fixed by the charge that follows: the terms, and the tables that were new
  Declarations declarations;
};

struct BudgetAct {  // the owner's policy named another budget than the last one recorded
  std::string analyst;
  std::optional<Budget> before;
  std::optional<Budget> after;
  std::optional<Cost> capacity;  // what `after` comes to in the terms that add up
};

struct PaidRelease {
  ReleaseId id;  // of another record when a stored answer served
  std::string fingerprint;
  std::vector<Rational> scales;
  Cost cost;
  bool analyst_pays = false;
  std::vector<ReleaseId> made_from;
  std::string shape = {};  // of the wish; empty: none, or it was recorded before there were any
};

struct Seal {  // the answers stored since the last charge
  int64_t count = 0;
  std::string hash;
  friend bool operator==(const Seal&, const Seal&) = default;
};

struct BindAct {  // the owner took a ledger of nobody's for this deployment
  std::string deployment;
  Seal seal;
};

struct RekeyAct {  // the owner goes on with another key; answers stored before are of no use any
                   // more
  std::string deployment;
  Seal seal;
};

struct ChargeAct {
  std::string analyst;
  std::string request_id;
  std::string query_fingerprint;
  std::string policy_version;
  int64_t data_version = 0;
  Accounting accounting = Accounting::kPure;
  Cost dataset_cost;
  Cost analyst_cost;
  std::vector<PaidRelease> releases;
  Seal seal;
};

struct RestoreAct {  // the owner accepted this file although its head was elsewhere or lost
  std::string reason;
  std::string head_before;  // as the head file had it; empty when that was missing
};

struct ImportAct {  // the owner made this ledger of exported records; answers were not among them
  std::string reason;
  std::string head_before;  // as in RestoreAct
};

struct DataAct {  // the owner changed the data
  DataChange change;
};

struct Record {
  int64_t sequence = 0;
  std::string time;   // UTC, for people; no rule reads it
  std::string state;  // hash of the accounts after this record
  std::variant<CreateAct, DeclareAct, BudgetAct, ChargeAct, RestoreAct, BindAct, DataAct, RekeyAct,
               ImportAct>
      act;
};

// A record as it is stored: `body` is one line of JSON (docs/ledger_format.md), `hash` chains it.
struct StoredRecord {
  int64_t sequence = 0;
  std::string body;
  std::string hash;
};

inline constexpr int64_t kFirstSequence = 1;
// Why 1 MiB: a thousand releases of a hundred bytes, ten times over.
inline constexpr size_t kBodyBytesMax = size_t{1} << 20;
// What the first record is chained to.
inline constexpr char kNoHash[] =
    "0000000000000000000000000000000000000000000000000000000000000000";

std::string KindOf(const Record& record);
inline std::string RecordName(int64_t sequence) { return "record " + std::to_string(sequence); }

// UTC, as records have it. Without a clock: now.
std::string TimeText(const std::function<int64_t()>& clock);

std::string WriteRecord(const Record& record);
Result<Record> ReadRecord(std::string_view body);

// The chain: SHA-256 of the previous hash, a line feed, the body, and a line feed.
std::string ChainHash(std::string_view previous_hash, std::string_view body);

// A stored answer's plain hash names the record that paid for it; OwnerKey signs it.
std::string ReleaseHash(std::string_view record_hash, size_t ordinal, std::string_view bytes);

// "17.0": the first release of record 17.
using tacit::ToString;
std::string ToString(const ReleaseId& id);

std::string ToString(Accounting accounting);

}  // namespace tacit::ledger
