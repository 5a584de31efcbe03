#pragma once

#include <optional>

#include "attack/progress.h"
#include "attack/report.h"
#include "owner/read_rows.h"
#include "policy/policy.h"

namespace tacit::attack {

struct MembershipSettings {
  uint64_t seed = 1;
  int worlds = 5;               // of every point
  uint32_t attributes = 20000;  // the most published means
};

// The owner's rows and what of them is visible.
struct OwnersRows {
  const owner::ExactRows& rows;
  const policy::Table& table;
  std::string source;
};

// Was she in the group whose means were published? The inner product of her values with what the
// means differ from the population's tells, the better the more means there are.
Result<Report> AttackMembership(const std::optional<OwnersRows>& owners,
                                const MembershipSettings& settings, const Progress& progress);

}  // namespace tacit::attack
