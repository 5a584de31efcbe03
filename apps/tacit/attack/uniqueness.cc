#include "attack/uniqueness/uniqueness.h"

#include "tacit/attack/attack.h"
#include "tacit/attack/files.h"
#include "tacit/table_flags.h"

namespace tacit::app {
namespace {

struct UniquenessFlags {
  std::string file;
  attack::UniquenessOptions options;
  bool all_sets = false;
  TableFlags table;
  AttackFlags common;
};

Result<attack::Report> RunUniqueness(const UniquenessFlags& flags) {
  TACIT_TRY(const anonymize::CsvOptions csv, ReadCsvOptions(flags.table));
  TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(flags.file, csv));
  attack::UniquenessOptions options = flags.options;
  if (flags.all_sets) options.shown = 0;
  return attack::AttackUniqueness(table, options, AttackProgress());
}

}  // namespace

void AddAttackUniqueness(Command attack) {
  auto flags = std::make_shared<UniquenessFlags>();
  Command command = attack.Subcommand(
      "uniqueness", "Share of rows that are the only one of their kind on a few columns");
  command.Value("file", flags->file, "the table, as CSV").Required();
  command.Value("--qi", flags->options.columns, "what a reader may know (default: all columns)")
      .Commas();
  command.Value("--up-to", flags->options.up_to, "columns known at once").ShowsDefault();
  command.Switch("--all-sets", flags->all_sets, "list every set, not the most telling ones");
  command.Value("--delimiter", flags->table.delimiter, "what separates cells");
  AddAttackFlags(command, flags->common);
  command.Footer("Example:\n  tacit attack uniqueness people.csv --qi age,sex,race,zip --up-to 4");
  ActAsAttack(command, [flags] { return PrintReport(RunUniqueness(*flags), flags->common); });
}

}  // namespace tacit::app
