#pragma once

#include <optional>

#include "base/numbers/exact_sum.h"

// Functions of the program's own that printed expressions call. engine/duckdb registers them in
// every database it opens, sql/testing in the databases of tests.
namespace tacit::sql {

// tacit_finite(number DOUBLE) -> DOUBLE: NULL for an infinity and for NaN, 0 for -0, and every
// other number as it is.
inline constexpr char kFiniteFunction[] = "tacit_finite";

// tacit_sum(number DOUBLE) -> DOUBLE and so on, aggregates: as base/numbers/exact_sum.h has them,
// the same in whatever order and parts rows come. NULL where that gives nothing; NULLs are left
// out.
enum class ExactAggregate { kSum, kAvg, kVarPop, kVarSamp, kStddevPop, kStddevSamp };

struct ExactAggregateName {
  const char* name;  // the engine's own of the same meaning is called so, without tacit_
  ExactAggregate aggregate;
};

inline constexpr ExactAggregateName kExactAggregates[] = {
    {"tacit_sum", ExactAggregate::kSum},
    {"tacit_avg", ExactAggregate::kAvg},
    {"tacit_var_pop", ExactAggregate::kVarPop},
    {"tacit_var_samp", ExactAggregate::kVarSamp},
    {"tacit_stddev_pop", ExactAggregate::kStddevPop},
    {"tacit_stddev_samp", ExactAggregate::kStddevSamp}};

inline bool NeedsSquares(ExactAggregate aggregate) {
  return aggregate != ExactAggregate::kSum && aggregate != ExactAggregate::kAvg;
}

// The first for those that need no squares.
std::optional<double> ValueOf(const ExactMean& mean, ExactAggregate aggregate);
std::optional<double> ValueOf(const ExactMoments& moments, ExactAggregate aggregate);

}  // namespace tacit::sql
