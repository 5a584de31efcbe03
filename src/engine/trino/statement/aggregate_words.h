#pragma once

#include "engine/statement/exact_aggregate.h"
#include "sql/print/trino/trino.h"

namespace tacit::engine::trino {

// Trino's decimals of 38 digits. A sum that has more raises: such ones are refused beforehand, by
// the size of what is added up.
class TrinoAggregateWords final : public statement::AggregateWords {
 public:
  explicit TrinoAggregateWords(const sql::TrinoDialect& dialect) : dialect_(dialect) {}

  const sql::PartialDialect& Dialect() const override { return dialect_; }
  std::string Real(const std::string& digits) const override;
  std::string Truncated(const std::string& real) const override;
  std::string Wide(const std::string& number) const override;
  std::string WideNumber(const Integer& number) const override;
  std::string Divided(const std::string& number, const std::string& by) const override;
  bool HasRoomFor(const Integer& summand) const override;
  std::string Sum(const std::string& summand) const override;
  std::string Joined(const std::vector<std::string>& counts) const override;
  // Why 250: an array that is written out holds 254 values.
  size_t CountsMax() const override { return 250; }
  std::string FullCells(const std::string& cell, const std::string& tail) const override;

 private:
  const sql::TrinoDialect& dialect_;
};

}  // namespace tacit::engine::trino
