#pragma once

#include "engine/statement/dialect.h"

namespace tacit::engine::duckdb {

namespace tree = plan::tree;

// DuckDB 1.5, with the functions of functions/own_functions.h.
const statement::Dialect& StatementDialect();

// ---- parts

// summand.cc
// The clamped grid integer of a summand, NULL for NULL; centred, and squared where squares are
// summed.
std::string PrintSummand(const std::string& value, const tree::Aggregate& aggregate);
// The exact value of a group, over columns of the Project.
std::string PrintAggregate(const tree::Aggregate& aggregate, tree::CountPeople people);
// What the unit's summands add up to, by their sizes, in the rows before this one.
std::string PrintOwnSumBefore(const tree::Aggregate& aggregate, const std::string& order);
// The list of a group that has no rows.
std::string PrintNoCells(const analysis::ExactMeasure& measure);
// How many people there are: the column u.
std::string PrintPeople(tree::CountPeople people);

}  // namespace tacit::engine::duckdb
