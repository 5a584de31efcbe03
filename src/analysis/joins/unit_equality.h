#pragma once

#include <utility>

#include "analysis/known.h"

// Equalities, and those of units above all: joins.md has the claims that rest on them.
namespace tacit::analysis {

// The equality that a conjunct is, a = b and nothing else; or nothing.
const sql::Operator* PlainEquality(const Expression& conjunct);

// Whether values of both types are compared as they are, not as what conversions make of them: two
// large bigints can be one double.
bool CompareExactly(const sql::Type& a, const sql::Type& b);

// Two columns that each equal the unit, or are NULL where it is missing, of different scans.
bool IsUnitEquality(const Known& known, const Expression& conjunct);
// The same, one of each side.
bool IsUnitEqualityOf(const Known& known, const Expression& conjunct, const Rows& left,
                      const Rows& right);

// The units that both carry are equal where they are the same person, and nowhere else.
bool CompareAsUnits(const Known& known, const Rows& left, const Rows& right);

// An equality of the units of rows that carry one unit: always true of them, so it is left out.
bool HoldsByUnits(const Known& known, const Expression& conjunct);

// What a join of both compares first, found by the equality of units that the query wrote.
std::pair<Expression, Expression> CarriedUnits(const Known& known, const Expression& equality,
                                               const Rows& left, const Rows& right);

}  // namespace tacit::analysis
