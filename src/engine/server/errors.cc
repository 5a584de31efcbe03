#include "engine/server/errors.h"

namespace tacit::engine::server {

Error Unreachable(const std::string& why) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the database cannot be reached or read; nothing was charged",
               .hint = "try again; the owner finds more with `tacit check`",
               .position = std::nullopt,
               .private_detail = why};
}

Error TableChanged(const std::string& table, const std::string& how) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the table " + table + " is not what it was when this gateway " +
                                 "read the policy; nothing was charged",
               .hint = "the owner runs `tacit check`, and lets the gateway reload its policy",
               .position = std::nullopt,
               .private_detail = how};
}

std::vector<std::string> NamesOf(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const CatalogTable& table : catalog.tables) names.push_back(table.name);
  return names;
}

Result<Done> CheckUsable(const Catalog& catalog, const std::vector<std::string>& tables) {
  for (const std::string& table : tables) {
    const auto refused = catalog.refused.find(policy::FoldedName(table));
    if (refused == catalog.refused.end()) continue;
    return InvalidArgument(
        "the table " + table + " of schema " + catalog.schema + " " + refused->second,
        "let the policy name an ordinary table that this role can read");
  }
  return Done{};
}

Result<Done> CheckSame(const Catalog& before, const Catalog& now) {
  for (const CatalogTable& table : before.tables) {
    const CatalogTable* found = now.Find(table.name);
    if (found == nullptr) {
      const auto refused = now.refused.find(policy::FoldedName(table.name));
      return TableChanged(table.name,
                          refused == now.refused.end() ? "it is gone" : "it " + refused->second);
    }
    if (!(*found == table)) return TableChanged(table.name, "its columns are others");
  }
  return Done{};
}

}  // namespace tacit::engine::server
