#include "analysis/aggregates/rules.h"

// avg(x): a noisy centred sum over a noisy count(x). Centring halves the largest summand; the count
// is the same release as count(x), paid once. See avg.md.
namespace tacit::analysis {

Result<ReleasedColumn> ReleaseAverage(BlockBuilder& builder, const sql::AggregateCall& call,
                                      sql::Position position) {
  TACIT_TRY(Measure sum, SummandOf(builder, call, position));
  Measure count;
  count.kind = MeasureKind::kValues;
  count.argument = sum.argument;
  count.filter = sum.filter;
  count.type = sum.type;
  // A sum(x) that is asked for anyway serves, uncentred: two releases instead of three.
  std::optional<size_t> index = builder.FindMeasure(sum);
  if (!index) {
    sum.centre = (sum.grid.low_steps + sum.grid.high_steps) / 2;
    index = builder.AddMeasure(std::move(sum));
  }
  ReleasedColumn column;
  column.type = sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  column.value = AverageColumn{.sum = *index, .count = builder.AddMeasure(std::move(count))};
  return column;
}

}  // namespace tacit::analysis
