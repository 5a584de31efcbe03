#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/print/rendering.h"

// How Trino writes each function so that no row can make it raise: TRY does not catch everything,
// and costs more than a guard. Internal to src/sql/print/trino.
namespace tacit::sql::trino {

Rendering FindRendering(std::string_view name);  // nullptr when there is none

Renderings ArithmeticRenderings();
Renderings ComparisonRenderings();
Renderings MathRenderings();
Renderings TextRenderings();
Renderings DateRenderings();

std::string TypeName(const Type& type);
std::string CastText(const std::string& operand, const Type& to);  // CAST(x AS t)
Text Cast(const std::string& operand, const Type& from, const Type& to);
// to_char.cc
Text PrintToChar(const Application& a);
Text Aggregate(const BoundAggregate& call, const Type& result,
               const std::vector<std::string>& arguments, const std::string& order_by,
               const std::string& tail);

// A whole number of a wider type as one of `type`, NULL where it does not fit. The operand stands
// in it once, and nothing in it raises.
std::string Narrowed(const std::string& wide, const Type& type);
// NULL for an infinity and for NaN, 0 for -0.
std::string Finite(const std::string& operand, const Type& type);
// To the nearest whole number, ties to even: Trino's own rounds them away from zero.
std::string RoundEven(const std::string& operand);
// NULL instead of a date or timestamp outside the years 1 to 9999.
std::string InCalendar(const std::string& operand, const Type& type);
// A timestamp with time zone as the timestamp in UTC, and back.
std::string ToUtc(const std::string& instant);
std::string OfUtc(const std::string& timestamp);
// The last six digits of a timestamp's text, and its seconds with them.
std::string SecondsText(const std::string& timestamp);

}  // namespace tacit::sql::trino
