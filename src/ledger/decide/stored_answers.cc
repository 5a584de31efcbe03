#include "ledger/decide/stored_answers.h"

#include "ledger/chain/answers.h"
#include "ledger/chain/checked_books.h"

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

bool Better(const StoredAnswer& a, const StoredAnswer& b, bool coarsest) {
  if (a.analyst_pays != b.analyst_pays) return b.analyst_pays;
  if (a.release.scales != b.release.scales) {
    return (a.release.scales < b.release.scales) != coarsest;
  }
  return a.release.id.sequence < b.release.id.sequence;
}

// The candidate without its bytes, when it serves.
Result<std::optional<StoredAnswer>> Consider(Chain& chain, const ChargeRequest& request,
                                             const ReleaseWish& wish,
                                             const std::vector<ReleaseId>& made_from,
                                             const ReleaseId& id) {
  TACIT_TRY(const CheckedBooks checked, LoadBooks(chain));
  if (id.sequence <= checked.books->rekeyed_at) return std::optional<StoredAnswer>();
  TACIT_TRY(const ChainedRecord paying, LoadRecord(chain, id.sequence));
  const PaidRelease* release = ReleaseIn(*paying.record, id);
  if (release == nullptr || release->fingerprint != wish.fingerprint ||
      std::get<ChargeAct>(paying.record->act).data_version != request.data_version) {
    return Damaged("stored answer " + ToString(id) + " is filed under another question");
  }
  // A scale finer than what is written down is no finer than the wish, and still what was asked.
  const bool serves = AtLeastAsFine(release->scales, wish.scales) || IsWhatWasAsked(*release, wish);
  if (!serves || release->made_from != made_from) {
    return std::optional<StoredAnswer>();
  }
  StoredAnswer answer{
      .release = *release, .bytes = "", .analyst_pays = false, .paid_by = id.sequence};
  if (!request.analyst.empty()) {
    TACIT_TRY(const std::optional<int64_t> paid, PaidBefore(chain, request.analyst, id));
    answer.analyst_pays = !paid;
    answer.paid_by = paid.value_or(id.sequence);
  }
  if (answer.analyst_pays && !IsWhatWasAsked(*release, wish)) return std::optional<StoredAnswer>();
  return std::optional(std::move(answer));
}

}  // namespace

Result<std::optional<int64_t>> PaidBefore(Chain& chain, const std::string& analyst,
                                          const ReleaseId& id) {
  TACIT_TRY(const std::optional<int64_t> sequence, chain.rows->FindPayment(analyst, id));
  if (!sequence) return sequence;
  TACIT_TRY(const ChainedRecord paying, LoadRecord(chain, *sequence));
  const PaidRelease* release = ReleaseIn(*paying.record, id);
  if (release == nullptr || !release->analyst_pays ||
      std::get<ChargeAct>(paying.record->act).analyst != analyst) {
    return Damaged(RecordName(*sequence) + " paid for something else");
  }
  return sequence;
}

// proof: ledger/recovery.md#decisions
Result<std::optional<StoredAnswer>> FindStoredAnswer(Chain& chain, const ChargeRequest& request,
                                                     const ReleaseWish& wish,
                                                     const std::vector<ReleaseId>& made_from) {
  std::optional<StoredAnswer> best;
  const auto consider = [&](const std::vector<ReleaseId>& candidates) -> Result<Done> {
    for (const ReleaseId& id : candidates) {
      TACIT_TRY(std::optional<StoredAnswer> answer, Consider(chain, request, wish, made_from, id));
      if (answer && (!best || Better(*answer, *best, request.coarsest))) best = std::move(answer);
    }
    return Done{};
  };
  AnswerSearch search{.fingerprint = wish.fingerprint,
                      .data_version = request.data_version,
                      .paid_by = std::nullopt};
  // What the analyst has paid for is looked for by itself: however much others ask, it is found.
  if (!request.analyst.empty()) {
    search.paid_by = request.analyst;
    TACIT_TRY(const std::vector<ReleaseId> own,
              chain.rows->FindAnswers(search, kAnswerCandidatesMax));
    TACIT_CHECK(consider(own));
  }
  if (!best) {
    search.paid_by = std::nullopt;
    TACIT_TRY(const std::vector<ReleaseId> all,
              chain.rows->FindAnswers(search, kAnswerCandidatesMax));
    TACIT_CHECK(consider(all));
  }
  if (!best) return best;
  TACIT_TRY(const ChainedRecord origin, LoadRecord(chain, best->release.id.sequence));
  TACIT_TRY(std::optional<std::string> bytes, LoadAnswer(chain, best->release.id, origin.hash));
  if (!bytes) return Damaged("stored answer " + ToString(best->release.id) + " is missing");
  best->bytes = std::move(*bytes);
  return best;
}

}  // namespace tacit::ledger
