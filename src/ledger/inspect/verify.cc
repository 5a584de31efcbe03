// Recomputes the whole ledger from its records and compares.

#include "ledger/inspect/verify.h"

#include <set>

#include "ledger/chain/answers.h"
#include "ledger/chain/checked_books.h"
#include "ledger/inspect.h"

namespace tacit::ledger {
namespace {

// What the side tables must hold, collected from the records.
struct Expected {
  Books books;
  std::map<std::pair<std::string, std::string>, int64_t> requests;
  std::map<std::pair<std::string, std::string>, int64_t> payments;  // analyst, release
  std::map<std::string, PaidRelease> releases;                      // by id
  std::map<std::string, int64_t> data_versions;                     // of those releases
  std::map<int64_t, Seal> seals;                                    // by record
};

class Verifier {
 public:
  Verifier(Chain& chain, bool new_key) : chain_(chain), new_key_(new_key) {}

  // Fills result.fault with the first thing that is wrong.
  Result<Done> Run(Verification& result) {
    TACIT_CHECK(CheckStructure(result));
    if (result.fault.empty()) TACIT_CHECK(CheckChain(result));
    if (result.fault.empty()) TACIT_CHECK(CheckSeals(result));
    if (result.fault.empty()) TACIT_CHECK(CheckBooks(result));
    if (result.fault.empty()) TACIT_CHECK(CheckSideTables(result));
    if (result.fault.empty()) TACIT_CHECK(CheckAnswers(result));
    return Done{};
  }

 private:
  Result<Done> CheckStructure(Verification& result) {
    TACIT_TRY(result.fault, chain_.rows->FindFault());
    return Done{};
  }

  // The chain's first fault ends the reading of it: with an error that is not told.
  static Result<Done> NextUnless(const Verification& result) {
    if (result.fault.empty()) return Done{};
    return Damaged(result.fault);
  }

  // An error beside a fault only ended the reading.
  static Result<Done> FaultOr(const Result<Done>& read, const Verification& result) {
    return result.fault.empty() ? read : Result<Done>(Done{});
  }

  Result<Done> CheckChain(Verification& result) {
    std::string previous_hash = kNoHash;
    const Result<Done> read = chain_.rows->ForEachRecord(
        [&](const StoredRecord& stored) { return CheckLink(stored, previous_hash, result); });
    TACIT_CHECK(FaultOr(read, result));
    result.head = previous_hash;
    if (result.fault.empty() && result.records == 0) result.fault = "there are no records";
    return Done{};
  }

  Result<Done> CheckLink(const StoredRecord& stored, std::string& previous_hash,
                         Verification& result) {
    if (stored.sequence != expected_.books.sequence + 1) {
      result.fault = RecordName(expected_.books.sequence + 1) + " is missing";
    } else if (ChainHash(previous_hash, stored.body) != stored.hash) {
      result.fault =
          RecordName(stored.sequence) + ": its hash does not fit its bytes and the record before";
    } else {
      previous_hash = stored.hash;
      TACIT_CHECK(CheckRecord(stored.sequence, stored.body, result));
    }
    return NextUnless(result);
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
      expected_.seals[sequence] = bind->seal;
    }
    if (const RekeyAct* rekey = std::get_if<RekeyAct>(&record->act)) {
      expected_.seals[sequence] = rekey->seal;
    }
    const ChargeAct* charge = std::get_if<ChargeAct>(&record->act);
    if (charge == nullptr) return Done{};
    ++result.charges;
    return CheckCharge(sequence, *charge, result);
  }

  // Answers that an import left behind are not there; those of after it are.
  Result<Done> CheckSeals(Verification& result) {
    for (const auto& [sequence, recorded] : expected_.seals) {
      TACIT_TRY(const Seal seal, ReadSeal(chain_, sequence));
      if (seal == recorded) continue;
      if (sequence < expected_.books.imported_at && seal.count == 0) continue;
      result.fault =
          RecordName(sequence) + ": the stored answers that it sealed are not those that are there";
      return Done{};
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
    expected_.seals[sequence] = charge.seal;
    return Done{};
  }

  Result<Done> CheckBooks(Verification& result) {
    const Result<Books> books = ReadBooks(chain_);
    if (!books.ok()) {
      result.fault = books.error().public_message;
    } else if (*books != expected_.books) {
      result.fault = "the accounts are not the sums of the records";
    }
    return Done{};
  }

  Result<Done> CheckSideTables(Verification& result) {
    std::map<std::pair<std::string, std::string>, int64_t> found;
    TACIT_CHECK(chain_.rows->ForEachRequest([&](const RequestRow& row) -> Result<Done> {
      found.emplace(std::pair(row.analyst, row.id), row.sequence);
      return Done{};
    }));
    if (found != expected_.requests) result.fault = "the request ids are not those of the records";
    found.clear();
    TACIT_CHECK(chain_.rows->ForEachPayment([&](const PaymentRow& row) -> Result<Done> {
      found.emplace(std::pair(row.analyst, ToString(row.release)), row.sequence);
      return Done{};
    }));
    if (result.fault.empty() && found != expected_.payments) {
      result.fault = "the payments for stored answers are not those of the records";
    }
    return Done{};
  }

  Result<Done> CheckAnswers(Verification& result) {
    const Result<Done> read = chain_.rows->ForEachAnswer([&](const AnswerRow& row) -> Result<Done> {
      TACIT_CHECK(CheckAnswer(row, result));
      return NextUnless(result);
    });
    return FaultOr(read, result);
  }

  Result<Done> CheckAnswer(const AnswerRow& row, Verification& result) {
    const std::string name = ToString(row.id);
    const auto known = expected_.releases.find(name);
    if (known == expected_.releases.end() || known->second.fingerprint != row.fingerprint ||
        expected_.data_versions[name] != row.data_version ||
        row.sealed_by > expected_.books.sequence) {
      result.fault = "stored answer " + name + ": no record paid for it";
      return Done{};
    }
    ++result.releases;
    // Signed by a key that is gone: their seals hold, and nobody is given them.
    if (new_key_ || row.id.sequence <= expected_.books.rekeyed_at) return Done{};
    TACIT_TRY(const std::optional<StoredRecord> paying, chain_.rows->FindRecord(row.id.sequence));
    const Result<std::optional<std::string>> bytes =
        LoadAnswer(chain_, row.id, paying ? paying->hash : "");
    if (!bytes.ok() || !bytes->has_value()) {
      result.fault = "stored answer " + name + ": its bytes are not those that were stored";
    }
    return Done{};
  }

  Chain& chain_;
  bool new_key_;
  Expected expected_;
};

}  // namespace

Result<Verification> Verify(Storage& storage, const std::string& key) {
  TACIT_TRY(const std::unique_ptr<Chain> chain, Chain::Connect(storage, OwnerKey(key)));
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*chain, Transaction::Access::kRead));
  // Books that cannot be read are a fault with a place; those of another deployment are no fault.
  if (LoadBooks(*chain).ok()) TACIT_CHECK(CheckOwner(*chain));
  return VerifyAll(*chain);
}

Result<Verification> VerifyAll(Chain& chain, bool new_key) {
  Verification result;
  if (const Result<Done> run = Verifier(chain, new_key).Run(result); !run.ok()) {
    // The storage itself could not go on: the place is where the chain stood.
    result.fault = "after " + RecordName(result.records) + ": " + run.error().public_message;
  }
  return result;
}

}  // namespace tacit::ledger
