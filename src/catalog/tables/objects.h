#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/facts.h"
#include "catalog/types.h"
#include "policy/policy.h"
#include "policy/schema.h"

namespace tacit::catalog {

inline constexpr Oid kOwnerOid = 10;
inline constexpr Oid kPgCatalogOid = 11;
inline constexpr Oid kPublicOid = 2200;
inline constexpr Oid kDatabaseOid = 5;

// Everything that has a name: the system's relations, the views tacit.* and the policy's tables
// without their hidden columns. Numbers are made from names: the same after a restart, and in no
// order that says anything.
class Objects {
 public:
  Objects(const policy::Policy& policy, const policy::Schema& schema);

  const std::vector<Relation>& relations() const { return relations_; }
  const Relation* Find(std::string_view schema, std::string_view name) const;
  const Relation* Find(Oid relation) const;

  const std::map<std::string, Oid, std::less<>>& schemas() const { return schemas_; }
  Oid SchemaOid(std::string_view schema) const;  // 0: there is none
  std::string SchemaText(Oid schema) const;      // regnamespace

  // 'patients', 'public.patients', '"Patients"', '16400' as regclass reads them. 0: there is none.
  Oid ParseClass(std::string_view text) const;
  Oid ParseSchema(std::string_view text) const;
  // As regclass prints it; with its schema when that is not searched.
  std::string ClassText(Oid relation, bool public_is_searched) const;

  // The schemas of a search_path that exist, in its order.
  std::vector<std::string> Searched(std::string_view search_path) const;
  // Where a bare name is found: pg_catalog first, unless the path says where it comes.
  std::optional<std::string> SchemaOf(std::string_view name,
                                      const std::vector<std::string>& path) const;

  // A number for a name that is no relation: a role, a setting.
  static Oid NumberOf(std::string_view what);

 private:
  void AddRelation(Relation relation);

  std::vector<Relation> relations_;
  std::map<std::string, size_t, std::less<>> by_name_;  // "schema.name"
  std::map<Oid, size_t> by_oid_;
  std::map<std::string, Oid, std::less<>> schemas_;
};

// As quote_ident() of PostgreSQL: 'Visit Log' -> "Visit Log"; lower-case words that are no reserved
// ones stay bare.
std::string QuoteIdent(const std::string& name);

}  // namespace tacit::catalog
