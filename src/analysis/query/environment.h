#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/query/sources.h"

namespace tacit::analysis {

// A name that WITH declares. Protected rows are analysed anew at each use: each is its own scan.
struct CommonTable {
  const sql::CommonTable* written = nullptr;
  std::optional<sql::CommonTable> rewritten;  // absent: protected rows
};

// What names mean at one place; enclosing queries are outside.
struct Environment {
  const Environment* outer = nullptr;
  std::vector<CommonTable> with;
  const std::vector<NamedColumn>* rows = nullptr;  // the protected rows around a subquery

  // Nothing if no WITH declares the name; else `at` is where it was declared.
  const CommonTable* FindCommonTable(const std::string& name, const Environment** at) const;
};

}  // namespace tacit::analysis
