#include "engine/server/catalog.h"

#include <algorithm>
#include <set>

namespace tacit::engine::server {

void RefuseTwins(Catalog& catalog) {
  std::set<std::string> seen;
  for (const CatalogTable& table : catalog.tables) {
    const std::string folded = policy::FoldedName(table.name);
    if (!seen.insert(folded).second) {
      catalog.refused[folded] = "has a namesake that differs in capital letters only";
    }
    std::set<std::string> columns;
    for (const CatalogColumn& column : table.columns) {
      const std::string name = policy::FoldedName(column.seen.name);
      if (name.starts_with("tacit_")) {
        catalog.refused[folded] =
            "has the column " + column.seen.name + ": names that begin with tacit_ are Tacit's own";
      }
      if (columns.insert(name).second) continue;
      catalog.refused[folded] =
          "has two columns " + column.seen.name + " that differ in capital letters only";
    }
  }
  std::erase_if(catalog.tables, [&](const CatalogTable& table) {
    return catalog.refused.contains(policy::FoldedName(table.name));
  });
}

const CatalogColumn* CatalogTable::Find(const std::string& column) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const CatalogColumn& one) {
    return policy::SameName(one.seen.name, column);
  });
  return found == columns.end() ? nullptr : &*found;
}

const CatalogTable* Catalog::Find(const std::string& table) const {
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const CatalogTable& one) {
    return policy::SameName(one.name, table);
  });
  return found == tables.end() ? nullptr : &*found;
}

policy::Schema Catalog::Seen() const {
  policy::Schema all;
  for (const CatalogTable& table : tables) {
    policy::SchemaTable& seen = all.tables.emplace_back();
    seen.name = table.name;
    for (const CatalogColumn& column : table.columns) seen.columns.push_back(column.seen);
  }
  return all;
}

}  // namespace tacit::engine::server
