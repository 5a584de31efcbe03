#pragma once

#include <string>

#include "sql/print/partial_dialect.h"

namespace tacit::sql {

// PostgreSQL 15, from 14 on, without extensions, on columns as engine/postgres reads them.
class PostgresDialect final : public PartialDialect {
 public:
  std::string Constant(const Literal& literal, const Type& type) const override;
  std::string TypeName(const Type& type) const override;
  std::string Read(const std::string& column, const Type& type) const override;

 private:
  Rendering FindRendering(std::string_view name) const override;
  Text CastTo(const std::string& operand, const Type& from, const Type& to) const override;
  Text AggregateOf(const BoundAggregate& call, const Type& result,
                   const std::vector<std::string>& arguments, const std::string& order_by,
                   const std::string& tail) const override;
  std::string Applied(const std::string& text, const Type& result) const override;
};

}  // namespace tacit::sql
