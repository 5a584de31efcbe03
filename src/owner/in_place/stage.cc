#include "owner/in_place/stage.h"

#include "engine/duckdb/files/file_views.h"

namespace tacit::owner {

using engine::duckdb::QuoteName;

Result<Done> StageFiles(const engine::duckdb::FoundTables& found, const policy::Schema& schema,
                        const std::string& database, engine::duckdb::Connection& connection,
                        const Progress& progress) {
  TACIT_CHECK(engine::duckdb::MakeFileViews(connection, found));
  const std::vector<double> weights(schema.tables.size(), 1.0);
  for (size_t i = 0; i < schema.tables.size(); ++i) {
    const policy::SchemaTable& table = schema.tables[i];
    std::string columns;
    for (const policy::SchemaColumn& column : table.columns) {
      columns += (columns.empty() ? "" : ", ") + QuoteName(column.name);
    }
    const std::string name = QuoteName(table.name);
    const auto failure = RunWithProgress(connection,
                                         {.sql = "CREATE TABLE " + database + ".main." + name +
                                                 " AS SELECT " + columns + " FROM " + name},
                                         table.name, PartOf(progress, weights, i));
    if (!failure) continue;
    if (WasInterrupted(*failure)) {
      return Interrupted("nothing was changed, and nothing is left behind",
                         "run tacit prepare again");
    }
    return engine::duckdb::UnreadableFiles(table.name, *failure);
  }
  return found.CheckUnchanged();
}

}  // namespace tacit::owner
