#include "sql/functions/function.h"

#include <algorithm>
#include <array>

#include "sql/functions/own_functions.h"
#include "sql/parse/grammar.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::sql::grammar {
namespace {

constexpr std::array<std::string_view, 34> kAggregates = {
    "avg",        "bit_and",        "bit_or",          "bool_and",        "bool_or",    "corr",
    "count",      "covar_pop",      "covar_samp",      "every",           "max",        "median",
    "min",        "mode",           "percentile_cont", "percentile_disc", "regr_avgx",  "regr_avgy",
    "regr_count", "regr_intercept", "regr_r2",         "regr_slope",      "regr_sxx",   "regr_sxy",
    "regr_syy",   "stddev",         "stddev_pop",      "stddev_samp",     "string_agg", "sum",
    "var_pop",    "var_samp",       "variance",        "array_agg"};

constexpr std::array<std::string_view, 11> kWindowOnly = {
    "cume_dist", "dense_rank", "first_value",  "lag",  "last_value", "lead",
    "nth_value", "ntile",      "percent_rank", "rank", "row_number"};

struct IntervalPart {
  std::string_view name;
  Interval one;
};
constexpr std::array<IntervalPart, 7> kIntervalParts = {
    {{"years", {.months = 12, .days = 0, .microseconds = 0}},
     {"months", {.months = 1, .days = 0, .microseconds = 0}},
     {"weeks", {.months = 0, .days = 7, .microseconds = 0}},
     {"days", {.months = 0, .days = 1, .microseconds = 0}},
     {"hours", {.months = 0, .days = 0, .microseconds = 3'600'000'000}},
     {"mins", {.months = 0, .days = 0, .microseconds = 60'000'000}},
     {"secs", {.months = 0, .days = 0, .microseconds = 1'000'000}}}};

// The grammar puts its own functions under pg_catalog; nothing else is looked up by schema.
Result<std::string> FunctionName(const PgQuery__FuncCall& call) {
  const std::vector<std::string> parts = NameParts(call.n_funcname, call.funcname);
  if (parts.size() == 1) return parts[0];
  if (parts.size() == 2 && parts[0] == "pg_catalog") return parts[1];
  return Unsupported("a function of another schema", call.location, "write its plain name");
}

// Aggregates of other systems; their names say what is meant.
bool IsForeignAggregate(const std::string& name) {
  constexpr std::array<std::string_view, 13> kNames = {
      "percentile_approx", "quantile", "quantile_cont",    "quantile_disc", "quantile_approx",
      "approxquantile",    "countif",  "count_if",         "sumif",         "sum_if",
      "any_value",         "uniq",     "approximate_count"};
  return name.starts_with("approx_") ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// approx_count_distinct(x), approx_percentile(x, p), count_if(x): with noise there is one way to
// count.
Error NamedElsewhere(const std::string& name, const std::vector<Expression>& arguments,
                     Position position) {
  Error error = UnknownFunction(name, position);
  error.rule = "function_without_rule";
  const auto names = [&name](std::string_view word) {
    return name.find(word) != std::string::npos;
  };
  const std::string first = arguments.empty() ? "x" : PrintCanonical(arguments[0]);
  const bool one = arguments.size() == 1;
  const bool two = arguments.size() == 2;
  if ((names("distinct") || names("uniq")) && one) {
    error.hint = "write count(DISTINCT " + first + ")";
  } else if (names("median") && one) {
    error.hint = "write percentile_cont(0.5) WITHIN GROUP (ORDER BY " + first + ")";
  } else if ((names("percentile") || names("quantile")) && two) {
    error.hint = "write percentile_cont(" + PrintCanonical(arguments[1]) +
                 ") WITHIN GROUP (ORDER BY " + first + ")";
  } else if ((names("top") || names("frequent") || name == "any_value") && !arguments.empty() &&
             As<ColumnReference>(arguments[0]) != nullptr) {
    error.hint = "write mode() WITHIN GROUP (ORDER BY " + first + ")";
  } else if (names("count") && names("if") && one) {
    error.hint = "write count(*) FILTER (WHERE " + first + ")";
  } else if (names("sum") && names("if") && two) {
    error.hint = "write sum(" + first + ") FILTER (WHERE " + PrintCanonical(arguments[1]) + ")";
  } else if (names("count")) {
    error.hint = "write count(" + (one ? first : std::string("*")) + ")";
  }
  return error;
}

// percentile_cont(ARRAY[a, b]) is the array of percentile_cont(a) and percentile_cont(b).
Result<Expression> ConvertPercentiles(const PgQuery__FuncCall& call, Converter& converter) {
  const PgQuery__AArrayExpr& array = *call.args[0]->a_array_expr;
  if (array.n_elements == 0) return Invalid("an array of no fractions", array.location);
  PgQuery__FuncCall one = call;
  std::vector<Expression> elements;
  for (size_t i = 0; i < array.n_elements; ++i) {
    if (array.elements[i]->node_case == PG_QUERY__NODE__NODE_A_ARRAY_EXPR) {
      return Unsupported("an array of arrays", array.location);
    }
    one.args = &array.elements[i];
    Node node = PG_QUERY__NODE__INIT;
    node.node_case = PG_QUERY__NODE__NODE_FUNC_CALL;
    node.func_call = &one;
    TACIT_TRY(elements.emplace_back(), converter.ConvertExpression(&node));
  }
  return MakeExpression(Call{std::string(kArrayFunction), std::move(elements)}, {call.location});
}

// A function of one row.
Result<Expression> ScalarCall(const PgQuery__FuncCall& call, std::string name,
                              std::vector<Expression> arguments) {
  if (call.agg_star != 0 || call.agg_distinct != 0 || call.n_agg_order != 0 ||
      call.agg_filter != nullptr || call.over != nullptr) {
    Error error = Unsupported("the aggregate or window function " + name, call.location);
    if (call.agg_star != 0) error.hint = "count takes a star: count(*)";
    return error;
  }
  // The grammar turns position(a IN s) round; the name stays the SQL one.
  if (name == "position" && arguments.size() == 2) std::swap(arguments[0], arguments[1]);
  return MakeExpression(Call{std::move(name), std::move(arguments)}, {call.location});
}

}  // namespace

bool IsAggregateName(std::string_view name) {
  // jsonb_object_agg and its like have no rule, and are aggregates all the same.
  return name.ends_with("_agg") ||
         std::find(kAggregates.begin(), kAggregates.end(), name) != kAggregates.end();
}

bool IsWindowOnlyName(std::string_view name) {
  return std::find(kWindowOnly.begin(), kWindowOnly.end(), name) != kWindowOnly.end();
}

// Not PostgreSQL's own, and what people ask for.
Result<Expression> Converter::ConvertMedian(const PgQuery__FuncCall& call, Expression argument) {
  AggregateCall median;
  median.name = "percentile_cont";
  median.arguments = {MakeExpression(Literal{LiteralKind::kNumeric, "0.5", {}}, {call.location})};
  median.within_group = true;
  median.order_by = {{std::move(argument), false, false}};
  TACIT_TRY(median.filter, ConvertExpression(call.agg_filter));
  return MakeExpression(std::move(median), {call.location});
}

// make_interval(days => 7, hours => 2) is the sum of its parts.
Result<Expression> Converter::ConvertMakeInterval(const PgQuery__FuncCall& call) {
  const Position position{call.location};
  const auto literal = [&position](const Interval& interval) {
    return MakeExpression(Literal{LiteralKind::kInterval, "", interval}, position);
  };
  Expression sum;
  for (size_t i = 0; i < call.n_args; ++i) {
    const Node* value = call.args[i];
    size_t place = i;
    if (IsKind(value, PG_QUERY__NODE__NODE_NAMED_ARG_EXPR)) {
      const PgQuery__NamedArgExpr& named = *value->named_arg_expr;
      place = 0;
      while (place < kIntervalParts.size() && kIntervalParts[place].name != named.name) ++place;
      value = named.arg;
    }
    if (place >= kIntervalParts.size()) {
      return Invalid("make_interval takes years, months, weeks, days, hours, mins and secs",
                     call.location, "write it like make_interval(days => 7)");
    }
    TACIT_TRY(Expression count, ConvertExpression(value));
    Expression part = MakeExpression(
        Operator{"*", {literal(kIntervalParts[place].one), std::move(count)}}, position);
    sum = sum ? MakeExpression(Operator{"+", {std::move(sum), std::move(part)}}, position) : part;
  }
  return sum ? sum : literal({});
}

Result<Expression> Converter::ConvertFunction(const PgQuery__FuncCall& call) {
  const Position position{call.location};
  TACIT_TRY(std::string name, FunctionName(call));
  if (call.func_variadic != 0) return Unsupported("VARIADIC", call.location);
  if (name.starts_with("tacit_")) return Unsupported("the function " + name, call.location);
  if (name == "make_interval") return ConvertMakeInterval(call);
  const bool percentiles = call.agg_within_group != 0 && call.n_args == 1 && call.over == nullptr &&
                           call.args[0]->node_case == PG_QUERY__NODE__NODE_A_ARRAY_EXPR;
  if (percentiles && name.starts_with("percentile_")) {
    return ConvertPercentiles(call, *this);
  }
  TACIT_TRY(std::vector<Expression> arguments, ConvertList(call.n_args, call.args));
  for (const Expression& argument : arguments) {
    if (As<Star>(argument)) return Invalid("* stands for no value here", call.location);
  }
  if (IsForeignAggregate(name)) return NamedElsewhere(name, arguments, position);
  if (name == "median" && arguments.size() == 1 && call.over == nullptr) {
    return ConvertMedian(call, std::move(arguments[0]));
  }
  const bool window_only = IsWindowOnlyName(name);
  if (!window_only && !IsAggregateName(name)) {
    return ScalarCall(call, std::move(name), std::move(arguments));
  }
  if (window_only && call.over == nullptr) {
    return Invalid("the window function " + name + " needs an OVER clause", call.location);
  }
  AggregateCall aggregate;
  aggregate.name = name == "every" ? "bool_and" : std::move(name);
  aggregate.arguments = std::move(arguments);
  aggregate.star = call.agg_star != 0;
  aggregate.distinct = call.agg_distinct != 0;
  aggregate.within_group = call.agg_within_group != 0;
  TACIT_TRY(aggregate.order_by, ConvertOrder(call.n_agg_order, call.agg_order));
  TACIT_TRY(aggregate.filter, ConvertExpression(call.agg_filter));
  if (aggregate.star && aggregate.name != "count") {
    return Invalid(aggregate.name + "(*) does not exist", call.location);
  }
  if (!aggregate.star && aggregate.arguments.empty() && !aggregate.within_group && !window_only) {
    return Invalid(aggregate.name + "() needs an argument", call.location,
                   aggregate.name == "count" ? "write count(*)" : "");
  }
  if (call.over == nullptr) return MakeExpression(std::move(aggregate), position);
  if (aggregate.distinct || aggregate.within_group || !aggregate.order_by.empty()) {
    return Unsupported("DISTINCT or ORDER BY inside a window function", call.location);
  }
  TACIT_TRY(Window window, ConvertWindow(*call.over));
  // OVER w names its window in `name`, which in the WINDOW clause is the name being declared; OVER
  // (w ...) has it in `refname`.
  if (window.base.empty()) window.base = call.over->name;
  return MakeExpression(WindowCall{std::move(aggregate), std::move(window)}, position);
}

}  // namespace tacit::sql::grammar
