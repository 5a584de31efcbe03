#include "policy/schema.h"

#include "base/ascii.h"

namespace tacit::policy {

bool SameName(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (LowerLetter(a[i]) != LowerLetter(b[i])) return false;
  }
  return true;
}

std::string FoldedName(std::string_view name) { return InSmallLetters(name); }

const SchemaColumn* SchemaTable::Find(std::string_view column) const {
  for (const SchemaColumn& candidate : columns) {
    if (SameName(candidate.name, column)) return &candidate;
  }
  return nullptr;
}

const SchemaTable* Schema::Find(std::string_view table) const {
  for (const SchemaTable& candidate : tables) {
    if (SameName(candidate.name, table)) return &candidate;
  }
  return nullptr;
}

const SchemaColumn* Schema::Find(std::string_view table, std::string_view column) const {
  const SchemaTable* found = Find(table);
  return found == nullptr ? nullptr : found->Find(column);
}

}  // namespace tacit::policy
