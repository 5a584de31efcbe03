#include "engine/duckdb/files/open_data.h"

#include <memory>

#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/database/file_identity.h"
#include "engine/duckdb/files/found_tables.h"

namespace tacit::engine::duckdb {
namespace {

Error DataReplaced(const char* what) {
  Error replaced = EngineUnavailable(std::string(what) + " replaced");
  replaced.public_message = std::string(what) + " replaced just now";
  replaced.hint = "nothing was charged: ask again";
  return replaced;
}

Result<Database> OpenFoundFiles(const DataSource& source, const Limits& limits) {
  policy::DuckdbSettings data{.path = source.path};
  data.tables = source.tables;
  TACIT_TRY(FoundTables found, FoundTables::Find(data));
  if (!source.identity.empty() && found.identity() != source.identity) {
    return DataReplaced("the files of the data were");
  }
  return Database::OpenFiles(std::make_shared<const FoundTables>(std::move(found)), limits);
}

}  // namespace

DataSource SourceOf(const policy::DuckdbSettings& data) {
  return {.path = data.path, .tables = data.tables};
}

Result<Database> OpenData(const DataSource& source, const Limits& limits) {
  if (!source.tables.empty()) return OpenFoundFiles(source, limits);
  TACIT_TRY(Database database, Database::OpenReadOnly(source.path, limits));
  // The plan was made for that file: another policy may have prepared this one.
  if (!source.identity.empty() && FileIdentity(source.path) != source.identity) {
    return DataReplaced("the prepared copy of the data was");
  }
  return database;
}

}  // namespace tacit::engine::duckdb
