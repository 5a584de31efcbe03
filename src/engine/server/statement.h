#pragma once

#include <set>
#include <string>
#include <string_view>

#include "engine/server/catalog.h"
#include "engine/statement/dialect.h"
#include "engine/statement/exact_aggregate.h"
#include "plan/private_plan.h"

namespace tacit::engine::server {

namespace tree = plan::tree;

// One statement for a server, over the tables of a catalog: what servers have in common. What one
// has no words for is noted in missing(): such a statement is not run.
class ServerStatement : public statement::Dialect {
 public:
  const sql::PartialDialect& Words() const override = 0;
  const std::string& missing() const { return Words().missing(); }

  std::optional<std::string> AsDouble(const std::string&, const ValueType&) const override {
    return std::nullopt;
  }
  std::string Table(const std::string& table) const override;
  statement::NumberedTable Numbered(const std::string& table,
                                    const std::vector<std::string>& stored_columns) const override;
  std::string FirstRanked(const statement::Ranked& ranked) const override;
  std::string GroupPlaced(const statement::RowsToPlace& rows) const override;
  std::string ComparedLast(const std::string& equality) const override { return equality; }
  std::string PreparedUnit(const tree::Scan& scan) const override;
  std::string Aggregate(const tree::Aggregate& aggregate, tree::CountPeople people) const override;
  std::string OwnSumBefore(const tree::Aggregate& aggregate,
                           const std::string& order) const override;
  std::string People(tree::CountPeople people, const std::string& filter) const override;
  std::string Nothing(const tree::Aggregate& aggregate) const override;
  std::string RowHash(const tree::Scan& scan, const std::string& unit,
                      size_t key_parameter) const override;

 protected:
  // `in_doubles` are the columns of the Project that are computed in double precision.
  ServerStatement(const Catalog& catalog, std::set<std::string> in_doubles)
      : catalog_(catalog), in_doubles_(std::move(in_doubles)) {}
  const Catalog& catalog() const { return catalog_; }
  // Every column under its folded name.
  std::string ColumnsOf(const CatalogTable& table) const;

 private:
  virtual const statement::AggregateWords& Sums() const = 0;
  // What stands in FROM for a stored table, and what numbers its rows in one statement.
  virtual std::string StoredTable(const CatalogTable& table) const = 0;
  virtual std::string RowNumber(const CatalogTable& table) const = 0;
  // The bytes of a value as the row hash reads them (engine/duckdb/functions/row_hash.cc): a mark,
  // and what DuckDB keeps, the most significant byte first. It is NULL in some rows.
  virtual std::string Bytes(const std::string& value, Stored stored,
                            const ValueType& type) const = 0;
  // The same of what is written out: of a text, and of the hash's key.
  virtual std::string BytesOf(const std::string& text) const = 0;
  virtual std::string BytesOfKey(size_t parameter) const = 0;
  // The first eight bytes of the digest, which compare as they do as a number.
  virtual std::string Digest(const std::string& bytes) const = 0;
  tree::Aggregate AsComputed(tree::Aggregate aggregate) const;

  const Catalog& catalog_;
  std::set<std::string> in_doubles_;
};

// A text as the row hash reads it, in hex: a mark, four bytes for its length, and itself.
std::string MarkedHex(std::string_view text);

// The columns of a release's Project that are computed in double precision.
std::set<std::string> InDoubles(const tree::ExactNode& exact);
// The statement of a release, and of a public table. kUnsupported, by name, where the server has no
// words that give the same; nothing is charged then.
Result<std::string> PrintRelease(const plan::Release& release, const ServerStatement& dialect);
Result<std::string> PrintPublic(const plan::PublicTable& table, const ServerStatement& dialect);

}  // namespace tacit::engine::server
