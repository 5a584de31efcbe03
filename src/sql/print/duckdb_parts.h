#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sql/bind.h"

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

std::string TypeName(const Type& type);
std::string Constant(const Literal& literal, const Type& type);
std::string Cast(const std::string& operand, const Type& from, const Type& to);
std::string Aggregate(const BoundAggregate& call, const Type& result,
                      const std::vector<std::string>& arguments, const std::string& order_by,
                      const std::string& tail);

// NULL instead of a date or timestamp outside the years 1 to 9999: beyond them, and at the
// infinities, DuckDB's date arithmetic raises.
std::string InCalendar(const std::string& operand, const Type& type);

// f(a, b, ...)
std::string CallText(const std::string& name, const std::vector<std::string>& arguments);
std::string RenderCall(const Application& a);  // name(arguments), where DuckDB means the same

}  // namespace tacit::sql::duckdb
