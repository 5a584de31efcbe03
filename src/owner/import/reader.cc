#include "owner/import/reader.h"

#include <filesystem>

#include "owner/progress.h"
#include "policy/schema.h"

namespace tacit::owner {
namespace {

namespace fs = std::filesystem;
using engine::duckdb::Connection;
using engine::duckdb::Failure;
using engine::duckdb::QuoteLiteral;
using engine::duckdb::QuoteName;

// Why: types are found by reading the file; up to here all of it, beyond a large sample.
constexpr uintmax_t kWholeSniffBytesMax = uintmax_t{1} << 30;
// Why: what a person would look at, and more, to see how a file is written.
constexpr int64_t kShapeLines = 1000;
constexpr char kAttached[] = "tacit_from";

bool EndsWithAny(const std::string& text, std::initializer_list<const char*> endings) {
  for (const char* ending : endings) {
    if (text.ends_with(ending)) return true;
  }
  return false;
}

bool IsPattern(const std::string& file) { return file.find_first_of("*?[") != std::string::npos; }

std::string Option(const char* name, const std::string& value) {
  return std::string(", ") + name + " = " + QuoteLiteral(value);
}

std::string ListOf(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + QuoteLiteral(text);
  return "[" + list + "]";
}

// "data.duckdb:visits": the file, and the table in it.
std::pair<std::string, std::string> SplitTable(const std::string& file) {
  const size_t colon = file.rfind(':');
  if (colon == std::string::npos || file.find('/', colon) != std::string::npos) return {file, ""};
  const std::string before = policy::FoldedName(file.substr(0, colon));
  if (!EndsWithAny(before, {".duckdb", ".ddb", ".db"})) return {file, ""};
  return {file.substr(0, colon), file.substr(colon + 1)};
}

}  // namespace

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Error BadFile(const TableFile& source, const Failure& failure) {
  if (WasInterrupted(failure)) return Interrupted("nothing was made, and nothing is left behind");
  std::string text = failure.text.substr(0, 600);
  for (const char* tail : {"\n\n", "\nPossible "}) {
    if (const size_t end = text.find(tail); end != std::string::npos) text.resize(end);
  }
  return InvalidArgument("cannot read " + source.file + " into table " + source.table + ": " + text,
                         "correct the file and run the command again; nothing was made");
}

Result<FileReader::Kind> FileReader::KindOf(const TableFile& source) {
  const std::string name = policy::FoldedName(SplitTable(source.file).first);
  if (EndsWithAny(name, {".parquet", ".pq"})) return Kind::kParquet;
  if (EndsWithAny(name, {".csv", ".tsv", ".csv.gz", ".tsv.gz", ".txt", ".txt.gz"})) {
    return Kind::kCsv;
  }
  if (EndsWithAny(name, {".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"})) return Kind::kJson;
  if (EndsWithAny(name, {".duckdb", ".ddb", ".db"})) return Kind::kDuckdb;
  return InvalidArgument("cannot tell what kind of file " + source.file + " is",
                         "name it .csv, .tsv, .jsonl (each also with .gz), .parquet or .duckdb");
}

Result<Done> FileReader::CheckFile() const {
  const std::string& file = source_.file;
  if (IsPattern(file)) {
    if (kind_ == Kind::kParquet) return Done{};
    return InvalidArgument("the name " + file + " holds *, ? or [",
                           "only Parquet files can be several: rename the file");
  }
  std::error_code failure;
  if (fs::is_directory(file, failure)) {
    return InvalidArgument(file + " is a folder",
                           "give one file, or '" + file + "/*.parquet' for all of a folder");
  }
  if (fs::is_regular_file(file, failure)) return Done{};
  return InvalidArgument("there is no file " + file, "give NAME=FILE an existing file");
}

Result<FileReader> FileReader::Open(Connection& connection, const TableFile& source,
                                    const CsvDialect& given) {
  FileReader reader;
  reader.dialect_ = given;
  reader.source_ = source;
  TACIT_TRY(reader.kind_, KindOf(source));
  if (reader.kind_ == Kind::kDuckdb) {
    std::tie(reader.source_.file, reader.table_) = SplitTable(source.file);
    if (reader.table_.empty()) reader.table_ = source.table;
  }
  TACIT_CHECK(reader.CheckFile());
  if (reader.kind_ == Kind::kCsv) TACIT_CHECK(reader.ReadShape(connection));
  if (reader.kind_ == Kind::kDuckdb) TACIT_CHECK(reader.Attach(connection));
  return reader;
}

// The first lines as they are, whatever the file is packed in.
Result<Done> FileReader::ReadShape(Connection& connection) {
  if (!dialect_.delimiter && EndsWithAny(policy::FoldedName(source_.file), {".tsv", ".tsv.gz"})) {
    dialect_.delimiter = '\t';
  }
  engine::ResultTable read;
  const std::optional<Failure> failure = connection.Query(
      {.sql = "SELECT line FROM read_csv(" + QuoteLiteral(source_.file) +
              ", delim = chr(31), quote = '', escape = '', header = false, auto_detect = false, "
              "columns = {'line': 'VARCHAR'}" +
              (dialect_.encoding.empty() ? "" : Option("encoding", dialect_.encoding)) +
              ") LIMIT " + std::to_string(kShapeLines)},
      kShapeLines, &read);
  if (failure && failure->text.find("not utf-8 encoded") != std::string::npos) {
    return InvalidArgument(source_.file + " is not text in UTF-8",
                           "say what it is: --encoding latin-1, or --encoding utf-16");
  }
  if (failure) return BadFile(source_, *failure);
  std::vector<std::string> lines;
  for (const std::vector<engine::Value>& row : read.rows) {
    const auto* line = std::get_if<std::string>(&row[0]);
    if (line != nullptr && !line->empty()) lines.push_back(*line);  // empty lines say nothing
  }
  const bool all = static_cast<int64_t>(read.rows.size()) < kShapeLines;
  TACIT_TRY(shape_, Sniff(lines, all, dialect_, source_.file));
  return Done{};
}

Result<Done> FileReader::Attach(Connection& connection) {
  const auto failure = connection.Execute("ATTACH " + QuoteLiteral(source_.file) + " AS " +
                                          std::string(kAttached) + " (READ_ONLY)");
  if (failure) return BadFile(source_, *failure);
  return Done{};
}

void FileReader::Close(Connection& connection) const {
  if (kind_ == Kind::kDuckdb) (void)connection.Execute(std::string("DETACH ") + kAttached);
}

std::string FileReader::Csv(bool as_text) const {
  std::error_code failure;
  const bool whole = fs::file_size(source_.file, failure) <= kWholeSniffBytesMax;
  std::string sql = "read_csv(" + QuoteLiteral(source_.file) +
                    Option("delim", std::string(1, shape_.delimiter)) +
                    Option("quote", shape_.quote == 0 ? "" : std::string(1, shape_.quote)) +
                    Option("escape", shape_.quote == 0 ? "" : std::string(1, shape_.quote)) +
                    ", header = " + (shape_.header ? "true" : "false") + ", strict_mode = true";
  if (!dialect_.encoding.empty()) sql += Option("encoding", dialect_.encoding);
  if (!dialect_.nulls.empty()) {
    std::vector<std::string> nulls = dialect_.nulls;
    nulls.insert(nulls.begin(), "");
    sql += ", nullstr = " + ListOf(nulls);
  }
  if (as_text) return sql + ", all_varchar = true)";
  if (dialect_.decimal == ',') sql += Option("decimal_separator", ",");
  if (!dialect_.date_format.empty()) sql += Option("dateformat", dialect_.date_format);
  if (!dialect_.timestamp_format.empty()) {
    sql += Option("timestampformat", dialect_.timestamp_format);
  }
  if (!texts_.empty()) {
    std::string types;
    for (const std::string& name : texts_) {
      types += (types.empty() ? "" : ", ") + QuoteLiteral(name) + ": 'VARCHAR'";
    }
    sql += ", types = {" + types + "}";
  }
  return sql + ", sample_size = " + (whole ? "-1" : "1000000") + ")";
}

std::string FileReader::Sql() const {
  switch (kind_) {
    case Kind::kCsv:
      return Csv(false);
    case Kind::kParquet:
      return "read_parquet(" + QuoteLiteral(source_.file) + ")";
    case Kind::kJson:
      return "read_json(" + QuoteLiteral(source_.file) +
             ", format = 'newline_delimited', sample_size = -1)";
    case Kind::kDuckdb:
      break;
  }
  return std::string(kAttached) + ".main." + QuoteName(table_);
}

std::string FileReader::TextSql() const { return Csv(true); }

std::string FileReader::RigidSql() const {
  std::string sql = Csv(true), columns;
  for (size_t i = 0; i < shape_.fields; ++i) {
    columns += (i == 0 ? "'c" : ", 'c") + std::to_string(i) + "': 'VARCHAR'";
  }
  const std::string end = ", all_varchar = true)";
  sql.resize(sql.size() - end.size());
  return sql + ", auto_detect = false, columns = {" + columns + "})";
}

}  // namespace tacit::owner
