#pragma once

#include <span>
#include <vector>

#include "anonymize/partition/classes.h"
#include "anonymize/partition/constraint.h"
#include "anonymize/partition/domain.h"
#include "base/result.h"

namespace tacit::anonymize {

// Strict multidimensional partitioning (LeFevre, DeWitt, Ramakrishnan 2006). Starting with all
// rows, a class is cut in two at the median of the quasi-identifier that is widest in it (relative
// to the whole), or into the groups of its hierarchy's next level, as long as every part fulfils
// the requirement; when the widest cannot be cut, the next widest is tried. Rows of equal quasi-
// identifiers are never separated, so classes do not overlap.
//
// `sensitive` may be null when the requirement does not look at it. The error says which part of
// the requirement even the whole table does not fulfil.
Result<Classes> Mondrian(std::span<const Domain> domains, std::span<const uint32_t> rows,
                         const Requirement& requirement, SensitiveColumn* sensitive);

// The check of the whole table that Mondrian starts with.
Result<Done> CheckFeasible(std::span<const uint32_t> rows, const Requirement& requirement,
                           SensitiveColumn* sensitive);

}  // namespace tacit::anonymize
