#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/table_bytes.h"
#include "plan/derive/choose.h"

namespace tacit::gateway {

// The table that a release would give, made of stored ones: their rows chosen by their keys and
// added up, as the derivation says. `tables` are those that it names, by its numbers. A function of
// released tables alone. Nothing where a key that is named is none of the stored ones, or where the
// stored rows are not the ones that the derivation counts on.
// proof: plan/derive/derive.md#claim
std::optional<std::string> MakeTable(
    const plan::Release& release, const plan::Derivation& derivation,
    const std::vector<std::shared_ptr<const answer::TableInBytes>>& tables);

}  // namespace tacit::gateway
