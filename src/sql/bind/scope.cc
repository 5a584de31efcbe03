#include "sql/bind/scope.h"

namespace tacit::sql {
namespace {

Error NameError(std::string message, Position position) {
  return Error{
      .code = ErrorCode::kInvalidQuery,
      .public_message = std::move(message),
      .hint = "",
      .position = position.offset >= 0 ? std::optional<int>(position.offset) : std::nullopt,
      .private_detail = ""};
}

}  // namespace

Result<ScopeColumn> Scope::Find(const ColumnReference& reference, Position position) const {
  bool table_known = reference.table.empty();
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent) {
    const ScopeColumn* found = nullptr;
    for (const ScopeColumn& candidate : scope->columns) {
      if (!reference.table.empty() && candidate.table != reference.table) continue;
      table_known = true;
      if (candidate.column.name != reference.column) continue;
      if (reference.table.empty() && candidate.merged) continue;
      if (found != nullptr) {
        return NameError("column reference \"" + reference.column + "\" is ambiguous", position);
      }
      found = &candidate;
    }
    if (found != nullptr) return *found;
  }
  if (!table_known) {
    return NameError("there is no table \"" + reference.table + "\" in FROM", position);
  }
  const std::string name = reference.table.empty() ? "\"" + reference.column + "\""
                                                   : reference.table + "." + reference.column;
  return NameError("column " + name + " does not exist", position);
}

bool Scope::Has(const std::string& name) const {
  for (const ScopeColumn& candidate : columns) {
    if (candidate.column.name == name) return true;
  }
  return false;
}

}  // namespace tacit::sql
