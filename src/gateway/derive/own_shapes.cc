#include "gateway/derive/own_shapes.h"

namespace tacit::gateway {

std::shared_ptr<OwnShapes::Own> OwnShapes::OwnOf(const std::string& analyst) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Own>& own = of_[analyst];
  if (own == nullptr) own = std::make_shared<Own>();
  return own;
}

Result<Done> OwnShapes::Of(const std::string& analyst, int64_t data_version, ledger::Ledger& ledger,
                           const Look& look) {
  const std::shared_ptr<Own> own = OwnOf(analyst);
  const std::lock_guard lock(own->mutex);
  if (own->data_version != data_version) own->charges.clear();
  own->data_version = data_version;
  const int64_t seen = own->charges.empty() ? 0 : own->charges.back().sequence;
  TACIT_TRY(const std::vector<ledger::OwnCharge> since,
            ledger.OwnCharges(analyst, data_version, seen));
  for (const ledger::OwnCharge& charge : since) {
    Charge kept{.sequence = charge.sequence, .tables = {}};
    for (const ledger::OwnRelease& release : charge.releases) {
      if (std::optional<plan::Shape> shape = plan::ReadShape(release.shape)) {
        kept.tables.push_back({release.id, std::move(*shape)});
      }
    }
    own->charges.push_back(std::move(kept));
  }
  while (static_cast<int64_t>(own->charges.size()) > ledger::kOwnRecordsMax) {
    own->charges.pop_front();
  }
  std::vector<const Known*> known;
  for (const Charge& charge : own->charges) {
    for (const Known& table : charge.tables) known.push_back(&table);
  }
  look(known);
  return Done{};
}

}  // namespace tacit::gateway
