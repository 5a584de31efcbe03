#include <algorithm>

#include "analysis/analyzer.h"
#include "analysis/deep_walk.h"

// Texts are free, and an analyst may provoke as many as they like: none of them names a column that
// the owner hides. Who names one knows it.
namespace tacit::analysis {

bool Analyzer::Writes(const std::string& column) const {
  bool found = false;
  ForEachColumn(written_, [&](const sql::ColumnReference& written, sql::Position) {
    found = found || policy::SameName(written.column, column);
  });
  return found;
}

bool Analyzer::MayName(const RowColumn& column) const {
  return !column.hidden || Writes(column.column);
}

bool Analyzer::MayName(const std::string& table, const std::string& column) const {
  const policy::Table* declared = policy_.Find(table);
  return declared == nullptr || !declared->IsHidden(column) || Writes(column);
}

Error Analyzer::HiddenColumn(const RowColumn& column, sql::Position position) const {
  const bool named = MayName(column);
  return Refuse(rules::kHiddenColumn, position,
                named ? "the column " + column.table + "." + column.column + " is hidden"
                      : "a hidden column cannot stand here",
                "it can be counted: count(DISTINCT " + (named ? column.column : "...") + ")");
}

Error Analyzer::OpaqueColumn(const RowColumn& column, sql::Position position) const {
  return Refuse(rules::kTypeWithoutRule, position,
                (MayName(column) ? "the column " + column.table + "." + column.column
                                 : std::string("a hidden column")) +
                    " has a type without rules",
                "`tacit check` says which, and what the owner can store it as");
}

Error Analyzer::WrongPath(const policy::Table& table, const policy::UnitPath& path,
                          Error error) const {
  const bool named =
      MayName(path.root_table, path.root_column) &&
      std::all_of(path.hops.begin(), path.hops.end(), [&](const policy::UnitHop& hop) {
        return MayName(hop.from_table, hop.via) && MayName(hop.to_table, hop.to_column);
      });
  if (named) return error;
  error.public_message = "the columns that say whose a row of " + table.name +
                         " is cannot be relied on: their types, or a key that nothing keeps unique";
  error.hint = "the owner can run tacit check, which says what to do";
  return error;
}

}  // namespace tacit::analysis
