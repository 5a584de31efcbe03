#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/print/rendering.h"

// How PostgreSQL writes each function so that no row can make it raise. Internal to
// src/sql/print/postgres.
namespace tacit::sql::postgres {

Rendering FindRendering(std::string_view name);  // nullptr when there is none

Renderings ArithmeticRenderings();
Renderings ComparisonRenderings();
Renderings MathRenderings();
Renderings TextRenderings();
Renderings DateRenderings();

std::string TypeName(const Type& type);
std::string ConstantText(const Literal& literal, const Type& type);
std::string CastText(const std::string& operand, const Type& to);  // CAST(x AS t), a text in C
Text Cast(const std::string& operand, const Type& from, const Type& to);
Text Aggregate(const BoundAggregate& call, const Type& result,
               const std::vector<std::string>& arguments, const std::string& order_by,
               const std::string& tail);

// Texts compare by their bytes, whatever the database's own order is.
std::string InC(const std::string& text);
// A whole number of a wider type as one of `type`, NULL where it does not fit. The operand stands
// in it once, and nothing in it raises.
std::string Narrowed(const std::string& wide, const Type& type);
// NULL for an infinity and for NaN, 0 for -0: the operand stands in it once.
std::string Finite(const std::string& operand, const Type& type);
// NULL instead of a date or timestamp outside the years 1 to 9999.
std::string InCalendar(const std::string& operand, const Type& type);

// doubles.cc. PostgreSQL raises where a result is beyond all doubles and where it is so small that
// nothing is left of it. By these the first is NULL and the second 0, as in DuckDB; no operand is
// an infinity or NaN.
std::string Sum(const Application& a, const char* sign);
std::string Product(const Application& a);
std::string Quotient(const Application& a);

}  // namespace tacit::sql::postgres
