#include "ledger/decide/decide.h"

#include <algorithm>

#include "ledger/chain/answers.h"
#include "ledger/decide/declarations.h"
#include "ledger/decide/room.h"
#include "ledger/decide/stored_answers.h"

namespace tacit::ledger {
namespace {

Error Refusal(ErrorCode code, std::string message, std::string hint = "") {
  return Error{.code = code,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = ""};
}

// Its place, time and state come when it is posted.
template <class Act>
Record RecordOf(Act act) {
  Record record;
  record.act = std::move(act);
  return record;
}

// The asker's own and nobody else's.
Result<Done> FillBalance(const Books& books, const ChargeRequest& request, Receipt& receipt) {
  TACIT_TRY(receipt.balance, BalanceIn(books, request.analyst, request.limits));
  return Done{};
}

// A request id that was charged before gets the answers of that charge, whatever has changed since.
Result<Decision> RepeatRequest(Chain& chain, const ChargeRequest& request, const Books& books,
                               int64_t sequence) {
  TACIT_TRY(const ChainedRecord first, LoadRecord(chain, sequence));
  const ChargeAct* charge = std::get_if<ChargeAct>(&first.record->act);
  const bool same = charge != nullptr && charge->analyst == request.analyst &&
                    charge->query_fingerprint == request.query_fingerprint &&
                    charge->releases.size() == request.releases.size();
  if (!same) {
    return Refusal(ErrorCode::kInvalidArgument,
                   "the request id '" + request.request_id +
                       "' was used for another query, or at another price",
                   "give every new query a new id");
  }
  Decision decision{.records = {}, .books = books, .receipt = {}};
  decision.receipt.sequence = sequence;
  decision.receipt.hash = first.hash;
  decision.receipt.name = chain.key.ReceiptName(request.analyst, sequence, first.hash);
  for (const PaidRelease& release : charge->releases) {
    TACIT_TRY(const ChainedRecord origin, LoadRecord(chain, release.id.sequence));
    TACIT_TRY(std::optional<std::string> bytes, LoadAnswer(chain, release.id, origin.hash));
    if (!bytes) {
      return Refusal(ErrorCode::kUnavailable,
                     "the answer to request id '" + request.request_id +
                         "' is not there: it is still being computed, or was lost after its charge",
                     "wait a moment; if it stays away, ask under a new id, at a new charge");
    }
    decision.receipt.releases.push_back(
        {.id = release.id, .scales = release.scales, .bytes = std::move(bytes)});
  }
  TACIT_CHECK(FillBalance(books, request, decision.receipt));
  return decision;
}

// The records that a charge under this policy brings along: what it fixes, and budgets that differ
// from the last recorded ones.
Result<std::vector<Record>> PolicyRecords(const ChargeRequest& request, const Books& books) {
  std::vector<Record> records;
  TACIT_TRY(std::optional<Declarations> added,
            NewDeclarations(request.declarations, request.public_tables, books.declarations));
  if (added) records.push_back(RecordOf(DeclareAct{std::move(*added)}));
  const auto add_budget = [&](const std::string& analyst,
                              const std::optional<Budget>& budget) -> Result<Done> {
    std::optional<Cost> capacity;
    if (budget) {
      TACIT_TRY(capacity, CapacityOf(request.limits.accounting, *budget));
    }
    const auto found = books.entries.find(analyst);
    const BookEntry known = found == books.entries.end() ? BookEntry{} : found->second;
    if (known.budget == budget && known.capacity == capacity) return Done{};
    records.push_back(RecordOf(BudgetAct{
        .analyst = analyst, .before = known.budget, .after = budget, .capacity = capacity}));
    return Done{};
  };
  TACIT_CHECK(add_budget("", request.limits.dataset));
  if (!request.analyst.empty()) TACIT_CHECK(add_budget(request.analyst, request.limits.analyst));
  return records;
}

bool IsGranted(const ChargeAct& charge, const ReleaseId& id) {
  return std::any_of(charge.releases.begin(), charge.releases.end(),
                     [&](const PaidRelease& earlier) { return earlier.id == id; });
}

// Grants every wish, from a stored answer or as a release of record `sequence`.
Result<Done> GrantReleases(Chain& chain, const ChargeRequest& request, int64_t sequence,
                           ChargeAct& charge, Receipt& receipt) {
  for (size_t ordinal = 0; ordinal < request.releases.size(); ++ordinal) {
    const ReleaseWish& wish = request.releases[ordinal];
    std::vector<ReleaseId> made_from;
    bool sources_stored = true;
    for (const size_t source : wish.made_from) {
      made_from.push_back(receipt.releases[source].id);
      sources_stored = sources_stored && receipt.releases[source].bytes.has_value();
    }
    std::optional<StoredAnswer> stored;
    if (sources_stored) {
      TACIT_TRY(stored, FindStoredAnswer(chain, request, wish, made_from));
    }
    // Bought once, it serves one wish: drawn anew, two wishes would be two answers and two prices.
    if (stored && stored->analyst_pays && IsGranted(charge, stored->release.id)) stored.reset();
    if (stored) {
      receipt.sequence = std::max(receipt.sequence, stored->paid_by);
      receipt.releases.push_back({.id = stored->release.id,
                                  .scales = stored->release.scales,
                                  .bytes = std::move(stored->bytes)});
      charge.releases.push_back(std::move(stored->release));
      charge.releases.back().analyst_pays = stored->analyst_pays;
      // As a new one would be recorded, whoever it was drawn for.
      charge.releases.back().shape = wish.shape;
      continue;
    }
    std::vector<Rational> scales;
    for (const Rational& scale : wish.scales) scales.push_back(BoundedUp(scale));
    const ReleaseId id{.sequence = sequence, .ordinal = ordinal};
    receipt.releases.push_back({.id = id, .scales = scales, .bytes = std::nullopt});
    charge.releases.push_back({.id = id,
                               .fingerprint = wish.fingerprint,
                               .scales = std::move(scales),
                               .cost = AddUp(Cost{}, wish.cost),
                               .analyst_pays = !request.analyst.empty(),
                               .made_from = std::move(made_from),
                               .shape = wish.shape});
  }
  return Done{};
}

Result<Decision> ChargeDecision(const ChargeRequest& request, const Books& books,
                                const Occasion& occasion, std::vector<Record> records,
                                ChargeAct charge, Receipt receipt) {
  const int64_t sequence = books.sequence + static_cast<int64_t>(records.size()) + 1;
  for (const PaidRelease& release : charge.releases) {
    if (release.id.sequence == sequence) {
      charge.dataset_cost = AddUp(charge.dataset_cost, release.cost);
    }
    if (release.analyst_pays) charge.analyst_cost = AddUp(charge.analyst_cost, release.cost);
  }
  TACIT_CHECK(FillBalance(books, request, receipt));
  TACIT_CHECK(CheckRoom(request, books, charge, receipt.balance, occasion.is_quote));
  receipt.sequence = sequence;
  receipt.dataset_cost = charge.dataset_cost;
  receipt.analyst_cost = charge.analyst_cost;
  records.push_back(RecordOf(std::move(charge)));
  Decision decision{.records = {}, .books = books, .receipt = std::move(receipt)};
  if (occasion.is_quote) {  // posting would look at the dataset's room
    BookEntry& own = decision.books.entries[request.analyst];
    own.spent = AddUp(own.spent, request.analyst.empty() ? decision.receipt.dataset_cost
                                                         : decision.receipt.analyst_cost);
    decision.records = std::move(records);
    TACIT_CHECK(FillBalance(decision.books, request, decision.receipt));
    return decision;
  }
  for (Record& record : records) {
    record.time = occasion.time;
    TACIT_CHECK(PostNext(record, decision.books));
  }
  decision.records = std::move(records);
  TACIT_CHECK(FillBalance(decision.books, request, decision.receipt));
  return decision;
}

}  // namespace

// proof: ledger/recovery.md#what-sqlite-promises-and-what-is-built-on-it
Result<Decision> Decide(Chain& chain, const Books& books, const ChargeRequest& request,
                        const Occasion& occasion) {
  if (!request.request_id.empty()) {
    TACIT_TRY(const std::optional<int64_t> charged,
              chain.rows->FindRequest(request.analyst, request.request_id));
    if (charged) return RepeatRequest(chain, request, books, *charged);
  }
  TACIT_TRY(std::vector<Record> records, PolicyRecords(request, books));
  const int64_t sequence = books.sequence + static_cast<int64_t>(records.size()) + 1;
  ChargeAct charge{.analyst = request.analyst,
                   .request_id = request.request_id,
                   .query_fingerprint = request.query_fingerprint,
                   .policy_version = request.policy_version,
                   .data_version = request.data_version,
                   .accounting = request.limits.accounting,
                   .dataset_cost = {},
                   .analyst_cost = {},
                   .releases = {},
                   .seal = {}};
  Receipt receipt;
  TACIT_CHECK(GrantReleases(chain, request, sequence, charge, receipt));
  const bool free =
      std::none_of(charge.releases.begin(), charge.releases.end(), [&](const PaidRelease& release) {
        return release.analyst_pays || release.id.sequence == sequence;
      });
  if (!free) {
    return ChargeDecision(request, books, occasion, std::move(records), std::move(charge),
                          std::move(receipt));
  }
  Decision decision{.records = {}, .books = books, .receipt = std::move(receipt)};
  if (decision.receipt.sequence != 0) {
    TACIT_TRY(const ChainedRecord paid, LoadRecord(chain, decision.receipt.sequence));
    decision.receipt.hash = paid.hash;
    decision.receipt.name =
        chain.key.ReceiptName(request.analyst, decision.receipt.sequence, paid.hash);
  }
  TACIT_CHECK(FillBalance(books, request, decision.receipt));
  return decision;
}

}  // namespace tacit::ledger
