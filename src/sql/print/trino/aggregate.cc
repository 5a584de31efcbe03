#include <algorithm>
#include <array>

#include "sql/print/trino/parts.h"

// Aggregates and windows inside one person's rows. Sums and means of doubles need one sum for all
// orders of rows, which only DuckDB has (base/numbers/exact_sum.h).
namespace tacit::sql::trino {
namespace {

constexpr std::array<std::string_view, 12> kSame = {
    "count", "min",        "max", "bool_and", "bool_or",     "row_number",
    "rank",  "dense_rank", "lag", "lead",     "first_value", "last_value"};

bool HasNoExtremes(const Type& type) {
  return type.kind == TypeKind::kBoolean || type.kind == TypeKind::kUuid ||
         type.kind == TypeKind::kInterval;
}

// Why 25: a sum has 38 digits, and nobody has ten trillion rows.
constexpr int kSummedDigitsMax = 25;

}  // namespace

Text Aggregate(const BoundAggregate& call, const Type& result,
               const std::vector<std::string>& arguments, const std::string& order_by,
               const std::string& tail) {
  if (call.star && !(call.window && call.filter)) return "count(*)" + tail;
  const bool same = std::find(kSame.begin(), kSame.end(), call.name) != kSame.end();
  const bool extreme = call.name == "min" || call.name == "max";
  if (call.within_group || (!same && call.name != "sum")) return std::nullopt;
  if (extreme && HasNoExtremes(call.arguments[0]->type)) return std::nullopt;
  if (call.window && (call.distinct || call.filter)) return std::nullopt;
  for (const Bound& argument : call.arguments) {
    if (argument->type.kind == TypeKind::kInterval) return std::nullopt;
  }
  if (call.name == "sum") {
    const Type& summed = call.arguments[0]->type;
    if (result.IsFloat() || call.distinct) return std::nullopt;
    if (summed.kind == TypeKind::kNumeric &&
        (summed.precision == 0 || summed.precision > kSummedDigitsMax)) {
      return std::nullopt;
    }
  }
  std::string text = call.name + "(" + (call.distinct ? "DISTINCT " : "");
  for (size_t i = 0; i < arguments.size(); ++i) {
    text += i == 0 ? "" : ", ";
    text += call.name == "sum" && result.IsInteger() ? "CAST(" + arguments[i] + " AS decimal(38,0))"
                                                     : arguments[i];
  }
  if (!order_by.empty()) text += " " + order_by;
  text += ")" + tail;
  if (call.name != "sum") return text;
  return result.IsInteger() ? Narrowed(text, result) : CastText(text, result);
}

}  // namespace tacit::sql::trino
