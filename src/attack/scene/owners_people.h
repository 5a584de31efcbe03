#pragma once

#include <string>

#include "attack/server/people.h"
#include "policy/policy.h"

namespace tacit::attack {

// Why a million: more people tell an attack nothing new, and the truth is kept in memory.
inline constexpr int64_t kOwnersRowsMax = 1'000'000;

// The owner's people, as an attacker can name them: by the unit's column where the policy leaves it
// visible, else by the visible columns that single them out (those who are not singled out are
// `others`). `table` empty: the first table with one row a person. `secret` is COLUMN=VALUE; empty:
// the most frequent value of the first column that could be one. kInvalidArgument says what is
// missing.
Result<People> OwnersPeople(const policy::Policy& policy, const std::string& table,
                            const std::string& secret);

}  // namespace tacit::attack
