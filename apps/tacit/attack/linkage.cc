#include "attack/linkage/linkage.h"

#include "attack/linkage/city.h"
#include "attack/linkage/sparse.h"
#include "tacit/attack/attack.h"
#include "tacit/attack/files.h"
#include "tacit/table_flags.h"

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
                                options, AttackProgress());
  }
  TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(flags.sparse, csv));
  TACIT_TRY(const attack::SparseTable sparse, attack::ReadSparse(table, flags.columns));
  return attack::AttackSparse(sparse, options, AttackProgress());
}

Result<attack::Report> RunLinkage(const LinkageFlags& flags) {
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
    return attack::AttackLinkage(city.release, city.list, options, AttackProgress());
  }
  TACIT_TRY(const anonymize::Table release, anonymize::ReadCsv(flags.release, csv));
  TACIT_TRY(const anonymize::Table list, anonymize::ReadCsv(flags.list, csv));
  return attack::AttackLinkage(release, list, options, AttackProgress());
}

void AddSparseFlags(Command command, LinkageFlags& flags) {
  command.Value("--sparse", flags.sparse, "ratings, purchases or searches, one row an entry");
  command.Switch("--invent-ratings", flags.invent_sparse, "the same on invented ratings");
  command.Value("--people", flags.people, "invented people with ratings")
      .Between(10, 1'000'000)
      .ShowsDefault();
  command.Value("--items", flags.items, "invented items").Between(10, 1'000'000).ShowsDefault();
  command.Value("--person", flags.columns.person, "column of the person").ShowsDefault();
  command.Value("--item", flags.columns.item, "column of the item").ShowsDefault();
  command.Value("--value", flags.columns.value, "column of the rating or amount, if any");
  command.Value("--day", flags.columns.day, "column of the day, if any");
  command.Value("--known", flags.sparse_options.known, "items the attacker knows").Commas();
  command.Value("--wrong", flags.sparse_options.wrong, "of them, wrong ones").ShowsDefault();
  command.Value("--value-off", flags.sparse_options.value_off, "how far values are off")
      .ShowsDefault();
  command.Value("--day-off", flags.sparse_options.day_off, "how far days are off").ShowsDefault();
  command
      .Value("--gap", flags.sparse_options.gap,
             "standard deviations between best and second best that count as found")
      .ShowsDefault();
  command.Value("--targets", flags.sparse_options.targets, "people to look for").ShowsDefault();
}

constexpr const char* kLinkageExamples = R"(Examples:
  tacit attack linkage                                             an invented town
  tacit attack linkage release.csv voters.csv --on birth_date,sex,zip --prefix zip
  tacit attack linkage --sparse ratings.csv --person user --item film --value stars --day date)";

}  // namespace

void AddAttackLinkage(Command attack) {
  auto flags = std::make_shared<LinkageFlags>();
  Command command =
      attack.Subcommand("linkage", "Put names back: a release beside a list, or a few known items");
  command.Value("release", flags->release, "the release without names, as CSV");
  command.Value("list", flags->list, "the list with names, as CSV");
  command.Value("--on", flags->options.on, "columns in both").Commas();
  command
      .Value("--prefix", flags->options.prefix,
             "of them: coarsened by cutting characters off, like ZIP codes")
      .Commas();
  command.Value("--truth", flags->options.truth,
                "a column in both that says who is who; used for scoring only");
  command.Value("--k", flags->options.ks, "also coarsen the release to these k")
      .Commas()
      .Between(1, 1'000'000'000);
  AddSparseFlags(command, *flags);
  AddTableFlags(command, flags->table);
  AddAttackFlags(command, flags->common);
  command.Footer(kLinkageExamples);
  ActAsAttack(command, [flags] { return PrintReport(RunLinkage(*flags), flags->common); });
}

}  // namespace tacit::app
