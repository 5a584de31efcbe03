#include <algorithm>
#include <array>

#include "sql/print/postgres/parts.h"

// Aggregates and windows inside one person's rows. Sums and means of doubles need one sum for all
// orders of rows, which only DuckDB has (base/numbers/exact_sum.h).
namespace tacit::sql::postgres {
namespace {

constexpr std::array<std::string_view, 12> kSame = {
    "count", "min",        "max", "bool_and", "bool_or",     "row_number",
    "rank",  "dense_rank", "lag", "lead",     "first_value", "last_value"};

// PostgreSQL has no least and no largest of these.
bool HasNoExtremes(const Type& type) {
  return type.kind == TypeKind::kBoolean || type.kind == TypeKind::kUuid ||
         type.kind == TypeKind::kInterval;
}

}  // namespace

Text Aggregate(const BoundAggregate& call, const Type& result,
               const std::vector<std::string>& arguments, const std::string& order_by,
               const std::string& tail) {
  if (call.star) return "count(*)" + tail;
  const bool same = std::find(kSame.begin(), kSame.end(), call.name) != kSame.end();
  const bool extreme = call.name == "min" || call.name == "max";
  if (call.within_group || (!same && call.name != "sum")) return std::nullopt;
  if (extreme && HasNoExtremes(call.arguments[0]->type)) return std::nullopt;
  if (call.name == "sum" && result.IsFloat()) return std::nullopt;
  std::string text = call.name + "(" + (call.distinct ? "DISTINCT " : "");
  for (size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  if (!order_by.empty()) text += " " + order_by;
  text += ")" + tail;
  if (result.kind == TypeKind::kText) return InC(text);
  if (call.name != "sum") return text;
  // A sum of bigints is a numeric that has room for all; one of integers is a bigint, which the
  // rows of one person do not fill.
  if (result.IsInteger()) return Narrowed("CAST(" + text + " AS numeric)", result);
  return CastText(text, result);
}

}  // namespace tacit::sql::postgres
