#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"

namespace tacit::plan {

// Which caps hold for the block's numbers, one sentence each, for EXPLAIN.
std::vector<std::string> CapSentences(const analysis::Block& block);

// That margins hold for the capped table, where people may have more rows than are counted, or
// groups; else empty. From the query and the policy alone: whether anybody has is private.
std::string CapNotice(const analysis::Block& block);

}  // namespace tacit::plan
