#include "analysis/aggregates/moments/summand.h"
#include "analysis/aggregates/rules.h"

// var_pop, var_samp, variance, stddev_pop, stddev_samp, stddev: three moments of centred summands.
// See variance.md.
namespace tacit::analysis {
// proof: analysis/aggregates/moments/variance.md#claim
Result<ReleasedColumn> ReleaseVariance(GroupedQuery& grouped, const sql::AggregateCall& call,
                                       sql::Position position) {
  TACIT_TRY(ExactMeasure sum, SummandOf(grouped, call, position));
  TACIT_CHECK(CoarsenForSquares(sum.grid));
  Centre(sum);
  ExactMeasure squares = sum;
  squares.kind = MeasureKind::kSumOfSquares;
  ExactMeasure count = CountOfSummands(grouped, sum);
  ReleasedColumn column;
  column.type = sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  VarianceColumn variance;
  variance.sum = AddMeasure(grouped, std::move(sum));
  variance.squares = AddMeasure(grouped, std::move(squares));
  variance.count = AddMeasure(grouped, std::move(count));
  variance.of_sample = !call.name.ends_with("_pop");
  variance.root = call.name.starts_with("stddev");
  column.value = variance;
  return column;
}

}  // namespace tacit::analysis
