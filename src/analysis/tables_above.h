#pragma once

#include <map>

#include "analysis/facts.h"
#include "sql/bind/scope.h"

namespace tacit::analysis {

// The tables that exist above the frontier: releases as the query sees them, and public tables.
class TablesAbove : public sql::KnownTables {
 public:
  // With c1_margin beside averages, which nothing but a statement for margins reads.
  explicit TablesAbove(const Facts& facts, bool with_margins = false);
  const std::vector<sql::TypedColumn>* Find(const std::string& schema,
                                            const std::string& name) const override;
  std::string Zone() const override { return zone_; }

 private:
  std::map<std::string, std::vector<sql::TypedColumn>> tables_;
  std::string zone_;
};

// The released column beside a numeric one that holds its error at 95 %: c1_error. For an average
// that is an estimate for any data; c1_margin, beside it, is what the released numbers themselves
// say.
std::string ErrorColumnName(const std::string& column);
std::string MarginColumnName(const std::string& column);

}  // namespace tacit::analysis
