#include "attack/dimension/dimension.h"

#include "tacit/attack/attack.h"
#include "tacit/attack/files.h"
#include "tacit/table_flags.h"

namespace tacit::app {
namespace {

struct DimensionFlags {
  std::string file;
  attack::DimensionOptions options;
  TableFlags table;
  AttackFlags common;
};

Result<attack::Report> RunDimension(const DimensionFlags& flags) {
  TACIT_TRY(const anonymize::CsvOptions csv, ReadCsvOptions(flags.table));
  attack::DimensionOptions options = flags.options;
  TACIT_TRY(options.rules, ReadColumnRules(flags.table));
  options.seed = flags.common.seed;
  TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(flags.file, csv));
  return attack::AttackDimension(table, options, AttackProgress());
}

}  // namespace

void AddAttackDimension(Command attack) {
  auto flags = std::make_shared<DimensionFlags>();
  Command command =
      attack.Subcommand("dimension", "What k-anonymity costs as attributes are added");
  command.Value("file", flags->file, "the table, as CSV").Required();
  command.Value("--qi", flags->options.columns, "quasi-identifiers, in the order to add them")
      .Commas()
      .Required();
  command.Value("--k", flags->options.ks, "one or several").Commas().Between(1, 1'000'000'000);
  command.Value("--orders", flags->options.orders, "orders to add them in, the named one first")
      .ShowsDefault();
  AddTableFlags(command, flags->table);
  AddAttackFlags(command, flags->common);
  command.Footer(
      "Example:\n  tacit attack dimension people.csv --qi age,sex,race,zip,education --k 5");
  ActAsAttack(command, [flags] { return PrintReport(RunDimension(*flags), flags->common); });
}

}  // namespace tacit::app
