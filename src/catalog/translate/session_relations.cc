#include "catalog/settings.h"
#include "catalog/translate/translating.h"

namespace tacit::catalog {
namespace {

// For the eye: what is left is rounded down, what was spent up.
Cell Down(const std::optional<Rational>& value) {
  return value ? Cell(NumberText(*value, ToDoubleDown(*value))) : Cell();
}

Cell Up(const std::optional<Rational>& value) {
  return value ? Cell(NumberText(*value, ToDoubleUp(*value))) : Cell();
}

std::string RoleOid(const std::string& role) {
  return std::to_string(Objects::NumberOf("role " + role));
}

Row RoleRow(const Relation& relation, const std::string& name, const std::string& number,
            bool login) {
  return MakeRow(relation, {{"oid", number},
                            {"rolname", name},
                            {"rolsuper", "f"},
                            {"rolinherit", "t"},
                            {"rolcreaterole", "f"},
                            {"rolcreatedb", "f"},
                            {"rolcanlogin", login ? "t" : "f"},
                            {"rolreplication", "f"},
                            {"rolconnlimit", "-1"},
                            {"rolpassword", "********"},
                            {"rolbypassrls", "f"}});
}

std::vector<Row> RoleRows(Translating& in, const Relation& relation) {
  const std::string& analyst = in.around.asker.analyst;
  return {RoleRow(relation, kOwnerRole, std::to_string(kOwnerOid), false),
          RoleRow(relation, analyst, RoleOid(analyst), true)};
}

std::vector<Row> SettingRows(Translating& in, const Relation& relation) {
  std::vector<Row> rows;
  for (const catalog::Setting& known : KnownSettings()) {
    const std::string value = SettingOf(in, known.name);
    rows.push_back(MakeRow(relation, {{"name", known.name},
                                      {"setting", value},
                                      {"category", known.category},
                                      {"short_desc", known.about},
                                      {"context", known.context},
                                      {"vartype", known.type},
                                      {"source", value == known.value ? "default" : "session"},
                                      {"boot_val", known.value},
                                      {"reset_val", known.value},
                                      {"pending_restart", "f"}}));
  }
  return rows;
}

std::vector<Row> TacitSettingRows(Translating& in, const Relation& relation) {
  const policy::QueryPrice& price = in.around.policy.privacy.query;
  std::vector<Row> rows;
  for (const catalog::Setting& known : KnownSettings()) {
    const std::string name = known.name;
    if (!name.starts_with("tacit.")) continue;
    std::string standard = known.value;
    std::string about = known.about;
    if (name == "tacit.epsilon") {
      standard = ToString(price.epsilon.value);
      about += "; at most " + ToString(price.epsilon_max.value);
    }
    if (name == "tacit.delta") standard = ToString(price.delta.value);
    const std::string value = SettingOf(in, name);
    rows.push_back(MakeRow(relation, {{"name", name},
                                      {"value", value.empty() ? standard : value},
                                      {"default_value", standard},
                                      {"description", about}}));
  }
  return rows;
}

Result<std::vector<Row>> BudgetRows(Translating& in, const Relation& relation) {
  std::vector<Row> rows;
  if (!in.around.running || !in.around.asker.budget) return rows;
  TACIT_TRY(const std::vector<BudgetRow> accounts, in.around.asker.budget());
  for (const BudgetRow& account : accounts) {
    rows.push_back(MakeRow(relation, {{"scope", account.scope},
                                      {"epsilon_budget", Down(account.budget.epsilon)},
                                      {"epsilon_spent", Up(account.spent.epsilon)},
                                      {"epsilon_left", Down(account.left.epsilon)},
                                      {"delta_budget", Down(account.budget.delta)},
                                      {"delta_spent", Up(account.spent.delta)},
                                      {"delta_left", Down(account.left.delta)},
                                      {"rho_budget", Down(account.budget.rho)},
                                      {"rho_spent", Up(account.spent.rho)},
                                      {"rho_left", Down(account.left.rho)},
                                      {"charges", std::to_string(account.charges)}}));
  }
  return rows;
}

Result<std::vector<Row>> LedgerRows(Translating& in, const Relation& relation) {
  std::vector<Row> rows;
  if (!in.around.running || !in.around.asker.ledger) return rows;
  TACIT_TRY(const std::vector<LedgerRow> entries, in.around.asker.ledger());
  for (const LedgerRow& entry : entries) {
    std::string time = entry.time;
    if (time.ends_with('Z')) time.pop_back();
    rows.push_back(MakeRow(relation, {{"sequence", std::to_string(entry.sequence)},
                                      {"time", time},
                                      {"epsilon", Up(entry.cost.epsilon)},
                                      {"delta", Up(entry.cost.delta)},
                                      {"rho", Up(entry.cost.rho)},
                                      {"query_fingerprint", entry.query_fingerprint},
                                      {"policy_version", entry.policy_version},
                                      {"data_version", std::to_string(entry.data_version)},
                                      {"releases", std::to_string(entry.releases)},
                                      {"receipt", entry.receipt},
                                      {"question", entry.question}}));
  }
  return rows;
}

std::vector<Row> LastRows(Translating& in, const Relation& relation) {
  std::vector<Row> rows;
  const LastAnswer* last = in.around.asker.last.get();
  if (!in.around.running || last == nullptr) return rows;
  const auto word = [](const std::string& text) { return text.empty() ? Cell() : Cell(text); };
  for (const LastAnswer::Shown& column : last->columns) {
    rows.push_back(MakeRow(relation, {{"answer", std::to_string(last->number)},
                                      {"position", std::to_string(rows.size() + 1)},
                                      {"column_name", column.name},
                                      {"data_type", column.type},
                                      {"mechanism", word(column.mechanism)},
                                      {"scale", Up(column.scale)},
                                      {"moe95", Up(column.moe95)},
                                      {"condition", word(column.condition)},
                                      {"epsilon", Up(last->cost.epsilon)},
                                      {"delta", Up(last->cost.delta)},
                                      {"rho", Up(last->cost.rho)},
                                      {"cached", last->cached ? "t" : "f"},
                                      {"epsilon_left", Down(last->left.epsilon)},
                                      {"delta_left", Down(last->left.delta)},
                                      {"rho_left", Down(last->left.rho)},
                                      {"receipt", word(last->receipt)},
                                      {"notices", last->notices}}));
  }
  return rows;
}

using SomeRows = std::optional<std::vector<Row>>;

Result<SomeRows> RowsOfTacit(Translating& in, const Relation& relation) {
  const std::string& name = relation.name;
  if (name == "settings") return SomeRows(TacitSettingRows(in, relation));
  if (name == "last") return SomeRows(LastRows(in, relation));
  if (name == "budget") {
    TACIT_TRY(std::vector<Row> rows, BudgetRows(in, relation));
    return SomeRows(std::move(rows));
  }
  if (name == "ledger") {
    TACIT_TRY(std::vector<Row> rows, LedgerRows(in, relation));
    return SomeRows(std::move(rows));
  }
  return SomeRows();
}

SomeRows RowsOfInformationSchema(const Asker& asker, const Relation& relation) {
  const std::string& name = relation.name;
  if (name == "information_schema_catalog_name") {
    return SomeRows({MakeRow(relation, {{"catalog_name", asker.database}})});
  }
  if (name == "enabled_roles") {
    return SomeRows({MakeRow(relation, {{"role_name", asker.analyst}})});
  }
  if (name == "character_sets") {
    return SomeRows({MakeRow(relation, {{"character_set_name", "UTF8"},
                                        {"character_repertoire", "UCS"},
                                        {"form_of_use", "UTF8"},
                                        {"default_collate_catalog", asker.database},
                                        {"default_collate_schema", "pg_catalog"},
                                        {"default_collate_name", "default"}})});
  }
  return SomeRows();
}

}  // namespace

// What depends on who asks is never stored: it is part of the statement, as quoted constants.
Result<std::optional<std::vector<Row>>> SessionRows(Translating& in, const Relation& relation) {
  const Asker& asker = in.around.asker;
  const std::string& name = relation.name;
  if (relation.schema == "tacit") return RowsOfTacit(in, relation);
  if (relation.schema == "information_schema") return RowsOfInformationSchema(asker, relation);
  if (name == "pg_database") {
    return SomeRows({MakeRow(relation, {{"oid", std::to_string(kDatabaseOid)},
                                        {"datname", asker.database},
                                        {"datdba", std::to_string(kOwnerOid)},
                                        {"encoding", "6"},
                                        {"datlocprovider", "c"},
                                        {"datistemplate", "f"},
                                        {"datallowconn", "t"},
                                        {"datconnlimit", "-1"},
                                        {"datfrozenxid", "0"},
                                        {"datminmxid", "0"},
                                        {"dattablespace", "1663"},
                                        {"datcollate", "C"},
                                        {"datctype", "C"}})});
  }
  if (name == "pg_roles") return SomeRows(RoleRows(in, relation));
  if (name == "pg_user") {
    return SomeRows({MakeRow(relation, {{"usename", asker.analyst},
                                        {"usesysid", RoleOid(asker.analyst)},
                                        {"usecreatedb", "f"},
                                        {"usesuper", "f"},
                                        {"userepl", "f"},
                                        {"usebypassrls", "f"},
                                        {"passwd", "********"}})});
  }
  if (name == "pg_settings") return SomeRows(SettingRows(in, relation));
  if (name == "pg_stat_activity") {
    return SomeRows({MakeRow(relation, {{"datid", std::to_string(kDatabaseOid)},
                                        {"datname", asker.database},
                                        {"pid", std::to_string(asker.backend_pid)},
                                        {"usesysid", RoleOid(asker.analyst)},
                                        {"usename", asker.analyst},
                                        {"application_name", SettingOf(in, "application_name")},
                                        {"state", "active"},
                                        {"backend_type", "client backend"}})});
  }
  return SomeRows();
}

// Columns of stored relations that name the database or the analyst.
std::string Replacements(Translating& in, const Relation& relation) {
  std::string sql;
  if (relation.schema == "information_schema") {
    for (const RelationColumn& column : relation.columns) {
      const bool domain = column.name == "domain_catalog";
      if (domain || column.name == "table_catalog" || column.name == "catalog_name" ||
          column.name == "udt_catalog") {
        const std::string name = Quoted(in.around.asker.database);
        sql += (sql.empty() ? "" : ", ") +
               (domain ? "CASE WHEN domain_name IS NOT NULL THEN " + name + " END" : name) +
               " AS " + column.name;
      }
    }
    return sql;
  }
  if (relation.schema == "pg_catalog" && relation.name == "pg_class") {
    const std::string owner = kOwnerRole;
    std::string schemas =
        std::to_string(kPublicOid) + ", " + std::to_string(in.around.objects.SchemaOid("tacit"));
    return "CASE WHEN relnamespace IN (" + schemas + ") THEN [" +
           Quoted(owner + "=arwdDxt/" + owner) + ", " +
           Quoted(QuoteIdent(in.around.asker.analyst) + "=r/" + owner) +
           "] ELSE relacl END AS relacl";
  }
  return sql;
}

}  // namespace tacit::catalog
