#include "engine/postgres/statement/dialect.h"

#include "engine/duckdb/prepare/prepared_tables.h"
#include "engine/statement/printer.h"
#include "plan/above/post_text.h"
#include "sql/print/quote.h"

namespace tacit::engine::postgres {

std::string PostgresStatement::Parameter(size_t number, const std::string& type) const {
  const std::string text = "CAST($" + std::to_string(number) + " AS " + type + ")";
  return type == "text" ? "(" + text + " COLLATE \"C\")" : text;
}

std::string PostgresStatement::KeyValue(const policy::KeyValue& value) const {
  const std::string text = plan::KeyValueText(value);
  return value.kind == policy::KeyValue::Kind::kText ? "(" + text + " COLLATE \"C\")" : text;
}

std::string PostgresStatement::Values(const std::vector<std::string>& values) const {
  return "SELECT * FROM (VALUES (" + statement::ListOf(values, "), (") + ")) AS listed(v)";
}

std::string PostgresStatement::WholeNumbers(const Integer& low, const Integer& end,
                                            const Integer& step, const std::string& type) const {
  const Integer last = end - 1;
  const auto number = [](const Integer& of) { return "CAST('" + of.get_str() + "' AS bigint)"; };
  return "SELECT CAST(number AS " + type + ") AS v FROM generate_series(" + number(low) + ", " +
         number(last) + ", " + number(step) + ") AS number";
}

// ONLY: rows of tables that inherit from it are in no key of its own. Partitions are its rows.
std::string PostgresStatement::StoredTable(const CatalogTable& table) const {
  return std::string(table.is_partitioned ? "" : "ONLY ") + sql::QuoteIdentifier(catalog().schema) +
         "." + sql::QuoteIdentifier(table.name);
}

// PostgreSQL has no min() of these.
std::string PostgresStatement::Least(const std::string& name, const std::string& column) const {
  const std::string text = words_.Identifier(column);
  const CatalogTable* table = catalog().Find(name);
  const CatalogColumn* stored = table != nullptr ? table->Find(column) : nullptr;
  const bool has_least =
      stored == nullptr || (stored->stored != Stored::kUuid && stored->stored != Stored::kBoolean);
  return has_least ? "min(" + text + ")" : "(array_agg(" + text + " ORDER BY " + text + "))[1]";
}

std::string PostgresStatement::SemiJoin(const std::string& rows, const std::string& keys,
                                        const std::string& on) const {
  return "(SELECT * FROM (" + rows + ") AS rows WHERE EXISTS (SELECT 1 FROM (" + keys +
         ") AS keys WHERE " + on + ")) AS rows";
}

// Of several partitions each has a first row.
std::string PostgresStatement::RowNumber(const CatalogTable& table) const {
  return table.is_partitioned ? "row_number() OVER ()" : "ctid";
}

std::string PostgresStatement::Bytes(const std::string& value, Stored stored,
                                     const ValueType& type) const {
  return PrintBytes(value, stored, type);
}

std::string PostgresStatement::BytesOf(const std::string& text) const {
  return "'\\x" + server::MarkedHex(text) + "'::bytea";
}

std::string PostgresStatement::BytesOfKey(size_t parameter) const {
  return "CAST($" + std::to_string(parameter) + " AS bytea)";
}

std::string PostgresStatement::Digest(const std::string& bytes) const {
  return "substring(sha256(" + bytes + ") FROM 1 FOR 8)";
}

// The copy's columns under the names that a tree uses.
std::string PostgresStatement::PreparedTable(const std::string& name) const {
  const CatalogTable* table = catalog().Find(name);
  const auto copy = copies_.find(policy::FoldedName(name));
  if (table == nullptr || copy == copies_.end()) return words_.Missing("a copy of " + name);
  std::vector<std::string> items;
  for (size_t i = 0; i < table->columns.size(); ++i) {
    items.push_back(CopyColumn(i) + " AS " + words_.Identifier(table->columns[i].seen.name));
  }
  for (const size_t i : copy->second.grids) {
    items.push_back(GridOfCopy(i) + " AS " +
                    words_.Identifier(duckdb::GridColumn(table->columns.at(i).seen.name)));
  }
  for (const char* own : {analysis::kUnitColumn, statement::kRankColumn}) items.emplace_back(own);
  return "(SELECT " + statement::ListOf(items, ", ") + " FROM ONLY " + copy->second.relation + ")";
}

std::string PostgresStatement::PreparedUnit(const tree::Scan& scan) const {
  const auto item = [this](const char* column) {
    return words_.Identifier("tacit_base") + "." + words_.Identifier(column) + " AS " +
           words_.Identifier(column);
  };
  const std::string unit = item(analysis::kUnitColumn);
  return scan.ranked ? unit + ", " + item(statement::kRankColumn) : unit;
}

Result<std::string> StatementOf(const plan::Release& release, const Catalog& catalog,
                                const Copies& copies) {
  return server::PrintRelease(
      release, PostgresStatement(catalog, server::InDoubles(*release.exact), copies));
}

Result<std::string> StatementOf(const plan::PublicTable& table, const Catalog& catalog) {
  return server::PrintPublic(table, PostgresStatement(catalog));
}

}  // namespace tacit::engine::postgres
