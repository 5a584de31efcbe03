#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/derive/shape.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// How the rows of an asked table are found among those of a stored one.
struct Cells {
  std::vector<size_t> key_of;  // of each asked key, which of the stored keys it is
  // Only stored rows in which these keys have one of these values belong to a row that was asked.
  std::vector<std::pair<size_t, std::vector<sql::Literal>>> pins;
  uint64_t each = 1;  // so many stored rows make one
};

// Whether what `stored` tells of its groups tells all of `asked`'s; measures aside.
// proof: plan/derive/derive.md#claim
std::optional<Cells> CellsOf(const Shape& asked, const Shape& stored);

// One number of the asked table: which stored table it is made of, and what its error is.
struct MeasureSource {
  size_t table = 0;        // of the stored ones
  size_t measure = 0;      // of that table's
  size_t stored_keys = 0;  // of that table, before its measures
  Cells cells;
  std::optional<noise::AnyMechanism> noise;  // nothing of a choice, which keeps its own
  Rational scale;                            // in the column's own unit, as of a Measure
  Rational moe95;
};
using Derivation = std::vector<MeasureSource>;  // one for each measure

enum class Fineness { kAsAsked, kAny };

// What the release can be made of, each number from the table where its error is least (the first
// of several), if none of them is further off than the release would be, or however far.
std::optional<Derivation> Derive(const Release& asked, const std::vector<const Shape*>& stored,
                                 Fineness fineness = Fineness::kAsAsked);

}  // namespace tacit::plan
