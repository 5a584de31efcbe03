#pragma once

#include <string>
#include <vector>

#include "sql/bind/bind.h"

namespace tacit::sql {

// How one engine writes what a bound query means. Everything that differs between engines is behind
// this interface; a new engine is a new class. Every text must be total: no row can make it raise,
// and its time per row is linear in the row. Arguments arrive printed, with the types that the
// function's signature asked for.
class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual std::string Identifier(const std::string& name) const = 0;
  virtual std::string Column(const std::string& table, const std::string& column) const {
    return table.empty() ? Identifier(column) : Identifier(table) + "." + Identifier(column);
  }
  virtual std::string Constant(const Literal& literal, const Type& type) const = 0;
  virtual std::string TypeName(const Type& type) const = 0;
  // A column where its value takes part in an expression, not only in a comparison: within what the
  // functions of its type are defined for, NULL for the rest.
  virtual std::string Read(const std::string& column, const Type& type) const = 0;
  // A printed key as it is grouped, sorted and shown: what compares equal has one form.
  virtual std::string CanonicalKey(const std::string& key, const Type& type) const = 0;
  virtual bool Knows(const Function& function) const = 0;
  virtual std::string Apply(const BoundApply& apply, const Type& result,
                            const std::vector<std::string>& arguments) const = 0;
  virtual std::string Cast(const std::string& operand, const Type& from, const Type& to) const = 0;
  // The call itself, up to its closing parenthesis: FILTER and OVER are standard. `tail` holds them
  // printed and must follow the engine's aggregate directly, inside whatever wraps it.
  virtual std::string Aggregate(const BoundAggregate& call, const Type& result,
                                const std::vector<std::string>& arguments,
                                const std::string& order_by, const std::string& tail) const = 0;
  // The window of an aggregate that has one: the same rows, in words that the engine is asked by.
  virtual BoundWindow WindowOf(const BoundAggregate& call, const Type& /*result*/) const {
    return *call.window;
  }
};

const Dialect& DuckDbDialect();
// For what runs inside one person: sums of doubles do not depend on the order of rows.
const Dialect& DuckDbInsideUnitDialect();

}  // namespace tacit::sql
