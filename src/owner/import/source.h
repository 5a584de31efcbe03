#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tacit::owner {

// NAME=FILE of the command line: a CSV file, Parquet files (also a pattern with *), a table of a
// DuckDB file, or lines of JSON.
struct TableFile {
  std::string table;
  std::string file;
};

// How a CSV file is written, as far as the owner says. What is not said is looked for in the file,
// and told.
struct CsvDialect {
  std::optional<char> delimiter{};
  std::optional<char> quote{};  // 0: nothing is quoted
  std::optional<bool> header{};
  std::optional<char> decimal{};     // '.' or ','
  std::string date_format{};         // as strptime writes it: %d.%m.%Y
  std::string timestamp_format{};    // %d.%m.%Y %H:%M
  std::vector<std::string> nulls{};  // texts that mean that there is no value
  std::string encoding{};            // utf-8 unless given
};

}  // namespace tacit::owner
