#include <sys/stat.h>

#include "engine/duckdb/files/found_tables.h"
#include "owner/check/rules.h"

namespace tacit::owner {

// Files in place belong to whoever makes them, and their modes are not ours to demand.
void CheckFileModes(const policy::DuckdbSettings& data, Findings& findings) {
  const Result<engine::duckdb::FoundTables> found = engine::duckdb::FoundTables::Find(data);
  if (!found.ok()) return;  // said where they are read
  for (const engine::duckdb::FoundTable& table : found->tables()) {
    for (const engine::duckdb::FoundFile& file : table.files) {
      struct stat status = {};
      if (::stat(file.path.c_str(), &status) != 0 || (status.st_mode & S_IROTH) == 0) continue;
      Add(findings, Severity::kWarning, table.declared.place,
          "everybody on this machine may read " + file.path + ", unless a folder keeps them out",
          "chmod o-r, where its rows are people's: whoever reads them needs no answer");
      break;
    }
  }
}

}  // namespace tacit::owner
