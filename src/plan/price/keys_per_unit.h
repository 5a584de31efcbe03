#pragma once

#include <optional>

#include "analysis/facts.h"

namespace tacit::plan {

// How many groups the rows of one unit can fall into, before any cap: by the rows that it has, and
// by the public lists that its keys are from. sensitivity.md has the claim.
Integer KeysPerUnit(const analysis::Block& block);

// How many groups there can be at most, whoever is in them, where every key is public and its list
// has a known length; nothing elsewhere.
std::optional<Integer> LengthOfList(const analysis::Block& block);

}  // namespace tacit::plan
