#pragma once

#include "analysis/known.h"

// What a calendar of cells says of an expression: decided from the expression and the policy alone.
// keys.md has the claim and its proof.
namespace tacit::analysis {

// Whether the expression has one value for all values of the column within one cell, whatever its
// other columns are. `type` is the column's: a date is the beginning of its day.
bool IsConstantWithin(const Expression& expression, const sql::ColumnReference& column,
                      const ValueType& type, policy::CalendarStep cell);

// The condition on the beginnings of the cells that holds for every cell in which a value of the
// column can meet `condition`; absent where nothing is known of it.
Expression OnCells(const Expression& condition, const sql::ColumnReference& column,
                   const ValueType& type, policy::CalendarStep cell);

// That a value of the column lies in the calendar; NULL does where `with_null` says so.
Expression LiesIn(const sql::ColumnReference& column, const ValueType& type,
                  const policy::KeyCalendar& calendar, bool with_null);

}  // namespace tacit::analysis
