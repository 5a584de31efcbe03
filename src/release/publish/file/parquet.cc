#include "release/publish/file/parquet.h"

#include "engine/duckdb/database/database.h"

namespace tacit::release {

Result<Done> WriteParquet(const std::string& csv_path, const std::vector<Attribute>& attributes,
                          const std::string& path) {
  using namespace engine::duckdb;
  TACIT_TRY(const Database database, Database::OpenForImport(":memory:", {}));
  TACIT_TRY(Connection connection, database.Connect());
  std::string items;
  for (const Attribute& attribute : attributes) {
    const std::string name = QuoteName(attribute.name);
    items += (items.empty() ? "CAST(" : ", CAST(") + name + " AS " + PostgresName(attribute.type) +
             ") AS " + name;
  }
  // Nothing is NULL, and "" is an empty text.
  const std::string sql =
      "COPY (SELECT " + items + " FROM read_csv(" + QuoteLiteral(csv_path) +
      ", header = true, all_varchar = true, nullstr = '', allow_quoted_nulls = false)) TO " +
      QuoteLiteral(path) + " (FORMAT parquet)";
  if (const auto failure = connection.Execute(sql)) {
    return InvalidArgument("cannot write " + path + ": " +
                           failure->text.substr(0, failure->text.find('\n')));
  }
  return Done{};
}

}  // namespace tacit::release
