#pragma once

#include <map>

#include "analysis/facts.h"
#include "sql/bind/scope.h"

namespace tacit::analysis {

// The tables that exist above the frontier: releases as the query sees them, and public tables.
class TablesAbove : public sql::KnownTables {
 public:
  explicit TablesAbove(const Facts& facts);
  const std::vector<sql::TypedColumn>* Find(const std::string& schema,
                                            const std::string& name) const override;

 private:
  std::map<std::string, std::vector<sql::TypedColumn>> tables_;
};

// The released column beside a numeric one that holds its error at 95 %: c1_error.
std::string ErrorColumnName(const std::string& column);

}  // namespace tacit::analysis
