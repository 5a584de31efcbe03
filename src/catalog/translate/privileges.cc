#include "catalog/translate/translating.h"

// Lists of privileges: {"ana=r/tacit"} says that tacit gave ana the right to read.

namespace tacit::catalog {
namespace {

constexpr const char* kPrivileges[][2] = {
    {"r", "SELECT"},   {"a", "INSERT"},     {"w", "UPDATE"},    {"d", "DELETE"},
    {"D", "TRUNCATE"}, {"x", "REFERENCES"}, {"t", "TRIGGER"},   {"U", "USAGE"},
    {"C", "CREATE"},   {"c", "CONNECT"},    {"T", "TEMPORARY"}, {"X", "EXECUTE"},
};

// The number of a role by its name as such a list writes it; 0 is everybody.
std::string RoleNumber(const Translating& in, const std::string& name) {
  const std::string& analyst = in.around.asker.analyst;
  return "CASE " + name + " WHEN " + Quoted(kOwnerRole) + " THEN " + std::to_string(kOwnerOid) +
         " WHEN " + Quoted(QuoteIdent(analyst)) + " THEN " +
         std::to_string(Objects::NumberOf("role " + analyst)) + " ELSE 0 END";
}

}  // namespace

const std::vector<RangeColumn>& PrivilegeColumns() {
  static const std::vector<RangeColumn> columns = {{"grantor", oid::kOid},
                                                   {"grantee", oid::kOid},
                                                   {"privilege_type", oid::kText},
                                                   {"is_grantable", oid::kBool}};
  return columns;
}

Result<Expression> ExplodePrivileges(Translating& in, Expression list) {
  TACIT_TRY(const Expression settled, Settle(in, std::move(list), oid::kTextArray));
  std::string names = "CASE tacit_letter";
  for (const auto& [letter, name] : kPrivileges) {
    names += " WHEN " + Quoted(letter) + " THEN " + Quoted(name);
  }
  names += " END";
  const std::string letters =
      "string_split(split_part(split_part(tacit_item, '=', 2), '/', 1), '')";
  const std::string row = "{'grantor': " + RoleNumber(in, "split_part(tacit_item, '/', 2)") +
                          ", 'grantee': " + RoleNumber(in, "split_part(tacit_item, '=', 1)") +
                          ", 'privilege_type': " + names + ", 'is_grantable': false}";
  const std::string rows = "flatten(list_transform(coalesce(" + settled.sql +
                           ", CAST([] AS VARCHAR[])), lambda tacit_item: list_transform(" +
                           letters + ", lambda tacit_letter: " + row + ")))";
  return Expression{.sql = "unnest(list_filter(" + rows +
                           ", lambda tacit_row: tacit_row.privilege_type IS NOT NULL))",
                    .type = oid::kRecord};
}

}  // namespace tacit::catalog
