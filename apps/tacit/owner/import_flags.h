#pragma once

#include <string>
#include <vector>

#include "owner/init.h"
#include "tacit/terminal/flags.h"

namespace tacit::app {

// How files are read into tables: flags of every command that does.
struct ImportFlags {
  std::vector<std::string> units;
  std::string delimiter, quote, header, decimal, date_format, timestamp_format, encoding;
  std::vector<std::string> nulls;
};
void AddImportFlags(Command command, ImportFlags& flags);

Result<owner::CsvDialect> DialectOf(const ImportFlags& flags);
// NAME=FILE; `flag` is what it is called in the error.
Result<owner::TableFile> ReadTableFile(const std::string& flag, const std::string& text);
Result<std::vector<owner::UnitColumn>> ReadUnits(const std::vector<std::string>& texts);

void PrintNotes(const std::vector<std::string>& notes);

}  // namespace tacit::app
