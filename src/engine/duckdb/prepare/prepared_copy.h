#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/duckdb/database/file_identity.h"
#include "policy/policy.h"
#include "policy/schema.h"

// The copy of a database that `tacit prepare` makes (prepare/prepared_tables.h says what is in it):
// the file PATH-prepared beside the database PATH (or beside the policy, where the data stands in
// files), and PATH-prepared.manifest, which says what the
// copy was made of. The manifest is written last, and whole or not at all.

namespace tacit::engine::duckdb {

struct UniqueColumn {
  std::string table;
  std::string column;
};

struct PreparedCopy {
  std::string path;
  std::string identity;  // of the copy itself, checked again once it is open
  // Columns of public tables in which no value stands twice.
  std::vector<UniqueColumn> unique_columns;
};

// Says in the schema of the database that its copy is read instead.
void MarkPrepared(const PreparedCopy& copy, const policy::Policy& policy, policy::Schema& schema);

std::string PreparedPath(const std::string& data_path);

// Whether there is a manifest at all, of whatever state.
bool HasManifest(const std::string& data_path);

// The copy, if it was made of this very file, or of these very files, under this version of the
// policy, for this data version and with this key; nothing otherwise.
std::optional<PreparedCopy> FindPreparedCopy(const policy::Policy& policy,
                                             const std::string& data_path,
                                             std::string_view deployment_key);

// What a copy is made of, before it is made: SHA-256 in hex. Nothing without a database file.
std::optional<std::string> PreparedFingerprint(const policy::Policy& policy,
                                               const std::string& data_path,
                                               std::string_view deployment_key);

// Moves a finished copy into place and says that it is there. A crash at any point leaves a
// manifest that fits the copy, or one that does not and is not believed.
Result<Done> InstallPreparedCopy(const std::string& finished, const std::string& data_path,
                                 const std::string& fingerprint,
                                 const std::vector<UniqueColumn>& unique_columns);

}  // namespace tacit::engine::duckdb
