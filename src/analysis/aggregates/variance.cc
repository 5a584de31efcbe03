#include "analysis/aggregates/rules.h"

// var_pop, var_samp, variance, stddev_pop, stddev_samp, stddev: three moments of centred summands.
// See variance.md.
namespace tacit::analysis {
Result<ReleasedColumn> ReleaseVariance(BlockBuilder& builder, const sql::AggregateCall& call,
                                       sql::Position position) {
  TACIT_TRY(Measure sum, SummandOf(builder, call, position));
  TACIT_CHECK(CoarsenForSquares(sum.grid));
  sum.centre = (sum.grid.low_steps + sum.grid.high_steps) / 2;
  Measure squares = sum;
  squares.kind = MeasureKind::kSumOfSquares;
  Measure count;
  count.kind = MeasureKind::kValues;
  count.argument = sum.argument;
  count.filter = sum.filter;
  count.type = sum.type;
  ReleasedColumn column;
  column.type = sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  VarianceColumn variance;
  variance.sum = builder.AddMeasure(std::move(sum));
  variance.squares = builder.AddMeasure(std::move(squares));
  variance.count = builder.AddMeasure(std::move(count));
  variance.of_sample = !call.name.ends_with("_pop");
  variance.root = call.name.starts_with("stddev");
  column.value = variance;
  return column;
}

}  // namespace tacit::analysis
