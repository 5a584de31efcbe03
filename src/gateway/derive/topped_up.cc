#include "gateway/derive/topped_up.h"

#include <algorithm>
#include <set>

#include "gateway/derive/derived.h"
#include "gateway/workload/bought.h"
#include "plan/price/price.h"

namespace tacit::gateway {
namespace {

using answer::TableInBytes;
using engine::Value;
using Keys = std::vector<Value>;
using Role = ToppedUp::Role;

// Why 100,000: more groups than anybody looks at, weighed in a tenth of a second.
constexpr size_t kRowsToppedUpMax = 100'000;

// Above every scale that is written down: any stored answer is as fine.
const Rational& AnyScale() {
  static const Rational kScale("1000000000000000000000000000000000000000000000000000000000000");
  return kScale;
}

Keys KeysOfRow(const Keys& row, size_t keys) {
  return {row.begin(), row.begin() + static_cast<ptrdiff_t>(keys)};
}

std::optional<Int128> WholeIn(const Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return Int128{*whole};
  const auto* number = std::get_if<engine::Numeric>(&value);
  if (number == nullptr || number->scale != 0) return std::nullopt;
  return number->unscaled;
}

Error OtherGroups() {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message =
                   "the stored answer has other groups than the new one; its charge "
                   "stands",
               .hint = "the list of its groups is kept in a public table, which has just changed",
               .position = std::nullopt,
               .private_detail = ""};
}

// What the asker has paid for and a release is told by.
struct OwnTable {
  std::string bytes;
  std::vector<Rational> scales;
  std::string name;  // which table it is
};

std::string NameOf(const ledger::ReleaseId& id) {
  return std::to_string(id.sequence) + "." + std::to_string(id.ordinal);
}

// The asker's own finest answers to these very releases, whatever their scales. The wishes cost
// what no stored answer costs, so that none is found that the asker would have to pay for.
std::map<size_t, OwnTable> OwnAnswers(const plan::PrivatePlan& plan,
                                      const ledger::ChargeRequest& price, ledger::Ledger& ledger) {
  ledger::ChargeRequest search = price;
  search.releases.clear();
  search.coarsest = false;
  std::vector<size_t> looked_for;
  for (size_t i = 0; i < plan.releases.size(); ++i) {
    const plan::Release& release = plan.releases[i];
    if (!plan::CanBeToppedUp(release)) continue;
    looked_for.push_back(i);
    search.releases.push_back(
        {.fingerprint = release.fingerprint,
         .scales = std::vector<Rational>(release.scales.size(), AnyScale()),
         .cost = workload::TokenOf(release.fingerprint, price.limits.accounting),
         .made_from = {}});
  }
  std::map<size_t, OwnTable> found;
  if (looked_for.empty()) return found;
  // What is wrong with the ledger, or the account, the question's own charge will say.
  Result<ledger::Receipt> quote = ledger.Quote(search);
  if (!quote.ok()) return found;
  ledger::Receipt receipt = std::move(quote).value();
  for (size_t k = 0; k < looked_for.size(); ++k) {
    ledger::GrantedRelease& granted = receipt.releases[k];
    if (!granted.bytes) continue;
    found.emplace(looked_for[k], OwnTable{std::move(*granted.bytes), std::move(granted.scales),
                                          NameOf(granted.id)});
  }
  return found;
}

// The release made of the asker's answers to other questions, however coarse.
Result<std::optional<OwnTable>> MadeOfOwn(const plan::Release& release,
                                          const ledger::ChargeRequest& price,
                                          const Services& services) {
  using Found = std::optional<OwnTable>;
  plan::PrivatePlan alone;
  alone.releases.push_back(release);
  OwnShapes read_now;
  OwnShapes& shapes = services.own_shapes != nullptr ? *services.own_shapes : read_now;
  TACIT_TRY(std::optional<Derived> derived,
            DeriveFromOwn(alone, price, shapes, services.ledger, plan::Fineness::kAny));
  if (!derived) return Found();
  OwnTable paid{
      .bytes = std::move(*derived->receipt.releases.at(0).bytes), .scales = {}, .name = ""};
  // Of which stored numbers, and not of what they are: the ledger says the same for neighbours.
  paid.name = "made";
  for (const plan::MeasureSource& source : derived->made_of.at(0)) {
    paid.scales.push_back(source.scale);
    paid.name +=
        " " + NameOf(derived->sources.at(source.table)) + "." + std::to_string(source.measure);
  }
  return Found(std::move(paid));
}

bool IsFineEnough(const OwnTable& stored, const plan::Release& asked) {
  return std::equal(stored.scales.begin(), stored.scales.end(), asked.scales.begin(),
                    asked.scales.end(),
                    [](const Rational& a, const Rational& b) { return a <= b; });
}

// All groups of a list, as they are now.
Result<std::set<Keys>> GroupsOf(const plan::Release& asked, engine::Engine& engine) {
  TACIT_TRY(const engine::ResultTable listed,
            engine.Read(plan::PublicTable{
                .name = "tacit_keys",
                .rows = plan::tree::AllKeys{asked.exact->names, asked.exact->all_of}}));
  std::set<Keys> groups;
  for (const Keys& row : listed.rows) groups.insert(row);
  return groups;
}

// Whether a stored table has the very groups that would be drawn now, with a number in every place:
// a list that is kept in a public table may have grown since.
Result<bool> HasTheGroups(const TableInBytes& stored, const plan::Release& asked,
                          engine::Engine& engine) {
  const size_t keys = asked.keys.size();
  if (stored.size() > kRowsToppedUpMax) return false;
  if (stored.columns().size() != keys + asked.measures.size()) return false;
  std::set<Keys> groups;
  if (keys == 0) {
    groups.insert(Keys());
  } else if (asked.exact->all_of) {
    TACIT_TRY(groups, GroupsOf(asked, engine));
  }
  if (groups.size() != stored.size()) return false;
  Keys row;
  for (const auto cursor = stored.Open(); cursor->Next(row);) {
    if (groups.erase(KeysOfRow(row, keys)) != 1) return false;
    for (size_t i = keys; i < row.size(); ++i) {
      if (!WholeIn(row[i])) return false;
    }
  }
  return groups.empty();
}

Result<std::optional<ToppedUp::Part>> PartOf(const plan::Release& asked, OwnTable stored,
                                             const policy::Privacy& privacy,
                                             engine::Engine& engine) {
  using Found = std::optional<ToppedUp::Part>;
  // No question costs less than the policy's least.
  const Rho least(Rational(RhoOfPure(plan::LeastPrice(privacy)).value /
                           static_cast<unsigned long>(asked.measures.size())));
  std::optional<plan::TopUp> top_up = plan::TopUpOf(asked, stored.scales, stored.name, least);
  if (!top_up) return Found();
  TACIT_TRY(auto paid, TableInBytes::Open(std::move(stored.bytes)));
  TACIT_TRY(const bool same_groups, HasTheGroups(*paid, asked, engine));
  if (!same_groups) return Found();
  return Found(ToppedUp::Part{.top_up = std::move(*top_up), .paid = std::move(paid)});
}

// Drawn at its price, and then, for a token, what both make together.
void AddTo(ToppedUp& topped_up, size_t index, const plan::Release& asked,
           const ledger::ReleaseWish& wish) {
  const plan::Release& draw = topped_up.parts.at(index).top_up.draw;
  topped_up.price.releases.push_back({.fingerprint = draw.fingerprint,
                                      .scales = draw.scales,
                                      .cost = {.epsilon = 0, .delta = 0, .rho = draw.cost.rho},
                                      .made_from = {}});
  topped_up.places.push_back({Role::kDrawn, index});
  topped_up.price.releases.push_back(
      {.fingerprint = asked.fingerprint,
       .scales = topped_up.parts.at(index).top_up.scales,
       .cost = workload::TokenOf(draw.fingerprint, topped_up.price.limits.accounting),
       .made_from = {},
       .shape = wish.shape});
  topped_up.places.push_back({Role::kTogether, index});
}

}  // namespace

Result<std::optional<ToppedUp>> TopUpFromOwn(const plan::PrivatePlan& plan,
                                             const ledger::ChargeRequest& price,
                                             Services& services) {
  using Found = std::optional<ToppedUp>;
  if (services.policy.privacy.accounting != policy::Accounting::kZcdp) return Found();
  services.engine.WorkFor(price.analyst);
  ToppedUp topped_up{.parts = {}, .price = price, .places = {}};
  std::map<size_t, OwnTable> own = OwnAnswers(plan, price, services.ledger);
  for (size_t i = 0; i < plan.releases.size(); ++i) {
    const plan::Release& asked = plan.releases[i];
    if (!plan::CanBeToppedUp(asked)) continue;
    const auto stored = own.find(i);
    const bool is_stored = stored != own.end();
    if (is_stored && IsFineEnough(stored->second, asked)) continue;
    TACIT_TRY(std::optional<OwnTable> paid, MadeOfOwn(asked, price, services));
    if (is_stored && (!paid || stored->second.scales <= paid->scales)) {
      paid = std::move(stored->second);
    }
    if (!paid) continue;
    TACIT_TRY(std::optional<ToppedUp::Part> part,
              PartOf(asked, std::move(*paid), services.policy.privacy, services.engine));
    if (part) topped_up.parts.emplace(i, std::move(*part));
  }
  if (topped_up.parts.empty()) return Found();
  topped_up.price.releases.clear();
  std::vector<size_t> place_of;
  for (size_t i = 0; i < plan.releases.size(); ++i) {
    if (topped_up.parts.count(i) != 0) {
      AddTo(topped_up, i, plan.releases[i], price.releases[i]);
    } else {
      ledger::ReleaseWish wish = price.releases[i];
      for (size_t& source : wish.made_from) source = place_of[source];
      topped_up.price.releases.push_back(std::move(wish));
      topped_up.places.push_back({Role::kAsPlanned, i});
    }
    place_of.push_back(topped_up.places.size() - 1);
  }
  return Found(std::move(topped_up));
}

// proof: plan/derive/top_up.md#claim
Result<std::string> TogetherTable(const ToppedUp::Part& part, const std::string& drawn,
                                  Entropy& entropy) {
  const plan::Release& release = part.top_up.draw;
  const size_t keys = release.keys.size();
  TACIT_TRY(const auto drawn_table, TableInBytes::Open(drawn));
  std::map<Keys, Keys> stored;
  Keys row;
  for (const auto cursor = part.paid->Open(); cursor->Next(row);) {
    stored.emplace(KeysOfRow(row, keys), row);
  }
  if (stored.size() != drawn_table->size()) return OtherGroups();
  answer::TableWriter table(drawn_table->columns());
  for (const auto cursor = drawn_table->Open(); cursor->Next(row);) {
    const auto before = stored.find(KeysOfRow(row, keys));
    if (before == stored.end()) return OtherGroups();
    for (size_t i = 0; i < release.measures.size(); ++i) {
      const std::optional<Int128> old = WholeIn(before->second[keys + i]);
      const std::optional<Int128> anew = WholeIn(row[keys + i]);
      if (!old || !anew) return OtherGroups();
      row[keys + i] = engine::Numeric{
          .unscaled = plan::Together(*old, *anew, part.top_up.weights[i], entropy), .scale = 0};
    }
    table.Add(row);
  }
  return table.Take();
}

Result<Done> ToppedUpStages::Replay(size_t index, std::string bytes) {
  const ToppedUp::Place& place = At(index);
  if (place.role != Role::kDrawn) return stages_.Replay(place.release, std::move(bytes));
  drawn_[place.release] = std::move(bytes);
  return Done{};
}

Result<const std::string*> ToppedUpStages::Made(size_t index) {
  const ToppedUp::Place& place = At(index);
  if (place.role != Role::kTogether) return nullptr;
  TACIT_TRY(std::string together, TogetherTable(topped_up_.parts.at(place.release),
                                                drawn_.at(place.release), services_.entropy));
  return stages_.Take(place.release, std::move(together));
}

answer::TableNoise ToppedUpStages::MechanismOf(size_t index) const {
  const ToppedUp::Place& place = At(index);
  if (place.role != Role::kDrawn) return stages_.MechanismOf(place.release);
  return answer::TableNoise(topped_up_.parts.at(place.release).top_up.draw,
                            stages_.ColumnsOf(place.release));
}

Result<const std::string*> ToppedUpStages::Take(size_t index, std::string released) {
  const ToppedUp::Place& place = At(index);
  if (place.role != Role::kDrawn) return stages_.Take(place.release, std::move(released));
  std::string& kept = drawn_[place.release];
  kept = std::move(released);
  return &kept;
}

Result<answer::Answer> ToppedUpStages::Finish(const ledger::Receipt& receipt) {
  ledger::Receipt of_plan = receipt;
  of_plan.releases.clear();
  for (size_t i = 0; i < receipt.releases.size(); ++i) {
    if (At(i).role != Role::kDrawn) of_plan.releases.push_back(receipt.releases[i]);
  }
  TACIT_TRY(answer::Answer answer, stages_.Finish(of_plan));
  answer.notices.push_back(kToppedUpNotice);
  return answer;
}

}  // namespace tacit::gateway
