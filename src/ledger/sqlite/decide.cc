#include "ledger/sqlite/decide.h"

#include <algorithm>

#include "ledger/sqlite/stored_answers.h"

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

Result<Balance> BalanceIn(const Books& books, const std::string& analyst, const Limits& limits) {
  const auto entry = books.entries.find(analyst);
  const Cost spent = entry == books.entries.end() ? Cost{} : entry->second.spent;
  const std::optional<Budget> budget = analyst.empty() ? limits.dataset : limits.analyst;
  if (!budget) return BalanceUnder(limits.accounting, spent, std::nullopt);
  TACIT_TRY(const Cost capacity, CapacityOf(limits.accounting, *budget));
  return BalanceUnder(limits.accounting, spent, capacity);
}

// The asker's own and nobody else's.
Result<Done> FillBalance(const Books& books, const ChargeRequest& request, Receipt& receipt) {
  TACIT_TRY(receipt.balance, BalanceIn(books, request.analyst, request.limits));
  return Done{};
}

// Six digits at most: what something costs is rounded up, what is left down.
std::string Short(const Rational& value, bool up) {
  constexpr size_t kShortMax = 12;
  std::string exact = ToString(value);
  if (exact.size() <= kShortMax && exact.find('/') == std::string::npos) return exact;
  Rational unit = 1;
  while (value / unit >= 1'000'000) unit *= 10;
  while (value != 0 && value / unit < 100'000) unit /= 10;
  const Rational steps = value / unit;
  Rational rounded(up ? CeilOf(steps) : FloorOf(steps));
  int exponent = 0;
  for (; unit > 1; unit /= 10) ++exponent;
  for (; unit < 1; unit *= 10) --exponent;
  // 123456e-10 reads as 1.23456e-5.
  while (rounded >= 10) {
    rounded /= 10;
    ++exponent;
  }
  if (exponent < -6 || exponent > 6) return ToString(rounded) + "e" + std::to_string(exponent);
  for (; exponent > 0; --exponent) rounded *= 10;
  for (; exponent < 0; ++exponent) rounded /= 10;
  return ToString(rounded);
}

std::string Describe(Accounting accounting, const Cost& cost, bool up) {
  std::string text = accounting == Accounting::kPure ? "epsilon " + Short(cost.epsilon, up)
                                                     : "rho " + Short(cost.rho, up);
  if (cost.delta != 0) text += ", delta " + Short(cost.delta, up);
  return text;
}

// Is there room? Who pays nothing is not asked.
bool HasRoom(const Balance& before, const Cost& cost, Accounting accounting) {
  return cost.IsZero() || !before.left || Fits(accounting, cost, *before.left);
}

Result<Done> CheckOwnRoom(const Balance& before, const Cost& cost, Accounting accounting,
                          const std::string& whose) {
  if (HasRoom(before, cost, accounting)) return Done{};
  return Refusal(ErrorCode::kBudgetExhausted,
                 whose + " does not cover this query: it costs " +
                     Describe(accounting, cost, true) + ", and " +
                     Describe(accounting, *before.left, false) + " is left",
                 "ask at a lower price, or ask again what was answered before: that is free");
}

// The asker's own account first: an analyst who cannot pay learns nothing of the dataset's.
Result<Done> CheckRoom(const ChargeRequest& request, const Books& books, const ChargeAct& charge,
                       const Balance& own, bool is_quote) {
  const Accounting accounting = request.limits.accounting;
  if (request.analyst.empty()) {
    return CheckOwnRoom(own, charge.dataset_cost, accounting, "the dataset's budget");
  }
  TACIT_CHECK(CheckOwnRoom(own, charge.analyst_cost, accounting,
                           "the budget of analyst '" + request.analyst + "'"));
  if (is_quote) return Done{};
  // Room for all that the analyst pays now, though stored answers cost the dataset nothing: whether
  // there are some must not show.
  TACIT_TRY(const Balance dataset, BalanceIn(books, "", request.limits));
  if (HasRoom(dataset, charge.analyst_cost, accounting)) return Done{};
  return Refusal(ErrorCode::kBudgetExhausted, "the dataset's budget does not cover this query",
                 "ask at a lower price, or ask again what you were answered before: that is free");
}

// A request id that was charged before gets the answers of that charge, whatever has changed since.
Result<Decision> RepeatRequest(Database& database, const ChargeRequest& request, const Books& books,
                               int64_t sequence) {
  TACIT_TRY(const ChainedRecord first, LoadRecord(database, sequence));
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
  decision.receipt.name = database.key().ReceiptName(request.analyst, sequence, first.hash);
  for (const PaidRelease& release : charge->releases) {
    TACIT_TRY(const ChainedRecord origin, LoadRecord(database, release.id.sequence));
    TACIT_TRY(std::optional<std::string> bytes, LoadRelease(database, release.id, origin.hash));
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
Result<Done> GrantReleases(Database& database, const ChargeRequest& request, int64_t sequence,
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
      TACIT_TRY(stored, FindStoredAnswer(database, request, wish, made_from));
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
                               .made_from = std::move(made_from)});
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
    record.sequence = decision.books.sequence + 1;
    record.time = occasion.time;
    TACIT_CHECK(Post(record, decision.books));
    record.state = HashOf(decision.books);
  }
  decision.records = std::move(records);
  TACIT_CHECK(FillBalance(decision.books, request, decision.receipt));
  return decision;
}

}  // namespace

Result<std::optional<Declarations>> NewDeclarations(const Declarations& asked,
                                                    const std::vector<std::string>& public_tables,
                                                    const Declarations& fixed) {
  static constexpr char kHint[] =
      "unit, neighbours, protects and accounting cannot change after the first charge: put the "
      "policy back as it was";
  if (!fixed.terms.empty() && asked.terms != fixed.terms) {
    return Refusal(
        ErrorCode::kRefused,
        "the policy says '" + asked.terms + "', but charges were made under '" + fixed.terms + "'",
        kHint);
  }
  for (const std::string& table : public_tables) {
    const auto known = fixed.units.find(table);
    if (known == fixed.units.end()) continue;
    return Refusal(ErrorCode::kRefused,
                   "the policy makes table '" + table +
                       "' public, but charges were made while it was protected, with the unit '" +
                       known->second + "'",
                   kHint);
  }
  Declarations added{.terms = asked.terms, .units = {}};
  for (const auto& [table, unit] : asked.units) {
    const auto known = fixed.units.find(table);
    if (known == fixed.units.end()) {
      added.units[table] = unit;
    } else if (known->second != unit) {
      return Refusal(ErrorCode::kRefused,
                     "the policy gives table '" + table + "' the unit '" + unit +
                         "', but charges were made under the unit '" + known->second + "'",
                     kHint);
    }
  }
  if (fixed.terms == asked.terms && added.units.empty()) return std::optional<Declarations>();
  return std::optional(std::move(added));
}

Result<Decision> Decide(Database& database, const Books& books, const ChargeRequest& request,
                        const Occasion& occasion) {
  if (!request.request_id.empty()) {
    TACIT_TRY(const std::optional<int64_t> charged,
              FindRequest(database, request.analyst, request.request_id));
    if (charged) return RepeatRequest(database, request, books, *charged);
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
  TACIT_CHECK(GrantReleases(database, request, sequence, charge, receipt));
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
    TACIT_TRY(const ChainedRecord paid, LoadRecord(database, decision.receipt.sequence));
    decision.receipt.hash = paid.hash;
    decision.receipt.name =
        database.key().ReceiptName(request.analyst, decision.receipt.sequence, paid.hash);
  }
  TACIT_CHECK(FillBalance(books, request, decision.receipt));
  return decision;
}

}  // namespace tacit::ledger
