#pragma once

#include "analysis/known.h"
#include "base/error.h"

// Texts are free, and an analyst may provoke as many as they like: none of them names a column that
// the owner hides. Who names one knows it.
namespace tacit::analysis {

// Whether a text about the query may name a column: not one that the owner hides, unless the query
// names it itself.
bool MayName(const Known& known, const RowColumn& column);

// The refusal of a hidden column where it cannot stand.
Error HiddenColumn(const Known& known, const RowColumn& column, sql::Position position);

// The refusal of a column whose stored type has no rules.
Error OpaqueColumn(const Known& known, const RowColumn& column, sql::Position position);

// `error` says what is wrong with the columns that lead from a row of the table to its unit; where
// one of them is hidden, the result says it without names.
Error WrongPath(const Known& known, const policy::Table& table, const policy::UnitPath& path,
                Error error);

}  // namespace tacit::analysis
