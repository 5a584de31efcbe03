#include "attack/intersection/intersection.h"

#include "attack/intersection/census.h"
#include "tacit/attack/attack.h"
#include "tacit/attack/files.h"
#include "tacit/commands.h"
#include "tacit/table_flags.h"

namespace tacit::app {
namespace {

struct IntersectionFlags {
  std::string file, other, targets;
  uint32_t census = 0;
  std::vector<std::string> qi;
  std::string sensitive;
  std::vector<uint32_t> k, overlap;
  std::vector<double> l, t;
  std::string l_kind = "distinct";
  uint32_t t_k = 10;
  uint32_t runs = 3;
  std::vector<std::string> epsilon;
  uint32_t cells = 128;
  TableFlags table;
  AttackFlags common;
};

std::vector<anonymize::Requirement> RequirementsOf(const IntersectionFlags& flags) {
  std::vector<anonymize::Requirement> all;
  for (const uint32_t k : flags.k) all.push_back({.k = k});
  for (const double l : flags.l) {
    if (flags.l_kind != "entropy") all.push_back({.l = l});
    if (flags.l_kind != "distinct") all.push_back({.l = l, .l_kind = anonymize::LKind::kEntropy});
  }
  for (const double t : flags.t) all.push_back({.k = flags.t_k, .t = t});
  if (all.empty()) all = {{.k = 2}, {.k = 5}, {.k = 10}};
  return all;
}

Result<Done> CheckNumbers(const IntersectionFlags& flags) {
  for (const double l : flags.l) {
    if (!(l >= 1)) return InvalidArgument("--l must be at least 1");
  }
  for (const double t : flags.t) {
    if (!(t >= 0 && t <= 1)) return InvalidArgument("--t must be from 0 to 1");
  }
  return Done{};
}

Result<attack::Report> RunIntersection(const IntersectionFlags& flags) {
  TACIT_CHECK(CheckNumbers(flags));
  TACIT_TRY(const anonymize::CsvOptions csv, ReadCsvOptions(flags.table));
  if (flags.file.empty() == (flags.census == 0)) {
    return InvalidArgument("a file or --census is needed, and not both");
  }
  if (flags.other.empty() != flags.targets.empty()) {
    return InvalidArgument("--with and --targets belong together",
                           "two released files need a list of people to look for");
  }
  anonymize::Table table;
  if (flags.census > 0) {
    table = attack::CensusLike(flags.census, flags.common.seed);
  } else {
    TACIT_TRY(table, anonymize::ReadCsv(flags.file, csv));
  }
  if (!flags.other.empty()) {
    TACIT_TRY(const anonymize::Table other, anonymize::ReadCsv(flags.other, csv));
    TACIT_TRY(const anonymize::Table targets, anonymize::ReadCsv(flags.targets, csv));
    return attack::AttackTwoFiles(table, other, targets, flags.qi, flags.sensitive,
                                  AttackProgress());
  }
  attack::IntersectionOptions options{.quasi_identifiers = flags.qi,
                                      .sensitive = flags.sensitive,
                                      .requirements = RequirementsOf(flags),
                                      .overlaps = flags.overlap,
                                      .runs = flags.runs,
                                      .seed = flags.common.seed,
                                      .cells = flags.cells};
  if (flags.census > 0 && options.quasi_identifiers.empty()) {
    options.quasi_identifiers = {"age", "sex", "marital", "race", "birthplace", "education"};
  }
  if (flags.census > 0 && options.sensitive.empty()) options.sensitive = "occupation";
  TACIT_TRY(options.rules, ReadColumnRules(flags.table));
  for (const std::string& text : flags.epsilon) {
    TACIT_TRY(const Rational epsilon, ReadNumber("--epsilon", text));
    if (epsilon <= 0) return InvalidArgument("--epsilon must be above 0");
    options.epsilons.push_back(Epsilon(epsilon));
  }
  return attack::AttackIntersection(table, options, AttackProgress());
}

constexpr const char* kIntersectionExamples = R"(Examples:
  tacit attack intersection people.csv --qi age,sex,zip --sensitive illness --k 2,5,10 --l 2,3
  tacit attack intersection people.csv --qi age,sex,zip --sensitive illness --epsilon 0.1,1
  tacit attack intersection --census 70000 --k 30 --overlap 5000
  tacit attack intersection one.csv --with other.csv --targets known.csv --qi age,sex --sensitive illness

Private releases beside the coarsened ones: --epsilon, for each of the two.)";

}  // namespace

void AddAttackIntersection(Command attack) {
  auto flags = std::make_shared<IntersectionFlags>();
  Command command =
      attack.Subcommand("intersection", "Two releases about overlapping people, each fine alone");
  command.Value("file", flags->file, "the table to split and release, as CSV");
  command.Value("--census", flags->census, "instead of a file: so many invented people")
      .Between(100, 10'000'000);
  command.Value("--qi", flags->qi, "what the attacker knows").Commas();
  command.Value("--sensitive", flags->sensitive, "what the attacker wants to know");
  command.Value("--k", flags->k, "k of each release, one or several")
      .Commas()
      .Between(1, 1'000'000'000);
  command.Value("--l", flags->l, "l of each release, one or several").Commas();
  command.Value("--l-kind", flags->l_kind, "distinct, entropy or both")
      .OneOf({"distinct", "entropy", "both"});
  command.Value("--t", flags->t, "t of each release, one or several").Commas();
  command.Value("--t-k", flags->t_k, "the k that goes with --t").ShowsDefault();
  command.Value("--overlap", flags->overlap, "people in both releases, one or several numbers")
      .Commas();
  command.Value("--runs", flags->runs, "splits, with seeds one after the other").ShowsDefault();
  command.Value("--epsilon", flags->epsilon, "of each of two private releases").Commas();
  command.Value("--cells", flags->cells, "cells of the private releases' public grid")
      .ShowsDefault();
  command.Value("--with", flags->other, "attack two released files: the other one");
  command.Value("--targets", flags->targets, "... and the people who are in both");
  AddTableFlags(command, flags->table);
  AddAttackFlags(command, flags->common);
  command.Footer(kIntersectionExamples);
  ActAsAttack(command, [flags] { return PrintReport(RunIntersection(*flags), flags->common); });
}

}  // namespace tacit::app
