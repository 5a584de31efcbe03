#pragma once

#include <vector>

#include "analysis/known.h"
#include "base/result.h"

// Which keys are public. keys.md has the claim and its proof.
namespace tacit::analysis {

// The declared lists that a resolved key's values follow from; empty for a private key.
Result<std::vector<KeySource>> PublicSourcesOf(const Known& known, const Expression& key);

// The literals of a CASE that has nothing else to give, also of one inside each person's rows;
// empty for other keys.
std::vector<Expression> OutcomesOf(const Expression& key, const RowSource& source);

}  // namespace tacit::analysis
