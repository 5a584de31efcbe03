#include "analysis/aggregates/moments/summand.h"
#include "analysis/aggregates/rules.h"

// sum(x): the exact sum of clamped grid integers. NULL summands count as nothing. See sum.md.
namespace tacit::analysis {
namespace {

// PostgreSQL's result types, with two choices: numeric keeps the digits of its argument, and a sum
// of bigints is a bigint. Integers imported from CSV are bigints, and sum(x) / count(*) of them is
// meant as a division of integers.
sql::Type SumType(const sql::Type& argument) {
  using sql::TypeKind;
  sql::Type type{.kind = TypeKind::kBigint, .precision = 0, .scale = 0};
  if (argument.kind == TypeKind::kNumeric) {
    type = {TypeKind::kNumeric, sql::kNumericPrecisionMax, argument.scale};
  }
  if (argument.IsFloat()) type.kind = argument.kind;
  return type;
}

}  // namespace

// proof: analysis/aggregates/moments/sum.md#claim
Result<ReleasedColumn> ReleaseSum(GroupedQuery& grouped, const sql::AggregateCall& call,
                                  sql::Position position) {
  TACIT_TRY(ExactMeasure measure, SummandOf(grouped, call, position));
  ReleasedColumn column;
  column.type = SumType(measure.type);
  column.value = SumColumn{AddMeasure(grouped, std::move(measure))};
  return column;
}

}  // namespace tacit::analysis
