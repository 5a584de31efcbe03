#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sql/bind/bind.h"

// How DuckDB 1.5 writes each function so that no row can make it raise. Internal to src/sql/print.
namespace tacit::sql::duckdb {

struct Application {
  const BoundApply& apply;
  const Type& result;
  const std::vector<std::string>& text;  // the printed arguments

  const Type& type(size_t i) const { return apply.arguments[i]->type; }
  const Literal* literal(size_t i) const { return As<Literal>(apply.arguments[i]); }
};

using Rendering = std::string (*)(const Application&);
using Renderings = std::map<std::string_view, Rendering>;

Rendering FindRendering(std::string_view name);  // nullptr when there is none

Renderings ArithmeticRenderings();
Renderings ComparisonRenderings();
Renderings MathRenderings();
Renderings TextRenderings();
Renderings DateRenderings();
Renderings RegexRenderings();

std::string TypeName(const Type& type);
std::string Constant(const Literal& literal, const Type& type);
std::string Cast(const std::string& operand, const Type& from, const Type& to);
std::string Aggregate(const BoundAggregate& call, const Type& result,
                      const std::vector<std::string>& arguments, const std::string& order_by,
                      const std::string& tail);

// The same, with the aggregates of engine_functions.h in the place of those that
// add up doubles.
std::string AggregateInAnyOrder(const BoundAggregate& call, const Type& result,
                                const std::vector<std::string>& arguments,
                                const std::string& order_by, const std::string& tail);
BoundWindow WindowInAnyOrder(const BoundAggregate& call, const Type& result);

// CAST where no value can fail to convert, else NULL for those that do. A least of one argument is
// its argument, and the optimizer does not look through it: DuckDB 1.5 takes TRY_CAST(x AS INTEGER)
// > 5 for x > 5, which is true and not NULL where x does not fit, and that depends on statistics.
std::string TryCast(const std::string& operand, const Type& to);
bool AlwaysFits(const Type& from, const Type& to);

// finite.cc: a number that is neither an infinity nor NaN nor -0; NULL in place of the first
// two.
std::string Finite(const std::string& operand, const Type& type);
// The operand of a Finite, where it is one: sums and products of what is not finite are not finite
// either, so that one guard outside all of them will do.
std::string Unguarded(const std::string& text);
// Whether a float of this expression's form may be beyond its type.
bool MayOverflow(const Application& a);

// NULL instead of a stored value that is none of its type: a decimal beyond its digits, an instant
// before the first that the engine can write. A database made by hand may hold such, and the engine
// raises when it computes with one. The operand itself for types of which every stored value is
// one.
std::string OfItsType(const std::string& operand, const Type& type);

// NULL instead of a date or timestamp outside the years 1 to 9999: beyond them, and at the
// infinities, DuckDB's date arithmetic raises.
std::string InCalendar(const std::string& operand, const Type& type);

// f(a, b, ...)
std::string CallText(const std::string& name, const std::vector<std::string>& arguments);
std::string RenderCall(const Application& a);  // name(arguments), where DuckDB means the same

}  // namespace tacit::sql::duckdb
