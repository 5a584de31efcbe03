#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/server/statement.h"
#include "engine/trino/statement/aggregate_words.h"
#include "engine/value.h"

namespace tacit::engine::trino {

using server::Catalog;
using server::CatalogTable;
using server::Stored;
namespace tree = plan::tree;

// What $1, $2, ... stand for: Trino is told values in the statement itself. While a statement is
// only looked at each is NULL, of its own type.
struct Bound {
  std::vector<Value> values = {};
  std::string row_key = {};
};

// One statement for Trino, over the tables of a catalog; `database` is Trino's own word catalog.
class TrinoStatement final : public server::ServerStatement {
 public:
  TrinoStatement(const Catalog& tables, std::string database, Bound bound = {},
                 std::set<std::string> in_doubles = {})
      : ServerStatement(tables, std::move(in_doubles)),
        database_(std::move(database)),
        bound_(std::move(bound)) {}

  const sql::TrinoDialect& Words() const override { return words_; }
  std::string Name() const override { return "Trino"; }
  std::string Parameter(size_t number, const std::string& type) const override;
  std::string KeyValue(const policy::KeyValue& value) const override;
  std::string Values(const std::vector<std::string>& values) const override;
  std::string KeyValues(const std::vector<policy::KeyValue>& keys,
                        const std::string& type) const override;
  std::string WholeNumbers(const Integer& low, const Integer& end, const Integer& step,
                           const std::string& type) const override;
  std::string SemiJoin(const std::string& rows, const std::string& keys,
                       const std::string& on) const override;

 private:
  const statement::AggregateWords& Sums() const override { return sums_; }
  std::string StoredTable(const CatalogTable& table) const override;
  std::string RowNumber(const CatalogTable& table) const override;
  std::string Bytes(const std::string& value, Stored stored, const ValueType& type) const override;
  std::string BytesOf(const std::string& text) const override;
  std::string BytesOfKey(size_t parameter) const override;
  std::string Digest(const std::string& bytes) const override;

  std::string database_;
  Bound bound_;
  sql::TrinoDialect words_;
  TrinoAggregateWords sums_{words_};
};

// The statement of a release, and of a public table. kUnsupported, by name, where Trino has no
// words that give the same, or the text would be longer than it takes; nothing is charged then.
Result<std::string> StatementOf(const plan::Release& release, const Catalog& tables,
                                const std::string& database, Bound bound = {});
Result<std::string> StatementOf(const plan::PublicTable& table, const Catalog& tables,
                                const std::string& database);

// row_bytes.cc
std::string PrintBytes(const std::string& value, Stored stored, const ValueType& type);

}  // namespace tacit::engine::trino
