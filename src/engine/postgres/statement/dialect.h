#pragma once

#include <string>

#include "engine/postgres/catalog/catalog.h"
#include "engine/postgres/prepared/copies.h"
#include "engine/postgres/statement/aggregate_words.h"
#include "engine/server/statement.h"

namespace tacit::engine::postgres {

namespace tree = plan::tree;

// One statement for PostgreSQL.
class PostgresStatement final : public server::ServerStatement {
 public:
  explicit PostgresStatement(const Catalog& catalog, std::set<std::string> in_doubles = {},
                             const Copies& copies = {})
      : ServerStatement(catalog, std::move(in_doubles)), copies_(copies) {}

  const sql::PostgresDialect& Words() const override { return words_; }
  std::string Name() const override { return "PostgreSQL"; }
  std::string Parameter(size_t number, const std::string& type) const override;
  std::string KeyValue(const policy::KeyValue& value) const override;
  std::string Values(const std::vector<std::string>& values) const override;
  std::string WholeNumbers(const Integer& low, const Integer& end, const Integer& step,
                           const std::string& type) const override;
  std::string Least(const std::string& table, const std::string& column) const override;
  std::string SemiJoin(const std::string& rows, const std::string& keys,
                       const std::string& on) const override;
  std::string PreparedTable(const std::string& table) const override;
  std::string PreparedUnit(const tree::Scan& scan) const override;

 private:
  const statement::AggregateWords& Sums() const override { return sums_; }
  std::string StoredTable(const CatalogTable& table) const override;
  std::string RowNumber(const CatalogTable& table) const override;
  std::string Bytes(const std::string& value, Stored stored, const ValueType& type) const override;
  std::string BytesOf(const std::string& text) const override;
  std::string BytesOfKey(size_t parameter) const override;
  std::string Digest(const std::string& bytes) const override;

  Copies copies_;
  sql::PostgresDialect words_;
  PostgresAggregateWords sums_{words_};
};

// The statement of a release, and of a public table. kUnsupported, by name, where PostgreSQL has no
// words that give the same; nothing is charged then.
Result<std::string> StatementOf(const plan::Release& release, const Catalog& catalog,
                                const Copies& copies = {});
Result<std::string> StatementOf(const plan::PublicTable& table, const Catalog& catalog);

// ---- parts

// row_bytes.cc: the bytes of a value as the row hash reads them (engine/duckdb/functions/
// row_hash.cc): a mark, and what DuckDB keeps, the most significant byte first. `value` is an
// expression of that form; it is NULL in some rows.
std::string PrintBytes(const std::string& value, Stored stored, const ValueType& type);

}  // namespace tacit::engine::postgres
