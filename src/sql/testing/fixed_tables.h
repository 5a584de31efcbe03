#pragma once

#include <map>
#include <string>
#include <vector>

#include "sql/bind/scope.h"

namespace tacit::sql::testing {

// Tables written out in a test.
class FixedTables : public KnownTables {
 public:
  explicit FixedTables(std::map<std::string, std::vector<TypedColumn>> tables)
      : tables_(std::move(tables)) {}

  const std::vector<TypedColumn>* Find(const std::string& schema,
                                       const std::string& name) const override {
    const auto found = tables_.find(name);
    return !schema.empty() || found == tables_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, std::vector<TypedColumn>> tables_;
};

}  // namespace tacit::sql::testing
