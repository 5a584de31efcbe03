#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"
#include "ledger/record/record.h"

// What owners and auditors read. Each call sees one consistent snapshot while others go on
// charging. By its place (place.h), or as it was opened (storage.h).

namespace tacit::ledger {

struct Addition;

// Calls `each` for every record in order; stops at the first error and returns it.
Result<Done> ForEachRecord(const Place& place,
                           const std::function<Result<Done>(const StoredRecord&)>& each);
Result<Done> ForEachRecord(Storage& storage,
                           const std::function<Result<Done>(const StoredRecord&)>& each);

// Calls `each` for an analyst's newest charges, at most `newest_max`, oldest first. `number` counts
// the analyst's own from 1. Nobody else's records are read: how long it takes tells nothing of
// them.
Result<Done> ForEachChargeOf(
    const Place& place, const std::string& analyst, int64_t newest_max,
    const std::function<Result<Done>(int64_t number, const StoredRecord&)>& each);
Result<Done> ForEachChargeOf(
    Storage& storage, const std::string& analyst, int64_t newest_max,
    const std::function<Result<Done>(int64_t number, const StoredRecord&)>& each);

struct Verification {
  int64_t records = 0;
  int64_t charges = 0;
  int64_t releases = 0;  // stored answers
  std::string head;      // hash of the last record
  std::string fault;     // empty: everything holds; else the first bad record and what is wrong
};

// Recomputes every hash, link, total, declaration, budget, request id and stored answer, with the
// deployment's key (empty: none). An error means that the file could not be read at all, or belongs
// to another key; a fault is in the Verification.
Result<Verification> Verify(const Place& place, const std::string& key = "");
Result<Verification> Verify(Storage& storage, const std::string& key = "");

// The accounts as of now: the dataset first (empty name), then the analysts by name.
struct Account {
  std::string analyst;
  Cost spent;
  std::optional<Budget> recorded_budget;  // as of the last charge
  int64_t charges = 0;
};
Result<std::vector<Account>> ReadAccounts(const Place& place);
Result<std::vector<Account>> ReadAccounts(Storage& storage);

// kRefused when charges were made under other declarations than these, or for a table that is now
// to be public: what Charge would say, before anybody asks.
Result<Done> CheckDeclarations(const Place& place, const Declarations& declarations,
                               const std::vector<std::string>& public_tables);
Result<Done> CheckDeclarations(Storage& storage, const Declarations& declarations,
                               const std::vector<std::string>& public_tables);

// Accepts what is there as the ledger after a backup was restored or the head file was lost: the
// owner's explicit act, recorded in the chain, because it may give budget back. A ledger that says
// nothing of whose it is becomes that of `key`; one of another deployment is refused, unless
// `new_key` says that the deployment's own key is another one from now on: what was stored under
// the old one is then never replayed. Refused while any program has the ledger open: it would go on
// with the head that is replaced here, and with it the one at `witness`, if one is named.
Result<Head> AcceptRestored(const Place& place, const std::string& reason,
                            const std::string& key = "", const std::string& witness = "",
                            bool new_key = false);
// `storage` was opened so that nobody else has it open.
Result<Head> AcceptRestored(Storage& storage, const std::string& reason,
                            const std::string& key = "", bool new_key = false);

// Makes the ledger at `place`, which is lost or new, of what `tacit ledger export` wrote, checks
// all of it, and records that it did. Stored answers are not exported: they are asked, and paid,
// anew. Refuses where a ledger is.
Result<Head> ImportRecords(const Place& place, std::istream& exported, const std::string& reason,
                           const std::string& key = "", const std::string& witness = "");

// For another gateway of a ledger in a database: makes this one's head file, where `head`, as
// another gateway knows it, is a record of the ledger and all of it verifies.
Result<Head> Join(const Place& place, const Head& head, const std::string& key = "");

// What makes a ledger's tables in a database, and grants what the gateways' role needs.
std::string SqlToCreate(const Place& place, const std::string& role);

// The record with this hash, or nothing.
Result<std::optional<int64_t>> FindByHash(const Place& place, const std::string& hash);

// For ImportRecords: everything that the new ledger holds.
Result<Addition> AdditionOfExport(std::istream& exported, const std::string& reason,
                                  const std::string& head_before, const std::string& key);

}  // namespace tacit::ledger
