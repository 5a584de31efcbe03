#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/exact_groups.h"
#include "plan/private_plan.h"

namespace tacit::engine::server {

// What each measure's mechanism reads, and whether people stand before the measures.
std::vector<noise::Form> FormsOf(const plan::Release& release);
bool HasUnits(const plan::Release& release);

// A list of counts, or of cells with their rows behind each: "3,0,12". Nothing for another text.
std::optional<ExactNumber> ReadListed(std::string_view text, noise::Form form);

}  // namespace tacit::engine::server
