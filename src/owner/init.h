#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "owner/import/source.h"
#include "owner/progress.h"
#include "policy/policy.h"

namespace tacit::owner {

struct UnitColumn {
  std::string table;
  std::string column;
};

// Tables that stay where they are.
struct ServerTables {
  std::variant<policy::PostgresSettings, policy::TrinoSettings> settings;
  std::string password;             // as the policy says it: env:NAME, file:PATH; empty: none
  std::vector<std::string> tables;  // none: all that the role can read
  std::string authorities = {};     // Trino's ca, as the policy says it; empty: none
};

struct InitRequest {
  std::string folder;
  std::optional<ServerTables> server = {};  // instead of files
  std::vector<TableFile> tables;
  std::vector<UnitColumn> units;
  CsvDialect dialect{};   // of all files that are CSV
  bool in_place = false;  // the files stay where they are, and nothing is imported
  Progress progress;
};

// Makes the folder: tacit.yaml, data.duckdb (unless the rows stay where they are), the secret key
// and the ledger. All of it is built in a folder beside and renamed at the end, so an interrupted
// or failed init leaves nothing behind that looks like a deployment. Of a server it reads names and
// types, and no row. A folder that is not empty is refused. The notes are for the owner, who is at
// the keyboard; nothing that depends on rows goes into the policy but column types.
Result<std::vector<std::string>> Init(const InitRequest& request);

}  // namespace tacit::owner
