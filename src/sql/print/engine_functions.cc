#include "sql/print/engine_functions.h"

#include <cmath>

#include "base/assert.h"

namespace tacit::sql {

std::optional<double> ValueOf(const ExactMean& mean, ExactAggregate aggregate) {
  TACIT_ASSERT(!NeedsSquares(aggregate));
  return aggregate == ExactAggregate::kSum ? mean.Sum() : mean.Average();
}

std::optional<double> ValueOf(const ExactMoments& moments, ExactAggregate aggregate) {
  const auto root = [](std::optional<double> variance) {
    if (variance) variance = std::sqrt(*variance);
    return variance;
  };
  switch (aggregate) {
    case ExactAggregate::kSum:
    case ExactAggregate::kAvg:
      return ValueOf(moments.mean(), aggregate);
    case ExactAggregate::kVarPop:
      return moments.Variance(0);
    case ExactAggregate::kVarSamp:
      return moments.Variance(1);
    case ExactAggregate::kStddevPop:
      return root(moments.Variance(0));
    case ExactAggregate::kStddevSamp:
      return root(moments.Variance(1));
  }
  return std::nullopt;
}

}  // namespace tacit::sql
