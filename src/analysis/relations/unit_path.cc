#include "analysis/relations/unit_path.h"

#include "analysis/rules.h"
#include "analysis/table_scan.h"
#include "base/mutant.h"
#include "policy/stored_types.h"

namespace tacit::analysis {
namespace {

// Who somebody is, and which parent a row has, is told by comparing: the server refuses such a
// policy whole (policy::CheckUnruledColumns), and so does a question.
Result<Done> CheckUnitTypes(const policy::UnitPath& path, const policy::Schema& schema,
                            sql::Position position) {
  const auto check = [&](const std::string& table, const std::string& column) -> Result<Done> {
    const policy::SchemaColumn* found = schema.Find(table, column);
    if (found == nullptr || found->without_rule.empty()) return Done{};
    const Error error = policy::UnruledColumn(*schema.Find(table), *found);
    return Refuse(rules::kTypeWithoutRule, position, error.public_message, error.hint);
  };
  if (!path.root_column.empty()) TACIT_CHECK(check(path.root_table, path.root_column));
  for (const policy::UnitHop& hop : path.hops) {
    TACIT_CHECK(check(hop.from_table, hop.via));
    TACIT_CHECK(check(hop.to_table, hop.to_column));
  }
  return Done{};
}

// Rows of a parent that two people have would follow whoever is there: adding one moves all rows
// that name the key. That no two can is the database's word, or was seen by prepare, whose copy
// carries the unit beside each row; it is never looked up in the rows of a query.
Result<Done> CheckParentKeys(const policy::UnitPath& path, const policy::SchemaTable& stored,
                             const policy::Schema& schema, sql::Position position) {
  for (const policy::UnitHop& hop : path.hops) {
    const policy::SchemaColumn* via = schema.Find(hop.from_table, hop.via);
    const policy::SchemaColumn* key = schema.Find(hop.to_table, hop.to_column);
    if (via == nullptr || key == nullptr || policy::AreSameKeys(via->type, key->type) ||
        TACIT_MUTANT("foreign_key_of_another_type")) {
      continue;
    }
    const Error error = policy::OtherKeyType(hop);
    return Refuse(rules::kParentKey, position, error.public_message, error.hint);
  }
  if (stored.prepared || TACIT_MUTANT("parent_key_not_unique")) return Done{};
  for (size_t i = 0; i < path.hops.size(); ++i) {
    if (!path.NeedsUniqueKey(i)) continue;
    const policy::UnitHop& hop = path.hops[i];
    const policy::SchemaColumn* key = schema.Find(hop.to_table, hop.to_column);
    if (key != nullptr && key->unique) continue;
    return Refuse(
        rules::kParentKey, position,
        "a row of " + stored.name + " belongs to whom " + hop.to_table + "." + hop.to_column +
            " names, and nothing keeps that column unique",
        "the owner can run tacit prepare, which looks, or have the database keep it so: " +
            UniqueIndexSql(hop));
  }
  return Done{};
}

}  // namespace

bool IsOnUnitPath(const policy::UnitPath& path, const std::string& table,
                  const std::string& column) {
  if (path.hops.empty()) return policy::SameName(column, path.root_column);
  return policy::SameName(path.hops.front().from_table, table) &&
         policy::SameName(path.hops.front().via, column);
}

bool EqualsUnit(const policy::UnitPath& path, const std::string& table, const std::string& column) {
  if (!IsOnUnitPath(path, table, column)) return false;
  if (path.hops.empty()) return true;
  return path.hops.size() == 1 && policy::SameName(path.hops.front().to_column, path.root_column);
}

ValueType UnitTypeOf(const policy::Schema& schema, const policy::UnitPath& path,
                     const policy::SchemaTable& stored) {
  const policy::SchemaTable* root =
      path.hops.empty() ? &stored : schema.Find(path.hops.back().to_table);
  const std::string& name =
      path.root_column.empty() ? path.hops.back().to_column : path.root_column;
  const policy::SchemaColumn* column = root == nullptr ? nullptr : root->Find(name);
  return column == nullptr ? kOpaqueType : column->type;
}

// proof: analysis/relations/scan.md#claim
Result<Done> CheckUnitPath(const policy::Schema& schema, const policy::UnitPath& path,
                           const policy::SchemaTable& stored, sql::Position position) {
  TACIT_CHECK(CheckUnitTypes(path, schema, position));
  return CheckParentKeys(path, stored, schema, position);
}

}  // namespace tacit::analysis
