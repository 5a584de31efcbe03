#pragma once

#include <span>

#include "anonymize/partition/classes.h"
#include "anonymize/partition/constraint.h"
#include "anonymize/partition/domain.h"
#include "base/result.h"

namespace tacit::anonymize {

// The requirement by leaving whole columns out: of all sets of quasi-identifiers that may stay as
// they are, one of the largest (of several, the one with the most classes). All of it is exact:
// what a set of columns does not fulfil, no larger set does, so sets are grown one column at a time
// from those that hold.
Result<Classes> RedactColumns(std::span<const Domain> domains, std::span<const uint32_t> rows,
                              const Requirement& requirement, SensitiveColumn* sensitive);

}  // namespace tacit::anonymize
