#pragma once

#include <map>
#include <string>
#include <vector>

#include "sql/scope.h"

namespace tacit::sql::testing {

// A catalog written out in a test.
class FixedCatalog : public Catalog {
 public:
  explicit FixedCatalog(std::map<std::string, std::vector<Column>> tables)
      : tables_(std::move(tables)) {}

  const std::vector<Column>* Find(const std::string& schema,
                                  const std::string& name) const override {
    const auto found = tables_.find(name);
    return !schema.empty() || found == tables_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, std::vector<Column>> tables_;
};

}  // namespace tacit::sql::testing
