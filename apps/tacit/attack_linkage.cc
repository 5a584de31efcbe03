#include "attack/linkage/city.h"
#include "attack/linkage/linkage.h"
#include "attack/linkage/sparse.h"
#include "attack_files.h"
#include "command_anonymize.h"
#include "command_attack.h"

namespace tacit::app {
namespace {

struct LinkageFlags {
  std::string release, list;
  attack::LinkageOptions options;
  attack::CityOptions city;
  std::string sparse;
  bool invent_sparse = false;
  uint32_t people = 20'000, items = 5'000;
  attack::SparseColumns columns{.person = "person", .item = "item"};
  attack::SparseOptions sparse_options;
  TableFlags table;
  AttackFlags common;
};

Result<attack::Report> RunSparse(const LinkageFlags& flags, const anonymize::CsvOptions& csv) {
  attack::SparseOptions options = flags.sparse_options;
  options.seed = flags.common.seed;
  if (flags.invent_sparse) {
    return attack::AttackSparse(attack::InventRatings(flags.people, flags.items, options.seed),
                                options, TerminalProgress());
  }
  TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(flags.sparse, csv));
  TACIT_TRY(const attack::SparseTable sparse, attack::ReadSparse(table, flags.columns));
  return attack::AttackSparse(sparse, options, TerminalProgress());
}

Result<attack::Report> Run(const LinkageFlags& flags) {
  TACIT_TRY(const anonymize::CsvOptions csv, ReadCsvOptions(flags.table));
  if (!flags.sparse.empty() || flags.invent_sparse) return RunSparse(flags, csv);
  if (flags.release.empty() != flags.list.empty()) {
    return InvalidArgument("a release and an identified list are needed",
                           "tacit attack linkage RELEASE LIST --on birth_date,sex,zip; without "
                           "files an invented town is attacked");
  }
  attack::LinkageOptions options = flags.options;
  TACIT_TRY(options.rules, ReadColumnRules(flags.table));
  options.seed = flags.common.seed;
  if (flags.release.empty()) {
    attack::CityOptions wish = flags.city;
    wish.seed = options.seed;
    const attack::City city = attack::InventCity(wish);
    options.invented = true;
    options.truth = "person";
    if (options.on.empty()) {
      options.on = {"birth_date", "sex", "zip"};
      options.prefix = {"zip"};
    }
    return attack::AttackLinkage(city.release, city.list, options, TerminalProgress());
  }
  TACIT_TRY(const anonymize::Table release, anonymize::ReadCsv(flags.release, csv));
  TACIT_TRY(const anonymize::Table list, anonymize::ReadCsv(flags.list, csv));
  return attack::AttackLinkage(release, list, options, TerminalProgress());
}

void AddSparseFlags(CLI::App& command, LinkageFlags& flags) {
  command.add_option("--sparse", flags.sparse, "ratings, purchases or searches, one row an entry");
  command.add_flag("--invent-ratings", flags.invent_sparse, "the same on invented ratings");
  command.add_option("--people", flags.people, "invented people with ratings")
      ->check(CLI::Range(10, 1'000'000))
      ->capture_default_str();
  command.add_option("--items", flags.items, "invented items")
      ->check(CLI::Range(10, 1'000'000))
      ->capture_default_str();
  command.add_option("--person", flags.columns.person, "column of the person")
      ->capture_default_str();
  command.add_option("--item", flags.columns.item, "column of the item")->capture_default_str();
  command.add_option("--value", flags.columns.value, "column of the rating or amount, if any");
  command.add_option("--day", flags.columns.day, "column of the day, if any");
  command.add_option("--known", flags.sparse_options.known, "items the attacker knows")
      ->delimiter(',');
  command.add_option("--wrong", flags.sparse_options.wrong, "of them, wrong ones")
      ->capture_default_str();
  command.add_option("--value-off", flags.sparse_options.value_off, "how far values are off")
      ->capture_default_str();
  command.add_option("--day-off", flags.sparse_options.day_off, "how far days are off")
      ->capture_default_str();
  command
      .add_option("--gap", flags.sparse_options.gap,
                  "standard deviations between best and second best that count as found")
      ->capture_default_str();
  command.add_option("--targets", flags.sparse_options.targets, "people to look for")
      ->capture_default_str();
}

constexpr const char* kExamples = R"(Examples:
  tacit attack linkage                                             an invented town
  tacit attack linkage release.csv voters.csv --on birth_date,sex,zip --prefix zip
  tacit attack linkage --sparse ratings.csv --person user --item film --value stars --day date)";

}  // namespace

void AddAttackLinkage(CLI::App& attack, int& exit_code) {
  auto flags = std::make_shared<LinkageFlags>();
  CLI::App* command = attack.add_subcommand(
      "linkage", "Put names back: a release beside a list, or a few known items");
  command->add_option("release", flags->release, "the release without names, as CSV");
  command->add_option("list", flags->list, "the list with names, as CSV");
  command->add_option("--on", flags->options.on, "columns in both")->delimiter(',');
  command
      ->add_option("--prefix", flags->options.prefix,
                   "of them: coarsened by cutting characters off, like ZIP codes")
      ->delimiter(',');
  command->add_option("--truth", flags->options.truth,
                      "a column in both that says who is who; used for scoring only");
  command->add_option("--k", flags->options.ks, "also coarsen the release to these k")
      ->delimiter(',')
      ->check(CLI::Range(1, 1'000'000'000));
  AddSparseFlags(*command, *flags);
  AddTableFlags(*command, flags->table);
  AddAttackFlags(*command, flags->common);
  command->footer(kExamples);
  command->callback([flags, &exit_code] { exit_code = PrintReport(Run(*flags), flags->common); });
}

}  // namespace tacit::app
