#pragma once

#include <string>

#include "sql/print/dialect.h"
#include "sql/print/rendering.h"

namespace tacit::sql {

// The words of an engine that has nothing of Tacit's own. A text means what
// DuckDbInsideUnitDialect's means, value for value. Where there is no such text, or none that is
// total, it is noted down by name: whoever prints asks for it afterwards, and runs nothing.
class PartialDialect : public Dialect {
 public:
  // Names are told apart without their case, as everywhere else (policy/schema.h).
  std::string Identifier(const std::string& name) const override;
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
  // nullptr where there is none.
  virtual Rendering FindRendering(std::string_view name) const = 0;
  virtual Text CastTo(const std::string& operand, const Type& from, const Type& to) const = 0;
  virtual Text AggregateOf(const BoundAggregate& call, const Type& result,
                           const std::vector<std::string>& arguments, const std::string& order_by,
                           const std::string& tail) const = 0;
  // Whether the rendering is asked at all.
  virtual bool Takes(const Application& /*a*/) const { return true; }
  // A call's text as one of its type.
  virtual std::string Applied(const std::string& text, const Type& /*result*/) const {
    return text;
  }

  mutable std::string missing_;
};

}  // namespace tacit::sql
