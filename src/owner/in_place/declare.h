#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "owner/import/source.h"
#include "policy/policy.h"
#include "policy/schema.h"

namespace tacit::owner {

struct DeclaredFiles {
  std::vector<policy::FileTable> tables;
  policy::Schema schema;
  std::vector<std::string> notes;
};

// For `tacit init --in-place`: which files each table is, with whole paths; folders such as
// year=2024 that a pattern stands for become columns. Column types are read from the files, rows
// are not: `tacit check` does that. CSV files say no types, so their owner writes the policy's
// lines.
Result<DeclaredFiles> DeclareFiles(const std::vector<TableFile>& sources);

// `engine:` of the policy.
std::string EngineSection(const std::vector<policy::FileTable>& tables);

}  // namespace tacit::owner
