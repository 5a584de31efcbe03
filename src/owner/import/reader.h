#pragma once

#include <string>
#include <vector>

#include "engine/duckdb/database/database.h"
#include "owner/import/sniff.h"
#include "owner/import/source.h"

namespace tacit::owner {

// A file as DuckDB reads it: what follows FROM, complete but for options that are still to be
// decided from the values.
class FileReader {
 public:
  // Finds out what kind of file it is and, of a CSV file, how it is written. A database is attached
  // to the session, and let go of by Close.
  static Result<FileReader> Open(engine::duckdb::Connection& connection, const TableFile& source,
                                 const CsvDialect& given);

  // What stands after FROM.
  std::string Sql() const;
  // The same with every value as its text, of a CSV file.
  std::string TextSql() const;
  // The same with as many columns as the first line has fields, whatever the other lines have:
  // reading it names the first one that does not fit.
  std::string RigidSql() const;
  void Close(engine::duckdb::Connection& connection) const;

  bool is_csv() const { return kind_ == Kind::kCsv; }
  const CsvShape& shape() const { return shape_; }
  // Read as if the owner had said so.
  CsvDialect& dialect() { return dialect_; }
  const CsvDialect& dialect() const { return dialect_; }
  void ReadAsText(const std::vector<std::string>& columns) { texts_ = columns; }

 private:
  enum class Kind { kCsv, kParquet, kJson, kDuckdb };
  static Result<Kind> KindOf(const TableFile& source);
  Result<Done> CheckFile() const;
  Result<Done> ReadShape(engine::duckdb::Connection& connection);
  Result<Done> Attach(engine::duckdb::Connection& connection);
  std::string Csv(bool as_text) const;

  Kind kind_ = Kind::kCsv;
  TableFile source_;
  std::string table_;  // of a database
  CsvDialect dialect_;
  CsvShape shape_;
  std::vector<std::string> texts_;  // columns of digits that are no numbers
};

// What a failed statement is to the owner, who reads the own file: the engine's text is shown.
Error BadFile(const TableFile& source, const engine::duckdb::Failure& failure);

// "a, b, c", for sentences.
std::string Joined(const std::vector<std::string>& words);

}  // namespace tacit::owner
