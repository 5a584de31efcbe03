#pragma once

#include <functional>
#include <set>
#include <string>

#include "sql/tree.h"

namespace tacit::analysis {

// Calls `visit` on every relation of the query, those inside joins, subqueries and WITH included.
void ForEachRelation(const sql::Query& query,
                     const std::function<void(const sql::Relation&)>& visit);

// Every expression that stands in the query itself; subqueries' are left out.
void ForEachExpression(const sql::QueryNode& node,
                       const std::function<void(const sql::Expression&)>& visit);

// Every column reference anywhere in the query, subqueries included.
void ForEachColumn(const sql::Query& query,
                   const std::function<void(const sql::ColumnReference&, sql::Position)>& visit);

// The names of tables, and of common tables, that occur anywhere in the query.
std::set<std::string> TableNamesIn(const sql::Query& query);
std::set<std::string> CommonTableNamesIn(const sql::Query& query);

}  // namespace tacit::analysis
