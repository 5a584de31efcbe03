#include "sql/functions/function.h"

namespace tacit::sql {
namespace {

using Types = std::vector<Type>;
using Arguments = std::vector<Argument>;
using Signed = std::optional<Signature>;

Signed SignCommonType(const Types& types) {
  const std::optional<Type> common = CommonType(types);
  if (!common) return std::nullopt;
  return Signature{Types(types.size(), *common), *common};
}

// The result has the first argument's type, as in PostgreSQL, but compared in the common one.
Signed SignNullif(const Types& types) { return SignCommonType(types); }

Range RangeLeast(const Arguments& arguments, const Type&) {
  Range range = arguments[0].range;
  for (size_t i = 1; i < arguments.size(); ++i) range = LeastOf(range, arguments[i].range);
  return range;
}

Range RangeGreatest(const Arguments& arguments, const Type&) {
  Range range = arguments[0].range;
  for (size_t i = 1; i < arguments.size(); ++i) range = GreatestOf(range, arguments[i].range);
  return range;
}

Range RangeCoalesce(const Arguments& arguments, const Type&) {
  Range range = arguments[0].range;
  for (size_t i = 1; i < arguments.size() && range.may_be_null; ++i) {
    const bool null_remains = arguments[i].range.may_be_null;
    range = UnionOf(range, arguments[i].range);
    range.may_be_null = null_remains;
  }
  return range;
}

Range RangeNullif(const Arguments& arguments, const Type&) {
  Range range = arguments[0].range;
  range.may_be_null = true;
  return range;
}

}  // namespace

std::vector<Function> ConditionalFunctions() {
  const auto make = [](std::string_view name, int least, int most, auto sign, auto range) {
    return Function{.name = name,
                    .family = "conditional",
                    .totality = kTotalEverywhere,
                    .arguments_min = least,
                    .arguments_max = most,
                    .sign = sign,
                    .complain = nullptr,
                    .refine = nullptr,
                    .range = range};
  };
  return {make("coalesce", 1, -1, SignCommonType, RangeCoalesce),
          make("nullif", 2, 2, SignNullif, RangeNullif),
          make("least", 1, -1, SignCommonType, RangeLeast),
          make("greatest", 1, -1, SignCommonType, RangeGreatest)};
}

}  // namespace tacit::sql
