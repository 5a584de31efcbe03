#include "analysis/aggregates/moments/summand.h"
#include "analysis/aggregates/rules.h"

// avg(x): a noisy centred sum over a noisy count(x). Centring halves the largest summand; the count
// is the same release as count(x), paid once. See avg.md.
namespace tacit::analysis {

// proof: analysis/aggregates/moments/avg.md#claim
Result<ReleasedColumn> ReleaseAverage(GroupedQuery& grouped, const sql::AggregateCall& call,
                                      sql::Position position) {
  TACIT_TRY(ExactMeasure sum, SummandOf(grouped, call, position));
  ExactMeasure count = CountOfSummands(grouped, sum);
  // A sum(x) that is asked for anyway serves, uncentred: two releases instead of three.
  std::optional<size_t> index = FindMeasure(grouped, sum);
  if (!index) {
    Centre(sum);
    index = AddMeasure(grouped, std::move(sum));
  }
  ReleasedColumn column;
  column.type = sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  column.value = AverageColumn{.sum = *index, .count = AddMeasure(grouped, std::move(count))};
  return column;
}

}  // namespace tacit::analysis
