#include "gateway/derive/derived.h"

#include <algorithm>

#include "gateway/derive/make_table.h"

namespace tacit::gateway {
namespace {

using Tables = std::vector<std::shared_ptr<const answer::TableInBytes>>;

// What each release is made of, and from which stored tables; false where one cannot be made.
bool ChooseSources(const plan::PrivatePlan& plan, plan::Fineness fineness,
                   const std::vector<const OwnShapes::Known*>& known, Derived& derived) {
  std::vector<const plan::Shape*> shapes;
  for (const OwnShapes::Known* each : known) shapes.push_back(&each->shape);
  std::vector<size_t> used;
  for (const plan::Release& release : plan.releases) {
    std::optional<plan::Derivation> derivation = plan::Derive(release, shapes, fineness);
    if (!derivation) return false;
    for (plan::MeasureSource& source : *derivation) {
      const auto place = std::find(used.begin(), used.end(), source.table);
      const auto at = static_cast<size_t>(place - used.begin());
      if (place == used.end()) {
        used.push_back(source.table);
        derived.sources.push_back(known[source.table]->id);
      }
      source.table = at;
    }
    derived.made_of.push_back(std::move(*derivation));
  }
  return true;
}

}  // namespace

Result<std::optional<Derived>> DeriveFromOwn(const plan::PrivatePlan& plan,
                                             const ledger::ChargeRequest& price, OwnShapes& shapes,
                                             ledger::Ledger& ledger, plan::Fineness fineness) {
  using Found = std::optional<Derived>;
  const bool can_be = !plan.releases.empty() &&
                      std::all_of(plan.releases.begin(), plan.releases.end(),
                                  [](const plan::Release& each) { return each.shape.has_value(); });
  if (!can_be) return Found();
  Derived derived;
  bool can_be_made = true;
  TACIT_CHECK(shapes.Of(price.analyst, price.data_version, ledger,
                        [&](const std::vector<const OwnShapes::Known*>& known) {
                          can_be_made = ChooseSources(plan, fineness, known, derived);
                        }));
  if (!can_be_made) return Found();
  TACIT_TRY(std::optional<ledger::Receipt> receipt, ledger.Recall(price, derived.sources));
  if (!receipt) return Found();
  Tables tables;
  for (ledger::GrantedRelease& release : receipt->releases) {
    TACIT_TRY(auto table, answer::TableInBytes::Open(std::move(*release.bytes)));
    tables.push_back(std::move(table));
  }
  receipt->releases.clear();
  for (size_t i = 0; i < plan.releases.size(); ++i) {
    std::optional<std::string> made = MakeTable(plan.releases[i], derived.made_of[i], tables);
    if (!made) return Found();
    receipt->releases.push_back(
        {.id = derived.sources[derived.made_of[i].front().table], .scales = {}, .bytes = made});
  }
  derived.receipt = std::move(*receipt);
  return Found(std::move(derived));
}

}  // namespace tacit::gateway
