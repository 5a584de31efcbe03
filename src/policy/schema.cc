#include "policy/schema.h"

namespace tacit::policy {
namespace {

char FoldedLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool SameName(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (FoldedLetter(a[i]) != FoldedLetter(b[i])) return false;
  }
  return true;
}

std::string FoldedName(std::string_view name) {
  std::string folded(name);
  for (char& c : folded) c = FoldedLetter(c);
  return folded;
}

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
