#include <algorithm>

#include "base/mutant.h"
#include "sql/print/duckdb_parts.h"

namespace tacit::sql::duckdb {
namespace {

// Squares of larger values overflow, and DuckDB raises then.
std::string Squarable(const std::string& operand) {
  const std::string number = "CAST(" + operand + " AS DOUBLE)";
  return "CASE WHEN " + number + " BETWEEN -1e100 AND 1e100 THEN " + number + " END";
}

bool IsMoment(const std::string& name) {
  return name.starts_with("var") || name.starts_with("stddev") || name.starts_with("covar") ||
         name.starts_with("regr_") || name == "corr";
}

std::string EngineName(const std::string& name) {
  if (name == "variance") return "var_samp";
  if (name == "stddev") return "stddev_samp";
  return name;
}

}  // namespace

std::string CallText(const std::string& name, const std::vector<std::string>& arguments) {
  std::string text = name + "(";
  for (size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  return text + ")";
}

std::string RenderCall(const Application& a) {
  return CallText(std::string(a.apply.function->name), a.text);
}

Rendering FindRendering(std::string_view name) {
  static const Renderings all = [] {
    Renderings joined;
    for (const Renderings& family : {ArithmeticRenderings(), ComparisonRenderings(),
                                     MathRenderings(), TextRenderings(), DateRenderings()}) {
      joined.insert(family.begin(), family.end());
    }
    return joined;
  }();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

std::string Aggregate(const BoundAggregate& call, const Type& result,
                      const std::vector<std::string>& arguments, const std::string& order_by,
                      const std::string& tail) {
  if (call.star) return "count(*)" + tail;
  if (call.within_group) {
    // PostgreSQL's continuous percentiles are doubles whatever they order.
    const std::string fraction = arguments.empty() ? "" : arguments[0];
    std::string order = order_by;
    if (call.name == "percentile_cont") {
      const size_t words = std::string("ORDER BY ").size();
      const size_t end = order.rfind(call.order_by[0].descending ? " DESC" : " ASC");
      order =
          "ORDER BY CAST(" + order.substr(words, end - words) + " AS DOUBLE)" + order.substr(end);
    }
    const std::string text = call.name + "(" + fraction + ") WITHIN GROUP (" + order + ")" + tail;
    // Between two values far apart, their difference overflows.
    return call.name == "percentile_cont" ? Finite(text, result) : text;
  }
  std::vector<std::string> operands = arguments;
  if (IsMoment(call.name))
    std::transform(operands.begin(), operands.end(), operands.begin(), Squarable);
  // An average of numerics is a double; as a numeric its sum would overflow.
  const bool averages = call.name == "avg" && !TACIT_MUTANT("avg_of_numerics");
  if ((call.name == "sum" || averages) && result.kind == TypeKind::kDouble) {
    operands[0] = "CAST(" + operands[0] + " AS DOUBLE)";
  }
  std::string text = EngineName(call.name) + "(" + (call.distinct ? "DISTINCT " : "");
  for (size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "" : ", ") + operands[i];
  if (!order_by.empty()) text += " " + order_by;
  text += ")" + tail;
  // Sums of integers are 128 bits wide in DuckDB; its counts and ranks are already bigints.
  const bool converts = call.name == "sum" || call.name == "ntile" || call.name == "avg";
  if (result.IsFloat() && (converts || IsMoment(call.name))) return Finite(text, result);
  return converts ? TryCast(text, result) : text;
}

}  // namespace tacit::sql::duckdb
