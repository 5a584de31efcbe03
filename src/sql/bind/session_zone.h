#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/time/time_zone.h"
#include "sql/bind/bind.h"
#include "sql/tree.h"

// Whose clocks cut what is stored with a zone: date_trunc, extract, casts to a date and their like
// go by the session's, as PostgreSQL's do. The zone is written into the expression, by its name in
// the IANA database, so that it is part of what is asked wherever it matters, and nowhere else. A
// zone's rules are public, and AT TIME ZONE is total: docs/total_functions.md.
namespace tacit::sql {

// The name by which the engine knows the zone; empty for UTC, by whatever name, and for none.
std::string ZoneName(const std::shared_ptr<const TimeZone>& zone);

// The expression with the zone where one of its operands is an instant and the result depends on
// clocks. `type_of` gives an operand's type, or nothing. What is written already stays.
using TypeOfOperand = std::function<std::optional<Type>(const Expression&)>;
Expression ReadInZone(const Expression& expression, const TypeOfOperand& type_of,
                      const std::string& zone);

// Refuses what still goes by UTC's clocks: an instant that becomes something without a zone, or the
// reverse, or is cut. In a session with another zone that would be wrong by hours.
Result<Done> CheckZone(const Bound& bound, const std::string& zone);

}  // namespace tacit::sql
