#pragma once

#include <string>

#include "analysis/known.h"
#include "analysis/query/sources.h"

// Queries that would pass, for hints. They name no hidden column that the query does not name.
namespace tacit::analysis {

// "SELECT count(*) FROM rides": over one protected table of these rows.
std::string ExampleCount(const Rows& rows);

// "SELECT count(*) FROM rides a JOIN members b ON a.member_id = b.id", or nothing.
std::string ExampleJoin(const Known& known, const ProtectedRows& left, const ProtectedRows& right);

// What a set operation over protected rows asks for, in a form that has a rule: people who are in
// both parts, or in one alone, by IN; values by grouping each part. Nothing where there is none.
std::string ExampleForSets(const Known& known, const sql::SetOperation& written, const Source& left,
                           const Source& right);

}  // namespace tacit::analysis
