#pragma once

#include <set>
#include <string>

#include "engine/postgres/catalog/catalog.h"
#include "engine/statement/dialect.h"
#include "plan/private_plan.h"
#include "sql/print/postgres/postgres.h"

namespace tacit::engine::postgres {

namespace tree = plan::tree;

// One statement for PostgreSQL, over the tables of a catalog. What it has no words for is noted in
// missing(): such a statement is not run.
class PostgresStatement final : public statement::Dialect {
 public:
  // `in_doubles` are the columns of the Project that are computed in double precision.
  explicit PostgresStatement(const Catalog& catalog, std::set<std::string> in_doubles = {})
      : catalog_(catalog), in_doubles_(std::move(in_doubles)) {}

  const sql::PostgresDialect& Words() const override { return words_; }
  std::string Name() const override { return "PostgreSQL"; }
  const std::string& missing() const { return words_.missing(); }

  std::string Parameter(size_t number, const std::string& type) const override;
  std::string KeyValue(const policy::KeyValue& value) const override;
  std::string Values(const std::vector<std::string>& values) const override;
  std::string WholeNumbers(const Integer& low, const Integer& end, const Integer& step,
                           const std::string& type) const override;
  std::optional<std::string> AsDouble(const std::string& column,
                                      const ValueType& stored) const override;
  std::string Table(const std::string& table) const override;
  std::string Least(const std::string& table, const std::string& column) const override;
  statement::NumberedTable Numbered(const std::string& table,
                                    const std::vector<std::string>& stored_columns) const override;
  std::string RowHash(const tree::Scan& scan, const std::string& unit,
                      size_t key_parameter) const override;
  std::string FirstRanked(const statement::Ranked& ranked) const override;
  std::string GroupPlaced(const statement::RowsToPlace& rows) const override;
  std::string SemiJoin(const std::string& rows, const std::string& keys,
                       const std::string& on) const override;
  std::string ComparedLast(const std::string& equality) const override;
  std::string PreparedUnit(const tree::Scan& scan) const override;
  std::string Aggregate(const tree::Aggregate& aggregate, tree::CountPeople people) const override;
  std::string OwnSumBefore(const tree::Aggregate& aggregate,
                           const std::string& order) const override;
  std::string People(tree::CountPeople people, const std::string& filter) const override;
  std::string Nothing(const tree::Aggregate& aggregate) const override;

 private:
  // Of the parentheses: every column under its folded name.
  std::string ColumnsOf(const CatalogTable& table) const;
  std::string StoredTable(const CatalogTable& table) const;
  tree::Aggregate AsComputed(tree::Aggregate aggregate) const;

  const Catalog& catalog_;
  std::set<std::string> in_doubles_;
  sql::PostgresDialect words_;
};

// The statement of a release, and of a public table. kUnsupported, by name, where PostgreSQL has no
// words that give the same; nothing is charged then.
Result<std::string> StatementOf(const plan::Release& release, const Catalog& catalog);
Result<std::string> StatementOf(const plan::PublicTable& table, const Catalog& catalog);

// ---- parts (summand.cc)

// The grid integer of a summand, clamped; NULL for NULL; exact in whatever order it is added up.
std::string PrintSummand(const std::string& value, const tree::Aggregate& aggregate,
                         const sql::PostgresDialect& words);
std::string PrintAggregate(const tree::Aggregate& aggregate, tree::CountPeople people,
                           const sql::PostgresDialect& words);
std::string PrintOwnSumBefore(const tree::Aggregate& aggregate, const std::string& order,
                              const sql::PostgresDialect& words);

// row_bytes.cc: the bytes of a value as the row hash reads them (engine/duckdb/functions/
// row_hash.cc): a mark, and what DuckDB keeps, the most significant byte first. `value` is an
// expression of that form; it is NULL in some rows.
std::string PrintBytes(const std::string& value, Stored stored, const ValueType& type);

}  // namespace tacit::engine::postgres
