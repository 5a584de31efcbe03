#include "ledger/chain/books.h"

#include "base/secrets/digest.h"
#include "ledger/record/record_json.h"

namespace tacit::ledger {
namespace {

Error BrokenRule(std::string what) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(what),
               .hint = "",
               .position = std::nullopt,
               .private_detail = ""};
}

Result<Done> CheckFits(const ChargeAct& act, const BookEntry& entry, const Cost& cost,
                       const std::string& whose) {
  // Who pays nothing is not asked for room: a lowered budget does not forbid free answers.
  if (cost.IsZero() || !entry.budget || !entry.capacity) return Done{};
  if (!Fits(act.accounting, entry.spent, *entry.capacity)) {
    return BrokenRule("the budget of " + whose + " is overspent");
  }
  // The recorded capacity is what binds; it must be the budget's, but for the last digits of a
  // conversion that another machine rounded down.
  TACIT_TRY(Cost computed, CapacityOf(act.accounting, *entry.budget));
  computed.rho += computed.rho / 1000000000;
  if (!Fits(act.accounting, *entry.capacity, computed)) {
    return BrokenRule("the budget of " + whose + " does not come to the recorded capacity");
  }
  return Done{};
}

struct Poster {
  const Record& record;
  Books& books;

  Result<Done> operator()(const CreateAct& act) const {
    if (record.sequence != kFirstSequence) return BrokenRule("a second creation");
    books.entries[""];
    if (act.deployment.empty()) return Done{};
    return Bind(act.deployment);
  }

  Result<Done> operator()(const BindAct& act) const { return Bind(act.deployment); }

  Result<Done> Bind(const std::string& deployment) const {
    if (deployment.empty()) return BrokenRule("it is bound to nobody");
    if (!books.deployment.empty()) return BrokenRule("it belongs to a deployment already");
    books.deployment = deployment;
    books.bound_at = record.sequence;
    return Done{};
  }

  Result<Done> operator()(const DeclareAct& act) const {
    Declarations& known = books.declarations;
    if (!known.terms.empty() && known.terms != act.declarations.terms) {
      return BrokenRule("the terms changed after the first charge");
    }
    known.terms = act.declarations.terms;
    for (const auto& [table, unit] : act.declarations.units) {
      if (!known.units.emplace(table, unit).second) {
        return BrokenRule("the unit of table '" + table + "' is declared a second time");
      }
    }
    return Done{};
  }

  Result<Done> operator()(const BudgetAct& act) const {
    BookEntry& entry = books.entries[act.analyst];
    if (entry.budget != act.before) return BrokenRule("the budget before the change is another");
    if (act.after.has_value() != act.capacity.has_value()) {
      return BrokenRule("a budget without its capacity");
    }
    entry.budget = act.after;
    entry.capacity = act.capacity;
    return Done{};
  }

  Result<Done> operator()(const ChargeAct& act) const {
    Cost dataset_cost;
    Cost analyst_cost;
    for (const PaidRelease& release : act.releases) {
      if (release.id.sequence == record.sequence) dataset_cost = AddUp(dataset_cost, release.cost);
      if (release.analyst_pays) analyst_cost = AddUp(analyst_cost, release.cost);
    }
    if (dataset_cost != act.dataset_cost || analyst_cost != act.analyst_cost) {
      return BrokenRule("the cost is not the sum of the releases' costs");
    }
    if (act.analyst.empty() && !analyst_cost.IsZero()) return BrokenRule("the owner paid twice");
    BookEntry& dataset = books.entries[""];
    dataset.spent = AddUp(dataset.spent, dataset_cost);
    ++dataset.charges;
    TACIT_CHECK(CheckFits(act, dataset, dataset_cost, "the dataset"));
    if (act.analyst.empty()) return Done{};
    BookEntry& analyst = books.entries[act.analyst];
    analyst.spent = AddUp(analyst.spent, analyst_cost);
    ++analyst.charges;
    return CheckFits(act, analyst, analyst_cost, "analyst '" + act.analyst + "'");
  }

  Result<Done> operator()(const RestoreAct&) const { return Done{}; }
  Result<Done> operator()(const DataAct&) const { return Done{}; }
  Result<Done> operator()(const ImportAct&) const {
    books.imported_at = record.sequence;
    return Done{};
  }

  Result<Done> operator()(const RekeyAct& act) const {
    if (books.deployment.empty() || act.deployment.empty() || act.deployment == books.deployment) {
      return BrokenRule("there is no other key to replace");
    }
    books.deployment = act.deployment;
    books.rekeyed_at = record.sequence;
    return Done{};
  }
};

}  // namespace

std::string HashOf(const Books& books) {
  JsonText json;
  json.Open('{').Key("seq").Number(books.sequence);
  Write(books.declarations, json.Key("declarations"));
  if (!books.deployment.empty()) {
    json.Key("deployment").Text(books.deployment).Key("bound_at").Number(books.bound_at);
  }
  if (books.rekeyed_at != 0) json.Key("rekeyed_at").Number(books.rekeyed_at);
  if (books.imported_at != 0) json.Key("imported_at").Number(books.imported_at);
  json.Key("entries").Open('[');
  for (const auto& [analyst, entry] : books.entries) {
    json.Open('{').Key("analyst").Text(analyst);
    WriteMembers(entry, json);
    json.Close('}');
  }
  return Sha256Hex(json.Close(']').Close('}').text());
}

Result<Done> Post(const Record& record, Books& books) {
  if (record.sequence != books.sequence + 1) {
    return BrokenRule("record " + std::to_string(books.sequence + 1) + " is missing");
  }
  if (record.sequence == kFirstSequence && !std::holds_alternative<CreateAct>(record.act)) {
    return BrokenRule("the ledger does not begin with its creation");
  }
  books.sequence = record.sequence;
  return std::visit(Poster{record, books}, record.act);
}

Result<Done> PostNext(Record& record, Books& books) {
  record.sequence = books.sequence + 1;
  TACIT_CHECK(Post(record, books));
  record.state = HashOf(books);
  return Done{};
}

Rational BoundedUp(const Rational& value) {
  if (mpz_sizeinbase(value.get_den_mpz_t(), 2) <= kDenominatorBitsMax) return value;
  static const Integer kGrid("1" + std::string(60, '0'), 10);
  Rational rounded(CeilOf(value * kGrid), kGrid);
  rounded.canonicalize();
  return rounded;
}

Rational AddUp(const Rational& a, const Rational& b) { return BoundedUp(a + b); }

Cost AddUp(const Cost& a, const Cost& b) {
  return {.epsilon = AddUp(a.epsilon, b.epsilon),
          .delta = AddUp(a.delta, b.delta),
          .rho = AddUp(a.rho, b.rho)};
}

}  // namespace tacit::ledger
