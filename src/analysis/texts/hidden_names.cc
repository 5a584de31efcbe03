#include "analysis/texts/hidden_names.h"

#include <algorithm>

#include "analysis/deep_walk.h"
#include "analysis/rules.h"
#include "sql/print/quote.h"

namespace tacit::analysis {
namespace {

bool Writes(const Known& known, const std::string& column) {
  bool found = false;
  ForEachColumn(known.written, [&](const sql::ColumnReference& written, sql::Position) {
    found = found || policy::SameName(written.column, column);
  });
  return found;
}

bool MayNameStored(const Known& known, const std::string& table, const std::string& column) {
  const policy::Table* declared = known.policy.Find(table);
  return declared == nullptr || !declared->IsHidden(column) || Writes(known, column);
}

}  // namespace

bool MayName(const Known& known, const RowColumn& column) {
  return !column.hidden || Writes(known, column.column);
}

Error HiddenColumn(const Known& known, const RowColumn& column, sql::Position position) {
  const bool named = MayName(known, column);
  return Refuse(rules::kHiddenColumn, position,
                named ? "the column " + column.table + "." + column.column + " is hidden"
                      : "a hidden column cannot stand here",
                "it can be counted: count(DISTINCT " +
                    (named ? sql::QuoteIdentifierIfNeeded(column.column) : "...") + ")");
}

Error OpaqueColumn(const Known& known, const RowColumn& column, sql::Position position) {
  return Refuse(rules::kTypeWithoutRule, position,
                (MayName(known, column) ? "the column " + column.table + "." + column.column
                                        : std::string("a hidden column")) +
                    " has a type without rules",
                "`tacit check` says which, and what the owner can store it as");
}

Error WrongPath(const Known& known, const policy::Table& table, const policy::UnitPath& path,
                Error error) {
  const bool named =
      MayNameStored(known, path.root_table, path.root_column) &&
      std::all_of(path.hops.begin(), path.hops.end(), [&](const policy::UnitHop& hop) {
        return MayNameStored(known, hop.from_table, hop.via) &&
               MayNameStored(known, hop.to_table, hop.to_column);
      });
  if (named) return error;
  error.public_message = "the columns that say whose a row of " + table.name +
                         " is cannot be relied on: their types, or a key that nothing keeps unique";
  error.hint = "the owner can run tacit check, which says what to do";
  return error;
}

}  // namespace tacit::analysis
