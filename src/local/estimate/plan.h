#pragma once

#include <optional>
#include <vector>

#include "local/design/design.h"

namespace tacit::local {

struct PlanWish {
  uint32_t values = 2;
  uint64_t people = 0;
  Epsilon epsilon;
  std::optional<double> margin = std::nullopt;  // the wished 95 % margin of a share, e.g. 0.01
};

struct PlannedMechanism {
  Design design;
  double deviation = 0;      // of a rare value's count, in people
  double margin95 = 0;       // of its share
  double report_bits = 0;    // what a report takes on the wire, before any encoding
  double people_needed = 0;  // for the wished margin; 0 without one
};

struct LocalPlan {
  std::vector<PlannedMechanism> mechanisms;  // best first
  double central_deviation = 0;              // the discrete Laplace count of a trusted collector
  double central_margin95 = 0;
  double central_people_needed = 0;
};

// What each mechanism would give, and what a trusted collector would. The error is that of a rare
// value; a common one's is of the same size.
Result<LocalPlan> PlanCollection(const PlanWish& wish);

}  // namespace tacit::local
