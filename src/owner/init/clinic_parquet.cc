#include "owner/init/clinic_parquet.h"

#include <filesystem>

#include "engine/duckdb/database/database.h"

namespace tacit::owner {
namespace {

namespace fs = std::filesystem;
using engine::duckdb::Connection;
using engine::duckdb::QuoteLiteral;

Result<Done> CopyRows(Connection& connection, const fs::path& csv, const std::string& where,
                      const fs::path& parquet) {
  std::error_code failure;
  fs::create_directories(parquet.parent_path(), failure);
  const std::optional<engine::duckdb::Failure> failed = connection.Execute(
      "COPY (SELECT * FROM read_csv(" + QuoteLiteral(csv.string()) + ", sample_size = -1)" + where +
      ") TO " + QuoteLiteral(parquet.string()) + " (FORMAT parquet)");
  if (!failed) return Done{};
  return InvalidArgument("cannot write " + parquet.string() + ": " + failed->text.substr(0, 300),
                         "choose a folder on a disk with space that you may write to");
}

}  // namespace

Result<Done> StoreClinicAsParquet(const std::string& folder) {
  const fs::path root = folder;
  TACIT_TRY(const engine::duckdb::Database database,
            engine::duckdb::Database::OpenForImport(":memory:", {}));
  TACIT_TRY(Connection connection, database.Connect());
  for (int part = 0; part < 4; ++part) {
    const std::string number = std::to_string(part);
    TACIT_CHECK(CopyRows(connection, root / "patients.csv", " WHERE ssn % 4 = " + number,
                         root / "patients" / ("part-" + number + ".parquet")));
  }
  for (int year = 2019; year <= 2024; ++year) {
    const std::string number = std::to_string(year);
    TACIT_CHECK(CopyRows(connection, root / "visits.csv", " WHERE year(admitted) = " + number,
                         root / "visits" / ("year=" + number) / "visits.parquet"));
  }
  TACIT_CHECK(CopyRows(connection, root / "departments.csv", "", root / "departments.parquet"));
  std::error_code failure;
  for (const char* name : {"patients.csv", "visits.csv", "departments.csv"}) {
    fs::remove(root / name, failure);
  }
  return Done{};
}

}  // namespace tacit::owner
