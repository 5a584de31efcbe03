#pragma once

#include <string>

#include "analysis/facts.h"
#include "analysis/known.h"
#include "analysis/query/sources.h"
#include "base/result.h"

// Questions about a small world, of which only names and types exist: people with one row each,
// their visits (3), notes (4) and events (1000); cards that lead to people and loans that lead to
// cards; gauges, whose people are numbered by doubles; answers, whose rows are the people; and
// public wards.
namespace tacit::analysis::testing {

// What analysis says of the query.
Result<Facts> Ask(const std::string& query);

// The name of the rule that refuses the query; empty where none does.
std::string RuleOf(const std::string& query);

// What it proves about an accepted query, and its first block; ends the program where it is
// refused.
Facts FactsOf(const std::string& query);
Block BlockOf(const std::string& query);

// What is known at the beginning of a query.
Known KnownOf(const std::string& query = "SELECT 1");

// Adds a scan of a protected table, under its own name.
ProtectedRows Scanned(Known& known, const std::string& table);

// An expression as the parser reads it, and as its names mean columns of `rows`.
Expression Written(const std::string& text);
Expression Resolved(Known& known, const ProtectedRows& rows, const std::string& text);

}  // namespace tacit::analysis::testing
