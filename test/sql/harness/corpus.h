#pragma once

#include <string>
#include <vector>

#include "base/result.h"

// The statements of test/clients/corpus (see its README.md).
namespace tacit::golden {

struct SentStatement {
  std::string tool;
  std::string name;      // "metabase 1: rows of a table"
  std::string expected;  // "aggregate answer"
  std::string sql;
};

Result<std::vector<SentStatement>> ReadCorpus(const std::string& folder);

}  // namespace tacit::golden
