#pragma once

#include "analysis/known.h"

// What is known of the columns that a resolved expression names: t1.age, tacit_constant.v1.
namespace tacit::analysis {

// A released value that stands for a subquery, not a column of a row.
inline bool IsConstant(const sql::ColumnReference& reference) {
  return reference.table == kConstantTable;
}

// The column that an expression is, bare; nothing for anything else.
const sql::ColumnReference* BareColumn(const Expression& expression);

// The column of a scan that a resolved reference means.
const RowColumn& ColumnOf(const Known& known, const sql::ColumnReference& reference);

// A column that is the unit's own value in every row: not one of the side of an outer join that may
// be missing, where NULL stands in rows of many people.
bool NamesUnit(const Known& known, const Expression& expression);

// A column that is NULL in no row: not one of the side of an outer join that may be missing.
bool IsNeverNull(const Known& known, const Expression& expression);

// Whether one of its columns is hidden; whether one is the unit or leads to it.
bool UsesHidden(const Known& known, const Expression& expression);
bool UsesUnit(const Known& known, const Expression& expression);

}  // namespace tacit::analysis
