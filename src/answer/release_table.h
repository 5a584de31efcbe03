#pragma once

#include "base/secrets/entropy.h"
#include "engine/exact_tables.h"
#include "plan/private_plan.h"

namespace tacit::answer {

// The mechanism of a whole table: the noise of its measures and the choice of the groups that are
// shown, as the plan's release says; release_table.md has the claim. It gives the table as
// table_bytes.h writes it: keys, then measures. Of a million groups none is held in two forms.
class TableNoise {
 public:
  // `columns` are the table's, in this order. Both outlive it.
  TableNoise(const plan::Release& release, const std::vector<engine::ResultColumn>& columns)
      : release_(release), columns_(columns) {}

  // `groups` must be what the engine returned for this very release.
  std::string Apply(engine::ExactGroups groups, Entropy& entropy) const;

 private:
  bool IsShown(uint64_t units, const std::vector<Int128>& noisy, Entropy& entropy) const;

  const plan::Release& release_;
  const std::vector<engine::ResultColumn>& columns_;
};

}  // namespace tacit::answer
