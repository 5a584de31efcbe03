#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sql/tree.h"

namespace tacit::sql {

// The operands of an expression in source order, window and aggregate clauses included; the insides
// of subqueries are not.
std::vector<Expression> Children(const Expression& expression);

// Calls `visit` on the expression and everything under it, parents first; a visit that returns
// false leaves out the node's children. Does not enter subqueries.
void Visit(const Expression& expression, const std::function<bool(const Expression&)>& visit);

// Rebuilds an expression bottom-up: `change` gets each node with its children already changed and
// returns its replacement. Untouched parts stay shared; positions are kept. Does not enter
// subqueries.
Expression Transform(const Expression& expression,
                     const std::function<Expression(const Expression&)>& change);

// Every column reference in the expression, in source order, duplicates included; those inside
// subqueries are left out.
std::vector<ColumnReference> ColumnsIn(const Expression& expression);

bool HasAggregate(const Expression& expression);  // of this query level; windows are no aggregates
bool HasWindow(const Expression& expression);
bool HasSubquery(const Expression& expression);

// a AND (b AND c) as {a, b, c}; an absent condition as {}.
std::vector<Expression> SplitConjuncts(const Expression& condition);
// The reverse; {} becomes an absent condition.
Expression JoinConjuncts(std::vector<Expression> conjuncts);

// PostgreSQL's name for an output column: its alias, the column's or function's name, "case",
// or "?column?".
std::string OutputName(const SelectItem& item);

// GROUP BY with positions and output aliases replaced by the select list's expressions, as
// PostgreSQL does: an unqualified name is an input column if `is_input_column` says so, else an
// alias. The error points at the item.
struct InputColumnTest {
  std::function<bool(const std::string&)> is_input_column;
};
Result<std::vector<Expression>> ResolveGroupBy(const Select& select, const InputColumnTest& test);

// ORDER BY items likewise: here an output alias wins over an input column.
Result<std::vector<OrderItem>> ResolveOrderBy(const std::vector<OrderItem>& order_by,
                                              const std::vector<SelectItem>& items);

// Equal trees have equal hashes.
uint64_t HashOf(const Expression& expression);

}  // namespace tacit::sql
