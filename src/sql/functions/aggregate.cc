#include <algorithm>
#include <array>

#include "sql/error_at.h"
#include "sql/functions/function.h"

namespace tacit::sql {
namespace {

constexpr std::array<std::string_view, 18> kMoments = {
    "var_pop",   "var_samp",   "variance", "stddev",     "stddev_pop", "stddev_samp",
    "covar_pop", "covar_samp", "corr",     "regr_slope", "regr_r2",    "regr_intercept",
    "regr_avgx", "regr_avgy",  "regr_sxx", "regr_sxy",   "regr_syy",   "avg"};

Error Wrong(const AggregateCall& call, const std::string& why, Position position) {
  return ErrorAt(ErrorCode::kInvalidQuery, position, call.name + ": " + why);
}

// PostgreSQL: sum(bigint) is numeric, sum(smallint) and sum(integer) are bigint.
Type SumType(const Type& type) {
  switch (type.kind) {
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
      return Simple(TypeKind::kBigint);
    case TypeKind::kBigint:
      return Numeric(kNumericPrecisionMax, 0);
    case TypeKind::kNumeric:
      // Why 18: 10^18 rows of the widest value then still fit; wider columns are summed as doubles.
      if (type.precision + 18 > kNumericPrecisionMax) return Simple(TypeKind::kDouble);
      return Numeric(kNumericPrecisionMax, type.scale);
    default:
      return type;
  }
}

}  // namespace

Result<Type> AggregateType(const AggregateCall& call, const std::vector<Type>& arguments,
                           Position position) {
  const std::string& name = call.name;
  const auto is = [&name](std::string_view word) { return name == word; };
  if (is("count") || is("regr_count") || is("row_number") || is("rank") || is("dense_rank")) {
    return Simple(TypeKind::kBigint);
  }
  if (is("ntile") || is("grouping")) return Simple(TypeKind::kInteger);
  if (is("percent_rank") || is("cume_dist")) return Simple(TypeKind::kDouble);
  if (arguments.empty()) return Wrong(call, "an argument is missing", position);
  const Type& first = arguments.front();
  if (is("percentile_cont")) {
    if (!arguments.back().IsNumber()) return Wrong(call, "orders by a number only", position);
    return Simple(TypeKind::kDouble);
  }
  if (is("percentile_disc") || is("mode")) return arguments.back();
  if (is("min") || is("max") || is("lag") || is("lead") || is("first_value") || is("last_value") ||
      is("nth_value")) {
    return first.kind == TypeKind::kUnknown ? Simple(TypeKind::kText) : first;
  }
  if (is("bool_and") || is("bool_or")) {
    if (first.kind != TypeKind::kBoolean) return Wrong(call, "takes a condition", position);
    return first;
  }
  if (is("string_agg")) {
    if (first.kind != TypeKind::kText) return Wrong(call, "takes text", position);
    return first;
  }
  if (is("bit_and") || is("bit_or")) {
    if (!first.IsInteger()) return Wrong(call, "takes an integer", position);
    return first;
  }
  const bool moment = std::find(kMoments.begin(), kMoments.end(), name) != kMoments.end();
  if (!moment && !is("sum")) {
    Error error = Wrong(call, "this aggregate is not supported", position);
    error.code = ErrorCode::kUnsupported;
    return error;
  }
  for (const Type& type : arguments) {
    if (!type.IsNumber()) return Wrong(call, "takes a number, not " + ToString(type), position);
  }
  // Averages are doubles whatever they average: a released mean is no exact decimal.
  return is("sum") ? SumType(first) : Simple(TypeKind::kDouble);
}

}  // namespace tacit::sql
