#pragma once

#include <string>

#include "sql/print/partial_dialect.h"

namespace tacit::sql {

// Trino, tested with 476, on columns as engine/trino reads them: texts are varchar without a
// length, instants have six digits, those with a zone are in UTC.
class TrinoDialect final : public PartialDialect {
 public:
  std::string Constant(const Literal& literal, const Type& type) const override;
  std::string TypeName(const Type& type) const override;
  std::string Read(const std::string& column, const Type& type) const override;

 private:
  Rendering FindRendering(std::string_view name) const override;
  bool Takes(const Application& a) const override;
  Text CastTo(const std::string& operand, const Type& from, const Type& to) const override;
  Text AggregateOf(const BoundAggregate& call, const Type& result,
                   const std::vector<std::string>& arguments, const std::string& order_by,
                   const std::string& tail) const override;
};

}  // namespace tacit::sql
