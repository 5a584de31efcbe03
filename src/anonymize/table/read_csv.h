#pragma once

#include <string>
#include <string_view>

#include "anonymize/table/table.h"

namespace tacit::anonymize {

struct CsvOptions {
  char delimiter = 0;    // 0: the one of , ; tab | that stands most often in the first line
  bool headings = true;  // without, columns are called 1, 2, ...
};

// Reads headings and rows as RFC 4180 has them: quoted cells may hold delimiters, doubled quotes
// and line ends. Lines end with LF or CR LF; a byte-order mark and empty lines are skipped.
// Everything else that does not fit (rows of another length, broken quotes, two columns of one
// name, no rows) is an error with file and line.
Result<Table> ParseCsv(std::string_view text, std::string name, const CsvOptions& options = {});

// The same for a file.
Result<Table> ReadCsv(const std::string& path, const CsvOptions& options = {});

// The bytes of a file, or an error that says why not.
Result<std::string> ReadWholeFile(const std::string& path);

}  // namespace tacit::anonymize
