#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"

namespace tacit::plan {

// SHA-256 in hex of what each block asks: the same for every way of writing it, whatever is done
// with the answer and whatever it costs. The caps that were chosen for it are part of it: under
// another cap other rows count, and a stored answer is another's. A block made from released
// constants names the fingerprints of the blocks they come from.
std::vector<std::string> FingerprintsOf(const analysis::Facts& facts);

// The same for the whole query.
std::string FingerprintOf(const analysis::Facts& facts, const std::vector<std::string>& blocks);

}  // namespace tacit::plan
