#include "ledger/decide/own_releases.h"

#include <algorithm>

#include "ledger/chain/answers.h"
#include "ledger/chain/checked_books.h"
#include "ledger/decide/room.h"
#include "ledger/decide/stored_answers.h"

namespace tacit::ledger {
namespace {

// The records that an asker's releases are looked for in, the oldest first.
Result<std::vector<int64_t>> RecordsOf(Chain& chain, const std::string& analyst, int64_t after) {
  if (!analyst.empty()) return chain.rows->FindPayingAfter(analyst, after, kOwnRecordsMax);
  TACIT_TRY(const CheckedBooks checked, LoadBooks(chain));
  const int64_t last = checked.books->sequence;
  std::vector<int64_t> records;
  for (int64_t i = std::max({kFirstSequence, after + 1, last - kOwnRecordsMax + 1}); i <= last;
       ++i) {
    records.push_back(i);
  }
  return records;
}

}  // namespace

Result<OwnCharges> FindOwnCharges(Chain& chain, const std::string& analyst, int64_t data_version,
                                  int64_t after) {
  OwnCharges own;
  size_t room = kOwnShapeBytesMax;
  TACIT_TRY(const std::vector<int64_t> records, RecordsOf(chain, analyst, after));
  // The newest first, until there is no more room.
  for (auto at = records.rbegin(); at != records.rend() && own.whole; ++at) {
    TACIT_TRY(const ChainedRecord paying, LoadRecord(chain, *at));
    OwnCharge& found = own.charges.emplace_back(OwnCharge{.sequence = *at, .releases = {}});
    const ChargeAct* charge = std::get_if<ChargeAct>(&paying.record->act);
    if (charge == nullptr || charge->data_version != data_version) continue;
    if (!analyst.empty() && charge->analyst != analyst) {
      return Damaged(RecordName(*at) + " was paid by somebody else");
    }
    for (auto each = charge->releases.rbegin(); each != charge->releases.rend(); ++each) {
      const bool paid = analyst.empty() ? each->id.sequence == *at : each->analyst_pays;
      if (!paid || each->shape.empty()) continue;
      own.whole = each->shape.size() <= room;
      if (!own.whole) break;
      room -= each->shape.size();
      found.releases.push_back({each->id, each->shape});
    }
    std::reverse(found.releases.begin(), found.releases.end());
  }
  std::reverse(own.charges.begin(), own.charges.end());
  return own;
}

Result<std::optional<Receipt>> RecallReleases(Chain& chain, const Books& books,
                                              const ChargeRequest& request,
                                              const std::vector<ReleaseId>& releases) {
  using Found = std::optional<Receipt>;
  Receipt receipt;
  for (const ReleaseId& id : releases) {
    if (id.sequence <= books.rekeyed_at) return Found();
    int64_t paid_by = id.sequence;
    if (!request.analyst.empty()) {
      TACIT_TRY(const std::optional<int64_t> paid, PaidBefore(chain, request.analyst, id));
      if (!paid) return Found();
      paid_by = *paid;
    }
    TACIT_TRY(const ChainedRecord origin, LoadRecord(chain, id.sequence));
    const ChargeAct* charge = std::get_if<ChargeAct>(&origin.record->act);
    if (charge == nullptr || charge->data_version != request.data_version) return Found();
    TACIT_TRY(std::optional<std::string> bytes, LoadAnswer(chain, id, origin.hash));
    if (!bytes) return Found();
    receipt.sequence = std::max(receipt.sequence, paid_by);
    receipt.releases.push_back({.id = id, .scales = {}, .bytes = std::move(bytes)});
  }
  if (receipt.sequence == 0) return Found();
  TACIT_TRY(const ChainedRecord paid, LoadRecord(chain, receipt.sequence));
  receipt.hash = paid.hash;
  receipt.name = chain.key.ReceiptName(request.analyst, receipt.sequence, paid.hash);
  TACIT_TRY(receipt.balance, BalanceIn(books, request.analyst, request.limits));
  return Found(std::move(receipt));
}

}  // namespace tacit::ledger
