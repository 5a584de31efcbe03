#pragma once

#include "engine/statement/exact_aggregate.h"
#include "sql/print/postgres/postgres.h"

namespace tacit::engine::postgres {

// PostgreSQL's numerics, which have no end.
class PostgresAggregateWords final : public statement::AggregateWords {
 public:
  explicit PostgresAggregateWords(const sql::PostgresDialect& dialect) : dialect_(dialect) {}

  const sql::PartialDialect& Dialect() const override { return dialect_; }
  std::string Real(const std::string& digits) const override;
  std::string Truncated(const std::string& real) const override;
  std::string Wide(const std::string& number) const override;
  std::string WideNumber(const Integer& number) const override { return number.get_str(); }
  std::string Divided(const std::string& number, const std::string& by) const override;
  bool HasRoomFor(const Integer&) const override { return true; }
  std::string Sum(const std::string& summand) const override { return "sum(" + summand + ")"; }
  std::string Joined(const std::vector<std::string>& counts) const override;
  // Why 500: each is one more aggregate, and PostgreSQL's plans hold 1,664 of them.
  size_t CountsMax() const override { return 500; }
  std::string FullCells(const std::string& cell, const std::string& tail) const override;

 private:
  const sql::PostgresDialect& dialect_;
};

}  // namespace tacit::engine::postgres
