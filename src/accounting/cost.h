#pragma once

#include <optional>

#include "accounting/event.h"

namespace tacit::accounting {

// What one event costs by itself. All hold under add_remove and under replace_one, because an
// event's sensitivities are those of the relation in force; the subsampled Gaussian is refused
// under replace_one by every accountant.

// The smallest epsilon for which the event is epsilon-DP, exact; none where there is no such
// epsilon.
std::optional<Epsilon> PureEpsilon(const Event& event);

// An (epsilon, delta) the event satisfies without choosing a point on a curve: pure and approximate
// events.
std::optional<ApproximateEvent> ApproximateCost(const Event& event);

// Approximate zCDP: the event is rho-zCDP except with probability delta. Exact where it is a
// fraction; none where sampling has no zCDP form.
struct ZcdpCost {
  Rho rho;
  Delta delta;
};
std::optional<ZcdpCost> ZcdpCostOf(const Event& event);

// The event's delta at this epsilon >= 0, rounded up; exact but for the rounding, except for a
// discrete Gaussian, whose zCDP bound is used because the event may have several coordinates.
double DeltaUp(const Event& event, double epsilon);

// The smallest epsilon >= 0 whose DeltaUp is at most delta, rounded up; infinite where none is.
double EpsilonUp(const Event& event, const Delta& delta);

}  // namespace tacit::accounting
