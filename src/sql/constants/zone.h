#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/time/time_zone.h"
#include "sql/tree.h"

// Whose clocks read what a query writes. A session's zone says which instant a timestamp without an
// offset is, and which day an instant is on: so PostgreSQL reads constants. The zone is put on the
// literals, and is gone when they are folded and bound: what a plan holds is in UTC, and the same
// instant in another zone's spelling is the same question.
namespace tacit::sql {

// The query with the zone on every literal that a cast may have to read by it.
Query InZone(const Query& query, const std::shared_ptr<const TimeZone>& zone);

// The instant at which the zone's clocks show so many microseconds since 1970; and what they show
// at an instant.
int64_t InstantAt(const TimeZone& zone, int64_t shown);
int64_t ShownAt(const TimeZone& zone, int64_t instant);

// Of a date, a timestamp or a timestamp with time zone, by the zone on it: the instant in UTC; what
// clocks show. Nothing for other literals.
std::optional<int64_t> UtcOf(const Literal& literal);
std::optional<int64_t> ShownOf(const Literal& literal);

// What clocks of the literal's zone show, as a literal of one of these kinds that keeps the zone.
std::optional<Literal> AsShown(LiteralKind kind, int64_t shown,
                               const std::shared_ptr<const TimeZone>& zone);

// Written rows, in which a column that holds an instant holds nothing but instants: a time without
// a zone beside one is read by the session's clocks.
Values WithInstants(const Values& values);

}  // namespace tacit::sql
