#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"

namespace tacit::plan {

// Which rows are in no group because their key is on no list, one sentence for each public key, and
// how to count them; and which count nowhere because the policy requires a value of them. From the
// query and the policy alone: whether there are such rows is private.
std::vector<std::string> LeftOutNotices(const analysis::Block& block);

}  // namespace tacit::plan
