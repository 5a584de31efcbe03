#pragma once

#include <string>
#include <vector>

#include "anonymize/anonymize.h"
#include "anonymize/table/read_csv.h"
#include "base/result.h"
#include "tacit/terminal/flags.h"

// Flags that `tacit anonymize` and the attacks on released files have in common.

namespace tacit::app {

struct TableFlags {
  std::string delimiter;
  std::vector<std::string> category;
  std::vector<std::string> missing;
  std::vector<std::string> hierarchy;  // COLUMN=FILE
};
void AddTableFlags(Command command, TableFlags& flags);

Result<anonymize::CsvOptions> ReadCsvOptions(const TableFlags& flags);
Result<anonymize::ColumnRules> ReadColumnRules(const TableFlags& flags);

}  // namespace tacit::app
