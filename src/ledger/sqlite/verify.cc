// Recomputes the whole ledger from its records and compares.

#include <set>

#include "ledger/inspect.h"
#include "ledger/sqlite/files.h"
#include "ledger/sqlite/tables.h"

namespace tacit::ledger {
namespace {

// What the side tables must hold, collected from the records.
struct Expected {
  Books books;
  std::map<std::pair<std::string, std::string>, int64_t> requests;
  std::map<std::pair<std::string, std::string>, int64_t> payments;  // analyst, release
  std::map<std::string, PaidRelease> releases;                      // by id
  std::map<std::string, int64_t> data_versions;                     // of those releases
};

class Verifier {
 public:
  explicit Verifier(Database& database) : database_(database) {}

  // Fills result.fault with the first thing that is wrong.
  Result<Done> Run(Verification& result) {
    TACIT_CHECK(CheckStructure(result));
    if (result.fault.empty()) TACIT_CHECK(CheckChain(result));
    if (result.fault.empty()) TACIT_CHECK(CheckBooks(result));
    if (result.fault.empty()) TACIT_CHECK(CheckSideTables(result));
    if (result.fault.empty()) TACIT_CHECK(CheckReleases(result));
    return Done{};
  }

 private:
  Result<Done> CheckStructure(Verification& result) {
    TACIT_TRY(Statement check, database_.Prepare("PRAGMA integrity_check(1)"));
    TACIT_TRY(const bool row, check.Step());
    if (!row || check.Text(0) != "ok") result.fault = "the file's pages are damaged";
    return Done{};
  }

  Result<Done> CheckChain(Verification& result) {
    TACIT_TRY(Statement query,
              database_.Prepare("SELECT seq, body, hash FROM record ORDER BY seq"));
    std::string previous_hash = kNoHash;
    while (result.fault.empty()) {
      TACIT_TRY(const bool row, query.Step());
      if (!row) break;
      const int64_t sequence = query.Int(0);
      const std::string name = RecordName(sequence);
      if (sequence != expected_.books.sequence + 1) {
        result.fault = RecordName(expected_.books.sequence + 1) + " is missing";
        break;
      }
      const std::string body = query.Text(1);
      if (ChainHash(previous_hash, body) != query.Text(2)) {
        result.fault = name + ": its hash does not fit its bytes and the record before";
        break;
      }
      previous_hash = query.Text(2);
      TACIT_CHECK(CheckRecord(sequence, body, result));
    }
    result.head = previous_hash;
    if (result.fault.empty() && result.records == 0) result.fault = "there are no records";
    return Done{};
  }

  Result<Done> CheckRecord(int64_t sequence, const std::string& body, Verification& result) {
    const std::string name = RecordName(sequence);
    const Result<Record> record = ReadRecord(body);
    if (!record.ok()) {
      result.fault = name + ": " + record.error().public_message;
      return Done{};
    }
    if (record->sequence != sequence) {
      result.fault = name + ": it names the place " + std::to_string(record->sequence);
      return Done{};
    }
    if (const Result<Done> posted = Post(*record, expected_.books); !posted.ok()) {
      result.fault = name + ": " + posted.error().public_message;
      return Done{};
    }
    if (HashOf(expected_.books) != record->state) {
      result.fault = name + ": its totals are not the sums of the records so far";
      return Done{};
    }
    ++result.records;
    if (const BindAct* bind = std::get_if<BindAct>(&record->act)) {
      return CheckSeal(sequence, bind->seal, result);
    }
    const ChargeAct* charge = std::get_if<ChargeAct>(&record->act);
    if (charge == nullptr) return Done{};
    ++result.charges;
    return CheckCharge(sequence, *charge, result);
  }

  Result<Done> CheckSeal(int64_t sequence, const Seal& recorded, Verification& result) {
    TACIT_TRY(const Seal seal, ReadSeal(database_, sequence));
    if (seal.count != recorded.count || seal.hash != recorded.hash) {
      result.fault =
          RecordName(sequence) + ": the stored answers that it sealed are not those that are there";
    }
    return Done{};
  }

  Result<Done> CheckCharge(int64_t sequence, const ChargeAct& charge, Verification& result) {
    const std::string name = RecordName(sequence);
    if (!charge.request_id.empty() &&
        !expected_.requests.emplace(std::pair(charge.analyst, charge.request_id), sequence)
             .second) {
      result.fault = name + ": the request id was charged before";
      return Done{};
    }
    for (size_t ordinal = 0; ordinal < charge.releases.size(); ++ordinal) {
      const PaidRelease& release = charge.releases[ordinal];
      const std::string id = ToString(release.id);
      if (release.id == ReleaseId{.sequence = sequence, .ordinal = ordinal}) {
        expected_.releases.emplace(id, release);
        expected_.data_versions.emplace(id, charge.data_version);
      } else if (const auto known = expected_.releases.find(id);
                 known == expected_.releases.end() || known->second.cost != release.cost ||
                 known->second.fingerprint != release.fingerprint ||
                 expected_.data_versions[id] != charge.data_version) {
        result.fault = name + ": release " + id + " is not the one that was paid for";
        return Done{};
      }
      if (release.analyst_pays &&
          !expected_.payments.emplace(std::pair(charge.analyst, id), sequence).second) {
        result.fault = name + ": release " + id + " is paid for a second time";
        return Done{};
      }
    }
    return CheckSeal(sequence, charge.seal, result);
  }

  Result<Done> CheckBooks(Verification& result) {
    const Result<Books> books = ReadBooks(database_);
    if (!books.ok()) {
      result.fault = books.error().public_message;
    } else if (*books != expected_.books) {
      result.fault = "the accounts are not the sums of the records";
    }
    return Done{};
  }

  Result<Done> CheckSideTables(Verification& result) {
    TACIT_TRY(Statement requests, database_.Prepare("SELECT analyst, id, seq FROM request"));
    std::map<std::pair<std::string, std::string>, int64_t> found;
    while (true) {
      TACIT_TRY(const bool row, requests.Step());
      if (!row) break;
      found.emplace(std::pair(requests.Text(0), requests.Text(1)), requests.Int(2));
    }
    if (found != expected_.requests) result.fault = "the request ids are not those of the records";
    found.clear();
    TACIT_TRY(Statement payments,
              database_.Prepare("SELECT analyst, release_seq, ordinal, seq FROM payment"));
    while (true) {
      TACIT_TRY(const bool row, payments.Step());
      if (!row) break;
      const ReleaseId id{.sequence = payments.Int(1),
                         .ordinal = static_cast<size_t>(payments.Int(2))};
      found.emplace(std::pair(payments.Text(0), ToString(id)), payments.Int(3));
    }
    if (result.fault.empty() && found != expected_.payments) {
      result.fault = "the payments for stored answers are not those of the records";
    }
    return Done{};
  }

  Result<Done> CheckReleases(Verification& result) {
    TACIT_TRY(Statement query,
              database_.Prepare("SELECT seq, ordinal, fingerprint, data_version, sealed_by, id "
                                "FROM release ORDER BY seq, ordinal"));
    while (result.fault.empty()) {
      TACIT_TRY(const bool row, query.Step());
      if (!row) break;
      const ReleaseId id{.sequence = query.Int(0), .ordinal = static_cast<size_t>(query.Int(1))};
      const std::string name = ToString(id);
      const auto known = expected_.releases.find(name);
      if (known == expected_.releases.end() || known->second.fingerprint != query.Text(2) ||
          expected_.data_versions[name] != query.Int(3) ||
          query.Int(4) > expected_.books.sequence) {
        result.fault = "stored answer " + name + ": no record paid for it";
        break;
      }
      TACIT_TRY(const std::optional<StoredRecord> paying, FindRecord(database_, id.sequence));
      const Result<std::optional<std::string>> bytes =
          LoadRelease(database_, id, paying ? paying->hash : "");
      if (!bytes.ok() || !bytes->has_value()) {
        result.fault = "stored answer " + name + ": its bytes are not those that were stored";
      }
      ++result.releases;
    }
    return Done{};
  }

  Database& database_;
  Expected expected_;
};

}  // namespace

Result<Verification> Verify(const std::string& path, const std::string& key) {
  Database::Options how;
  how.flags = SQLITE_OPEN_READONLY;
  how.key = OwnerKey(key);
  TACIT_TRY(const std::unique_ptr<Database> database, Connect(path, how));
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*database, Transaction::Kind::kRead));
  // Books that cannot be read are a fault with a place; those of another deployment are no fault.
  if (LoadBooks(*database).ok()) TACIT_CHECK(CheckOwner(*database));
  return VerifyAll(*database);
}

Result<Verification> VerifyAll(Database& database) {
  Verification result;
  if (const Result<Done> run = Verifier(database).Run(result); !run.ok()) {
    // SQLite itself could not go on: the place is where the chain stood.
    result.fault = "after " + RecordName(result.records) + ": " + run.error().public_message;
  }
  return result;
}

}  // namespace tacit::ledger
