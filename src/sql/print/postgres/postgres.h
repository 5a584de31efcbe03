#pragma once

#include <string>

#include "sql/print/dialect.h"

namespace tacit::sql {

// PostgreSQL 15, from 14 on, without extensions, on columns as engine/postgres reads them. A text
// means what DuckDbInsideUnitDialect's means, value for value. Where there is no such text, or none
// that is total, it is noted down by name: whoever prints asks for it afterwards, and runs nothing.
class PostgresDialect final : public Dialect {
 public:
  std::string Identifier(const std::string& name) const override;
  std::string Constant(const Literal& literal, const Type& type) const override;
  std::string TypeName(const Type& type) const override;
  std::string Read(const std::string& column, const Type& type) const override;
  std::string CanonicalKey(const std::string& key, const Type& type) const override;
  bool Knows(const Function& function) const override;
  std::string Apply(const BoundApply& apply, const Type& result,
                    const std::vector<std::string>& arguments) const override;
  std::string Cast(const std::string& operand, const Type& from, const Type& to) const override;
  std::string Aggregate(const BoundAggregate& call, const Type& result,
                        const std::vector<std::string>& arguments, const std::string& order_by,
                        const std::string& tail) const override;

  // What was asked for and is not to be had; empty: nothing.
  const std::string& missing() const { return missing_; }
  // Notes it down; a text that stands in its place.
  std::string Missing(const std::string& what) const;

 private:
  mutable std::string missing_;
};

}  // namespace tacit::sql
