#include "attack/dimension/dimension.h"
#include "attack_files.h"
#include "command_anonymize.h"
#include "command_attack.h"

namespace tacit::app {
namespace {

struct DimensionFlags {
  std::string file;
  attack::DimensionOptions options;
  TableFlags table;
  AttackFlags common;
};

Result<attack::Report> Run(const DimensionFlags& flags) {
  TACIT_TRY(const anonymize::CsvOptions csv, ReadCsvOptions(flags.table));
  attack::DimensionOptions options = flags.options;
  TACIT_TRY(options.rules, ReadColumnRules(flags.table));
  options.seed = flags.common.seed;
  TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(flags.file, csv));
  return attack::AttackDimension(table, options, TerminalProgress());
}

}  // namespace

void AddAttackDimension(CLI::App& attack, int& exit_code) {
  auto flags = std::make_shared<DimensionFlags>();
  CLI::App* command =
      attack.add_subcommand("dimension", "What k-anonymity costs as attributes are added");
  command->add_option("file", flags->file, "the table, as CSV")->required();
  command->add_option("--qi", flags->options.columns, "quasi-identifiers, in the order to add them")
      ->delimiter(',')
      ->required();
  command->add_option("--k", flags->options.ks, "one or several")
      ->delimiter(',')
      ->check(CLI::Range(1, 1'000'000'000));
  command
      ->add_option("--orders", flags->options.orders, "orders to add them in, the named one first")
      ->capture_default_str();
  AddTableFlags(*command, flags->table);
  AddAttackFlags(*command, flags->common);
  command->footer(
      "Example:\n  tacit attack dimension people.csv --qi age,sex,race,zip,education --k 5");
  command->callback([flags, &exit_code] { exit_code = PrintReport(Run(*flags), flags->common); });
}

}  // namespace tacit::app
