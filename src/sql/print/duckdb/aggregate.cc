#include <algorithm>
#include <iterator>

#include "base/mutant.h"
#include "sql/print/duckdb/parts.h"
#include "sql/print/engine_functions.h"

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
    for (const Renderings& family :
         {ArithmeticRenderings(), ComparisonRenderings(), MathRenderings(), TextRenderings(),
          DateRenderings(), RegexRenderings()}) {
      joined.insert(family.begin(), family.end());
    }
    return joined;
  }();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

namespace {

using NameOf = std::string (*)(const BoundAggregate&, const Type& result);

std::string EngineNameOf(const BoundAggregate& call, const Type&) { return EngineName(call.name); }

std::string AggregateNamed(NameOf name_of, const BoundAggregate& call, const Type& result,
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
  std::string text = name_of(call, result) + "(" + (call.distinct ? "DISTINCT " : "");
  for (size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "" : ", ") + operands[i];
  if (!order_by.empty()) text += " " + order_by;
  text += ")" + tail;
  // Sums of integers are 128 bits wide in DuckDB; its counts and ranks are already bigints.
  const bool converts =
      call.name == "sum" || call.name == "ntile" || call.name == "avg" || call.name == "grouping";
  if (result.IsFloat() && (converts || IsMoment(call.name))) return Finite(text, result);
  return converts ? TryCast(text, result) : text;
}

// What the engine adds up in doubles depends in its last digits on the order in which rows come.
// There is an aggregate of ours for each that has a sum in it.
std::string OwnNameOf(const BoundAggregate& call, const Type& result) {
  const std::string name = EngineName(call.name);
  if (!result.IsFloat() || TACIT_MUTANT("doubles_added_in_order")) return name;
  // With the mutant, numerics are averaged as the engine does.
  if (name == "avg" && TACIT_MUTANT("avg_of_numerics")) return name;
  const std::string own = "tacit_" + name;
  const bool is_one =
      std::any_of(std::begin(kExactAggregates), std::end(kExactAggregates),
                  [&](const ExactAggregateName& exact) { return own == exact.name; });
  return is_one ? own : name;
}

// All rows of the partition.
bool IsWhole(const BoundWindow& window) {
  if (!window.frame) return window.order_by.empty();
  const Frame& frame = *window.frame;
  // Without an order all rows are peers of the current one.
  if (window.order_by.empty() && frame.unit != FrameUnit::kRows) return true;
  return frame.start == FrameEdge::kUnboundedPreceding &&
         frame.end == FrameEdge::kUnboundedFollowing;
}

}  // namespace

std::string Aggregate(const BoundAggregate& call, const Type& result,
                      const std::vector<std::string>& arguments, const std::string& order_by,
                      const std::string& tail) {
  return AggregateNamed(EngineNameOf, call, result, arguments, order_by, tail);
}

std::string AggregateInAnyOrder(const BoundAggregate& call, const Type& result,
                                const std::vector<std::string>& arguments,
                                const std::string& order_by, const std::string& tail) {
  return AggregateNamed(OwnNameOf, call, result, arguments, order_by, tail);
}

// DuckDB 1.5 hands a whole partition to an aggregate of ours with one state for all rows, where its
// C functions take one for each, and reads beyond it. Up to a row further than there are any, it is
// no whole partition to it.
BoundWindow WindowInAnyOrder(const BoundAggregate& call, const Type& result) {
  BoundWindow window = *call.window;
  if (!IsWhole(window) || !OwnNameOf(call, result).starts_with("tacit_")) return window;
  window.frame =
      Frame{.unit = FrameUnit::kRows,
            .start = FrameEdge::kUnboundedPreceding,
            .start_offset = {},
            .end = FrameEdge::kFollowing,
            .end_offset = MakeExpression(Literal{
                .kind = LiteralKind::kInteger, .text = "4611686018427387904", .interval = {}})};
  return window;
}

}  // namespace tacit::sql::duckdb
