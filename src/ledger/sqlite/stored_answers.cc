#include "ledger/sqlite/stored_answers.h"

namespace tacit::ledger {
namespace {

const PaidRelease* ReleaseIn(const Record& record, const ReleaseId& id) {
  const ChargeAct* charge = std::get_if<ChargeAct>(&record.act);
  if (charge == nullptr) return nullptr;
  for (const PaidRelease& release : charge->releases) {
    if (release.id == id) return &release;
  }
  return nullptr;
}

bool AtLeastAsFine(const std::vector<Rational>& stored, const std::vector<Rational>& asked) {
  if (stored.size() != asked.size()) return false;
  for (size_t i = 0; i < stored.size(); ++i) {
    if (stored[i] > asked[i]) return false;
  }
  return true;
}

// As a new release of the wish would be recorded.
bool IsWhatWasAsked(const PaidRelease& stored, const ReleaseWish& wish) {
  if (stored.cost != AddUp(Cost{}, wish.cost) || stored.scales.size() != wish.scales.size()) {
    return false;
  }
  for (size_t i = 0; i < wish.scales.size(); ++i) {
    if (stored.scales[i] != BoundedUp(wish.scales[i])) return false;
  }
  return true;
}

// The analyst's own record of paying, taken from the chain: the table alone proves nothing.
Result<std::optional<int64_t>> PaidBefore(Database& database, const std::string& analyst,
                                          const ReleaseId& id) {
  TACIT_TRY(const std::optional<int64_t> sequence, FindPayment(database, analyst, id));
  if (!sequence) return sequence;
  TACIT_TRY(const ChainedRecord paying, LoadRecord(database, *sequence));
  const PaidRelease* release = ReleaseIn(*paying.record, id);
  if (release == nullptr || !release->analyst_pays ||
      std::get<ChargeAct>(paying.record->act).analyst != analyst) {
    return Damaged("record " + std::to_string(*sequence) + " paid for something else");
  }
  return sequence;
}

bool Better(const StoredAnswer& a, const StoredAnswer& b) {
  if (a.analyst_pays != b.analyst_pays) return b.analyst_pays;
  if (a.release.scales != b.release.scales) return a.release.scales < b.release.scales;
  return a.release.id.sequence < b.release.id.sequence;
}

// The candidate without its bytes, when it serves.
Result<std::optional<StoredAnswer>> Consider(Database& database, const ChargeRequest& request,
                                             const ReleaseWish& wish,
                                             const std::vector<ReleaseId>& made_from,
                                             const ReleaseId& id) {
  TACIT_TRY(const ChainedRecord paying, LoadRecord(database, id.sequence));
  const PaidRelease* release = ReleaseIn(*paying.record, id);
  if (release == nullptr || release->fingerprint != wish.fingerprint ||
      std::get<ChargeAct>(paying.record->act).data_version != request.data_version) {
    return Damaged("stored answer " + ToString(id) + " is filed under another question");
  }
  if (!AtLeastAsFine(release->scales, wish.scales) || release->made_from != made_from) {
    return std::optional<StoredAnswer>();
  }
  StoredAnswer answer{
      .release = *release, .bytes = "", .analyst_pays = false, .paid_by = id.sequence};
  if (!request.analyst.empty()) {
    TACIT_TRY(const std::optional<int64_t> paid, PaidBefore(database, request.analyst, id));
    answer.analyst_pays = !paid;
    answer.paid_by = paid.value_or(id.sequence);
  }
  if (answer.analyst_pays && !IsWhatWasAsked(*release, wish)) return std::optional<StoredAnswer>();
  return std::optional(std::move(answer));
}

}  // namespace

Result<std::optional<StoredAnswer>> FindStoredAnswer(Database& database,
                                                     const ChargeRequest& request,
                                                     const ReleaseWish& wish,
                                                     const std::vector<ReleaseId>& made_from) {
  std::optional<StoredAnswer> best;
  const auto consider = [&](const std::vector<ReleaseId>& candidates) -> Result<Done> {
    for (const ReleaseId& id : candidates) {
      TACIT_TRY(std::optional<StoredAnswer> answer,
                Consider(database, request, wish, made_from, id));
      if (answer && (!best || Better(*answer, *best))) best = std::move(answer);
    }
    return Done{};
  };
  // What the analyst has paid for is looked for by itself: however much others ask, it is found.
  if (!request.analyst.empty()) {
    TACIT_TRY(const std::vector<ReleaseId> own,
              FindPaidReleases(database, request.analyst, wish.fingerprint, request.data_version));
    TACIT_CHECK(consider(own));
  }
  if (!best) {
    TACIT_TRY(const std::vector<ReleaseId> all,
              FindReleases(database, wish.fingerprint, request.data_version));
    TACIT_CHECK(consider(all));
  }
  if (!best) return best;
  TACIT_TRY(const ChainedRecord origin, LoadRecord(database, best->release.id.sequence));
  TACIT_TRY(std::optional<std::string> bytes, LoadRelease(database, best->release.id, origin.hash));
  if (!bytes) return Damaged("stored answer " + ToString(best->release.id) + " is missing");
  best->bytes = std::move(*bytes);
  return best;
}

}  // namespace tacit::ledger
