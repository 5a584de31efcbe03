#include "tacit/table_flags.h"

namespace tacit::app {

void AddTableFlags(Command command, TableFlags& flags) {
  command.Value("--delimiter", flags.delimiter,
                "what separates cells (default: the one of , ; tab | in the first line)");
  command.Value("--category", flags.category, "columns whose numbers are names, like ZIP codes")
      .Commas();
  command
      .Value("--missing", flags.missing,
             "a text that stands for a missing number, beside an empty cell")
      .Commas();
  command.Value("--hierarchy", flags.hierarchy,
                "COLUMN=FILE: a declared coarsening, one line a value, from fine to coarse");
}

Result<anonymize::CsvOptions> ReadCsvOptions(const TableFlags& flags) {
  const std::string wish =
      flags.delimiter == "tab" || flags.delimiter == "\\t" ? "\t" : flags.delimiter;
  if (wish.size() > 1 || wish == "\"" || wish == "\n" || wish == "\r") {
    return InvalidArgument("--delimiter must be one character (or the word tab)");
  }
  return anonymize::CsvOptions{.delimiter = wish.empty() ? '\0' : wish[0]};
}

Result<anonymize::ColumnRules> ReadColumnRules(const TableFlags& flags) {
  anonymize::ColumnRules rules;
  rules.categories.insert(flags.category.begin(), flags.category.end());
  rules.missing.insert(flags.missing.begin(), flags.missing.end());
  for (const std::string& declared : flags.hierarchy) {
    const size_t equals = declared.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == declared.size()) {
      return InvalidArgument("--hierarchy wants COLUMN=FILE, not \"" + declared + "\"");
    }
    if (!rules.hierarchies.emplace(declared.substr(0, equals), declared.substr(equals + 1))
             .second) {
      return InvalidArgument("there are two hierarchies for " + declared.substr(0, equals));
    }
  }
  return rules;
}

}  // namespace tacit::app
