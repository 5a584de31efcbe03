#include "gateway/derive/own_shapes.h"

namespace tacit::gateway {

std::shared_ptr<OwnShapes::Own> OwnShapes::OwnOf(const std::string& analyst) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Own>& own = of_[analyst];
  if (own == nullptr) own = std::make_shared<Own>();
  return own;
}

void OwnShapes::Forget(Own& own) {
  own.charges.clear();
  own.bytes = 0;
}

void OwnShapes::ForgetTheOldest(Own& own) {
  while (static_cast<int64_t>(own.charges.size()) > ledger::kOwnRecordsMax ||
         own.bytes > ledger::kOwnShapeBytesMax) {
    std::deque<Known>& tables = own.charges.front().tables;
    const bool many = static_cast<int64_t>(own.charges.size()) > ledger::kOwnRecordsMax;
    while (!tables.empty() && (many || own.bytes > ledger::kOwnShapeBytesMax)) {
      own.bytes -= tables.front().bytes;
      tables.pop_front();
    }
    // The newest stays, without tables: it says from where to read on.
    if (tables.empty() && own.charges.size() > 1) own.charges.pop_front();
  }
}

Result<Done> OwnShapes::Of(const std::string& analyst, int64_t data_version, ledger::Ledger& ledger,
                           const Look& look) {
  const std::shared_ptr<Own> own = OwnOf(analyst);
  const std::lock_guard lock(own->mutex);
  if (own->data_version != data_version) Forget(*own);
  own->data_version = data_version;
  const int64_t seen = own->charges.empty() ? 0 : own->charges.back().sequence;
  TACIT_TRY(const ledger::OwnCharges since, ledger.OwnChargesAfter(analyst, data_version, seen));
  if (!since.whole) Forget(*own);
  for (const ledger::OwnCharge& charge : since.charges) {
    Charge kept{.sequence = charge.sequence, .tables = {}};
    for (const ledger::OwnRelease& release : charge.releases) {
      std::optional<plan::Shape> shape = plan::ReadShape(release.shape);
      if (!shape) continue;
      own->bytes += release.shape.size();
      kept.tables.push_back({release.id, std::move(*shape), release.shape.size()});
    }
    own->charges.push_back(std::move(kept));
  }
  ForgetTheOldest(*own);
  std::vector<const Known*> known;
  for (const Charge& charge : own->charges) {
    for (const Known& table : charge.tables) known.push_back(&table);
  }
  look(known);
  return Done{};
}

}  // namespace tacit::gateway
