#include "gateway/derive/derived.h"

#include <algorithm>

#include "gateway/derive/make_table.h"

namespace tacit::gateway {
namespace {

using Tables = std::vector<std::shared_ptr<const answer::TableInBytes>>;

// Where in `sources` the table of that number is.
size_t PlaceOf(size_t table, const std::vector<size_t>& used) {
  return static_cast<size_t>(std::find(used.begin(), used.end(), table) - used.begin());
}

}  // namespace

Result<std::optional<Derived>> DeriveFromOwn(const plan::PrivatePlan& plan,
                                             const ledger::ChargeRequest& price,
                                             ledger::Ledger& ledger) {
  using Found = std::optional<Derived>;
  const bool can_be = !plan.releases.empty() &&
                      std::all_of(plan.releases.begin(), plan.releases.end(),
                                  [](const plan::Release& each) { return each.shape.has_value(); });
  if (!can_be) return Found();
  TACIT_TRY(const std::vector<ledger::OwnRelease> own,
            ledger.OwnReleases(price.analyst, price.data_version));
  std::vector<plan::Shape> shapes;
  std::vector<ledger::ReleaseId> ids;
  for (const ledger::OwnRelease& release : own) {
    std::optional<plan::Shape> shape = plan::ReadShape(release.shape);
    if (!shape) continue;
    shapes.push_back(std::move(*shape));
    ids.push_back(release.id);
  }
  Derived derived;
  std::vector<size_t> used;
  for (const plan::Release& release : plan.releases) {
    std::optional<plan::Derivation> derivation = plan::Derive(release, shapes);
    if (!derivation) return Found();
    for (plan::MeasureSource& source : *derivation) {
      if (std::find(used.begin(), used.end(), source.table) == used.end()) {
        used.push_back(source.table);
      }
      source.table = PlaceOf(source.table, used);
    }
    derived.made_of.push_back(std::move(*derivation));
  }
  for (const size_t table : used) derived.sources.push_back(ids[table]);
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
