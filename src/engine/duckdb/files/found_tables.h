#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace tacit::engine::duckdb {

struct FoundFile {
  std::string path;
  std::string identity;
};

struct FoundTable {
  policy::FileTable declared;
  std::vector<FoundFile> files;
};

// The tables of a policy that stand in files, with the files that were theirs at one moment: when
// the data is opened. What is put beside them later belongs to them when it is opened again, and
// what is changed or taken away makes every look at them an error until then.
class FoundTables {
 public:
  // kInvalidArgument where a table has no files, or one of them cannot be read in place.
  static Result<FoundTables> Find(const policy::DuckdbSettings& data);

  const std::vector<FoundTable>& tables() const { return tables_; }
  // Of all files together, by name, size and times, and of how they are declared to be read.
  const std::string& identity() const { return identity_; }

  // By their status alone; reads none. kUnavailable, with a text for everybody.
  Result<Done> CheckUnchanged() const;

 private:
  FoundTables() = default;

  std::vector<FoundTable> tables_;
  std::string identity_;
};

// Of the data that a policy names, file or files; nothing where they cannot be found. `path` is the
// database of one that does not read files.
std::optional<std::string> IdentityOfData(const policy::Policy& policy, const std::string& path);

}  // namespace tacit::engine::duckdb
