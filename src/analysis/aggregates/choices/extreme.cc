#include "analysis/aggregates/choices/cells.h"
#include "analysis/aggregates/choices/instants.h"
#include "analysis/aggregates/moments/summand.h"
#include "analysis/aggregates/rules.h"

// min(x) and max(x): the quantiles 0 and 1, with a rank offset. See extreme.md.
namespace tacit::analysis {

// proof: analysis/aggregates/choices/extreme.md#claim
Result<ReleasedColumn> ReleaseExtreme(GroupedQuery& grouped, const sql::AggregateCall& call,
                                      sql::Position position) {
  sql::AggregateCall all = call;
  all.distinct = false;  // the extreme of distinct values is the extreme
  TACIT_TRY(std::optional<InstantChoice> instants,
            call.arguments.size() == 1 ? InstantsOf(grouped, call, call.arguments[0], position)
                                       : std::optional<InstantChoice>());
  ExactMeasure measure;
  if (instants) {
    measure = std::move(instants->measure);
  } else {
    TACIT_TRY(measure, SummandOf(grouped, all, position));
  }
  measure.kind = MeasureKind::kQuantile;
  measure.extreme = true;
  measure.quantile = call.name == "max" ? Rational(1) : Rational(0);
  CutIntoCells(measure);
  ReleasedColumn column;
  column.type = instants ? instants->type : measure.type;
  column.value = QuantileColumn{AddMeasure(grouped, std::move(measure))};
  return column;
}

}  // namespace tacit::analysis
