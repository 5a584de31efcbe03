#include "owner/init/import_table.h"

#include <filesystem>
#include <fstream>

#include "engine/duckdb/values/unruled_types.h"
#include "owner/progress.h"

namespace tacit::owner {
namespace {

namespace fs = std::filesystem;
using engine::ResultColumn;
using engine::ResultTable;
using engine::duckdb::Connection;
using engine::duckdb::Failure;
using engine::duckdb::QuoteLiteral;
using engine::duckdb::QuoteName;
using engine::duckdb::RuledType;

// Why: types are found by reading the file; up to here all of it, beyond a large sample.
constexpr uintmax_t kWholeSniffBytesMax = uintmax_t{1} << 30;

bool EndsWithAny(const std::string& text, std::initializer_list<const char*> endings) {
  for (const char* ending : endings) {
    if (text.ends_with(ending)) return true;
  }
  return false;
}

Result<bool> IsParquet(const std::string& file) {
  const std::string name = policy::FoldedName(file);
  if (EndsWithAny(name, {".parquet", ".pq"})) return true;
  if (EndsWithAny(name, {".csv", ".tsv", ".csv.gz", ".tsv.gz"})) return false;
  return InvalidArgument("cannot tell what kind of file " + file + " is",
                         "name it .csv, .tsv, .csv.gz or .parquet");
}

bool IsTabbed(const std::string& file) {
  return EndsWithAny(policy::FoldedName(file), {".tsv", ".tsv.gz"});
}

// The delimiter is the file's name's, never a guess: a guess can turn a broken line into another
// table.
std::string DialectOf(const std::string& file) {
  return std::string(", delim = '") + (IsTabbed(file) ? "\\t" : ",") +
         "', quote = '\"', escape = '\"', header = true, strict_mode = true";
}

Result<std::string> ReaderOf(const std::string& file, bool as_text) {
  TACIT_TRY(const bool parquet, IsParquet(file));
  std::error_code failure;
  if (fs::is_directory(file, failure)) {
    return InvalidArgument(file + " is a folder", "give --table NAME=FILE one file");
  }
  if (!fs::is_regular_file(file, failure)) {
    return InvalidArgument("there is no file " + file, "give --table NAME=FILE an existing file");
  }
  // A name with * or ? would be taken for several files.
  if (file.find_first_of("*?[") != std::string::npos) {
    return InvalidArgument("the name " + file + " holds *, ? or [", "rename the file");
  }
  if (parquet) return "read_parquet(" + QuoteLiteral(file) + ")";
  const bool whole = fs::file_size(file, failure) <= kWholeSniffBytesMax;
  return "read_csv(" + QuoteLiteral(file) + DialectOf(file) +
         (as_text ? ", all_varchar = true" : "") + ", sample_size = " + (whole ? "-1" : "1000000") +
         ")";
}

Error BadFile(const TableFile& source, const Failure& failure) {
  if (failure.type == DUCKDB_ERROR_INTERRUPT) return InvalidArgument("interrupted");
  std::string text = failure.text.substr(0, 600);
  for (const char* tail : {"\n\n", "\nPossible "}) {
    if (const size_t end = text.find(tail); end != std::string::npos) text.resize(end);
  }
  return InvalidArgument("cannot read " + source.file + " into table " + source.table + ": " + text,
                         "correct the file and run init again; nothing was made");
}

// When the columns cannot even be told, DuckDB names no line. Reading again with as many texts as
// the header has names finds the first line that does not fit; otherwise the first failure stands.
Failure WithLine(Connection& connection, const std::string& file, Failure failure) {
  std::ifstream stream(file);
  std::string header;
  const Result<bool> parquet = IsParquet(file);
  if (!parquet.ok() || *parquet || file.ends_with(".gz") || !std::getline(stream, header)) {
    return failure;
  }
  const char delimiter = IsTabbed(file) ? '\t' : ',';
  std::string columns = "'c0': 'VARCHAR'";
  bool quoted = false;
  int count = 1;
  for (const char c : header) {
    if (c == '"') quoted = !quoted;
    if (c == delimiter && !quoted) columns += ", 'c" + std::to_string(count++) + "': 'VARCHAR'";
  }
  ResultTable ignored;
  const std::string sql = "SELECT count(*) FROM read_csv(" + QuoteLiteral(file) + DialectOf(file) +
                          ", auto_detect = false, columns = {" + columns + "})";
  std::optional<Failure> found = connection.Query({.sql = sql}, 1, &ignored);
  return found ? *found : failure;
}

// Columns of digits where some value begins with a zero ("01234"): codes, not numbers. Read as
// numbers they would lose the zero.
Result<std::vector<std::string>> FindCodes(Connection& connection, const TableFile& source,
                                           const std::vector<ResultColumn>& columns) {
  std::vector<std::string> codes;
  TACIT_TRY(const bool parquet, IsParquet(source.file));
  std::string tests;
  std::vector<std::string> names;
  for (const ResultColumn& column : columns) {
    if (!column.type.IsWhole()) continue;
    if (!tests.empty()) tests += ", ";
    tests += "bool_or(regexp_matches(" + QuoteName(column.name) + ", '^0[0-9]'))";
    names.push_back(column.name);
  }
  if (parquet || names.empty()) return codes;
  TACIT_TRY(const std::string reader, ReaderOf(source.file, true));
  ResultTable found;
  if (const std::optional<Failure> failure =
          connection.Query({.sql = "SELECT " + tests + " FROM " + reader}, 1, &found)) {
    return BadFile(source, *failure);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (found.rows[0][i] == engine::Value(true)) codes.push_back(names[i]);
  }
  return codes;
}

bool CanBeInfinite(const ValueType& type) {
  return type.IsFloat() || type.kind == TypeKind::kDate || type.kind == TypeKind::kTimestamp ||
         type.kind == TypeKind::kTimestampTz;
}

// What each column of the file is stored as, where its own type has no rules.
Result<std::vector<RuledType>> RuledTypes(Connection& connection, const TableFile& source,
                                          const std::string& reader) {
  // Why: far above any file's columns, and still a moment.
  constexpr int64_t kColumnsMax = 100'000;
  ResultTable described;
  if (const std::optional<Failure> failure = connection.Query(
          {.sql = "SELECT column_type FROM (DESCRIBE SELECT * FROM " + reader + ")"}, kColumnsMax,
          &described)) {
    return BadFile(source, *failure);
  }
  std::vector<RuledType> types;
  for (const std::vector<engine::Value>& row : described.rows) {
    types.push_back(engine::duckdb::RuledTypeFor(ToText(row[0])));
  }
  return types;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

Result<std::vector<std::string>> ImportTable(Connection& connection, const TableFile& source,
                                             const std::string& cluster_by,
                                             const InitRequest& request) {
  TACIT_TRY(std::string reader, ReaderOf(source.file, false));
  ResultTable shape;
  if (const std::optional<Failure> failure =
          connection.Query({.sql = "SELECT * FROM " + reader + " LIMIT 0"}, 1, &shape)) {
    return BadFile(source, WithLine(connection, source.file, *failure));
  }
  TACIT_TRY(const std::vector<std::string> codes, FindCodes(connection, source, shape.columns));
  if (!codes.empty()) {
    std::string types;
    for (const std::string& name : codes) {
      types += (types.empty() ? "" : ", ") + QuoteLiteral(name) + ": 'VARCHAR'";
    }
    reader.back() = ',';
    reader += " types = {" + types + "})";
  }

  TACIT_TRY(const std::vector<RuledType> ruled, RuledTypes(connection, source, reader));
  std::string select, order;
  std::vector<std::string> numbers, converted;
  for (size_t i = 0; i < shape.columns.size(); ++i) {
    const ResultColumn& column = shape.columns[i];
    const std::string name = QuoteName(column.name);
    const RuledType& stored = ruled[i];
    const std::string value =
        stored.name.empty() ? name : "TRY_CAST(" + name + " AS " + stored.name + ")";
    if (!select.empty()) select += ", ";
    select += CanBeInfinite(column.type)
                  ? "CASE WHEN isfinite(" + value + ") THEN " + value + " END AS " + name
                  : value + " AS " + name;
    if (!stored.name.empty()) {
      converted.push_back(column.name + " stored as " + stored.name +
                          (stored.loses.empty() ? "" : ", without " + stored.loses));
    }
    if (column.type.IsFloat()) numbers.push_back(column.name);
    if (policy::SameName(column.name, cluster_by)) order = " ORDER BY " + name;
  }
  if (!cluster_by.empty() && order.empty()) {
    std::vector<std::string> names;
    for (const ResultColumn& column : shape.columns) names.push_back(column.name);
    return InvalidArgument("--unit: " + source.file + " has no column " + cluster_by +
                               "; its first line names: " + Joined(names).substr(0, 300),
                           "name one of them as TABLE.COLUMN; names are separated by commas, in a "
                           ".tsv file by tabs");
  }
  if (const std::optional<Failure> failure =
          RunWithProgress(connection,
                          {.sql = "CREATE TABLE " + QuoteName(source.table) + " AS SELECT " +
                                  select + " FROM " + reader + order},
                          source.table, request.progress)) {
    return BadFile(source, *failure);
  }

  // One row for each person, where that is so: the database then enforces it, and no query has to
  // look for a second row. It fails where somebody has several, which is as good an answer.
  if (!cluster_by.empty()) {
    (void)connection.Execute("CREATE UNIQUE INDEX " + QuoteName("tacit_unit_" + source.table) +
                             " ON " + QuoteName(source.table) + " (" + QuoteName(cluster_by) + ")");
  }

  std::vector<std::string> notes;
  if (!codes.empty()) {
    notes.push_back(source.table + ": " + Joined(codes) +
                    " kept as text, because values begin with 0");
  }
  if (!numbers.empty()) {
    notes.push_back(source.table + ": NaN and infinite values of " + Joined(numbers) +
                    ", if there are any, are stored as NULL");
  }
  for (const std::string& note : converted) notes.push_back(source.table + ": " + note);
  return notes;
}

}  // namespace tacit::owner
