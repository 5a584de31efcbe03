#include "sql/bind/scope.h"

#include <algorithm>

#include "sql/error_at.h"

namespace tacit::sql {
namespace {

Error NameError(std::string message, Position position) {
  return ErrorAt(ErrorCode::kInvalidQuery, position, std::move(message));
}

char Folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool FitsWithoutCase(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Folded(x) == Folded(y); });
}

Result<ScopeColumn> Scope::Find(const ColumnReference& reference, Position position) const {
  bool table_known = reference.table.empty();
  for (const bool exactly : {true, false}) {
    const auto fits = [&](const std::string& written, const std::string& known) {
      return exactly ? written == known : FitsWithoutCase(written, known);
    };
    for (const Scope* scope = this; scope != nullptr; scope = scope->parent) {
      const ScopeColumn* found = nullptr;
      for (const ScopeColumn& candidate : scope->columns) {
        if (!reference.table.empty() && !fits(reference.table, candidate.table)) continue;
        table_known = true;
        if (!fits(reference.column, candidate.column.name)) continue;
        if (reference.table.empty() && candidate.merged) continue;
        if (found != nullptr) {
          return NameError("column reference \"" + reference.column + "\" is ambiguous", position);
        }
        found = &candidate;
      }
      if (found != nullptr) return *found;
    }
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
