#include "attack/owned/owned_files.h"

#include <algorithm>
#include <set>

#include "attack/dice.h"
#include "attack/dimension/dimension.h"
#include "attack/intersection/intersection.h"
#include "attack/linkage/linkage.h"
#include "attack/owned/plain_file.h"
#include "attack/scene/owners_people.h"
#include "attack/scene/owners_rows.h"
#include "attack/uniqueness/uniqueness.h"

namespace tacit::attack {
namespace {

constexpr char kTruth[] = "(person)";  // never a column's name in SQL without quotes

std::string Reason(const Error& error) {
  return error.public_message + (error.hint.empty() ? "." : " (" + error.hint + ").");
}

// Keeps a report, or says why there is none: the owner's page is worth having without it.
void Keep(const char* name, Result<Report> report, OwnedFiles& done) {
  if (report.ok()) {
    done.reports.push_back(std::move(*report));
  } else {
    done.skipped.push_back("The attack " + std::string(name) +
                           " was left out: " + Reason(report.error()));
  }
}

Result<Report> Uniqueness(const PlainFile& released, const Progress& progress) {
  constexpr size_t kAtOnce = 4;
  const auto up_to = static_cast<uint32_t>(std::min(kAtOnce, released.known.size()));
  return AttackUniqueness(released.table, {.columns = released.known, .up_to = up_to, .shown = 3},
                          progress);
}

// Half of the people are in the release and half on the list, drawn independently, as when a clinic
// releases its patients and somebody holds the register of a town.
Result<Report> Linkage(const PlainFile& released, const OwnedFilesSettings& settings,
                       const Progress& progress) {
  anonymize::Table named = released.table;
  anonymize::CodedColumn truth{kTruth, {}, {}};
  for (uint32_t row = 0; row < named.rows; ++row) {
    truth.values.push_back(std::to_string(row));
    truth.codes.push_back(row);
  }
  named.columns.push_back(std::move(truth));
  Dice dice = Dice(settings.seed).Part(21);
  std::vector<uint32_t> in_release, on_list;
  for (uint32_t row = 0; row < named.rows; ++row) {
    if (dice.Chance(0.5)) in_release.push_back(row);
    if (dice.Chance(0.5)) on_list.push_back(row);
  }
  dice.Shuffle(in_release);
  anonymize::Table release = anonymize::TakeRows(named, in_release);
  release.name = "half of " + released.table.name + " without names";
  anonymize::Table list = anonymize::TakeRows(named, on_list);
  list.name = "a list with the names of half of them";
  TACIT_TRY(
      Report report,
      AttackLinkage(
          release, list,
          {.on = released.known, .truth = kTruth, .rules = released.rules, .seed = settings.seed},
          progress));
  report.seed = settings.seed;
  return report;
}

Result<Report> Intersection(const PlainFile& released, const OwnedFilesSettings& settings,
                            const Progress& progress) {
  if (released.sensitive.empty()) return InvalidArgument("no column is sensitive");
  IntersectionOptions options{.quasi_identifiers = released.known,
                              .sensitive = released.sensitive,
                              .rules = released.rules,
                              .requirements = {{.k = 2}, {.k = 5}, {.k = 10}, {.k = 30}},
                              .runs = settings.runs,
                              .seed = settings.seed,
                              .targets = settings.targets};
  const anonymize::CodedColumn* sensitive = released.table.Find(released.sensitive);
  constexpr double kDiverse = 3;
  if (sensitive != nullptr && static_cast<double>(sensitive->values.size()) > 2 * kDiverse) {
    options.requirements.push_back({.l = kDiverse});
  }
  for (const Rational& epsilon : {Rational(1, 10), Rational(1)}) {
    options.epsilons.emplace_back(epsilon);
  }
  return AttackIntersection(released.table, options, progress);
}

Result<Report> Dimension(const PlainFile& released, const OwnedFilesSettings& settings,
                         const Progress& progress) {
  if (released.known.size() < 2) return InvalidArgument("it needs two columns that are known");
  return AttackDimension(released.table,
                         {.columns = released.known,
                          .rules = released.rules,
                          .ks = {2, 10},
                          .orders = settings.runs,
                          .seed = settings.seed},
                         progress);
}

// A million rows as texts are large: they are gone when the attack begins.
Result<SparseTable> ReadItems(const policy::Policy& policy, const policy::Table& table,
                              const std::string& person, std::string& shown) {
  TACIT_TRY(const owner::ExactRows rows, owner::ReadRows(policy, table.name, kOwnersRowsMax));
  TACIT_TRY(SparseTable items, PlainItemsOf(rows, table, person, shown));
  items.item_means = shown + " of one row of " + table.name;
  return items;
}

// Where a person has several rows, a few of them known are the attack.
Result<Report> Items(const policy::Policy& policy, const policy::Table& table,
                     const OwnedFilesSettings& settings, const Progress& progress) {
  std::string person;
  if (const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit)) person = unit->column;
  if (const auto* unit = std::get_if<policy::UnitIsReached>(&table.unit)) {
    const policy::Table* parent = policy.Find(unit->to_table);
    if (parent == nullptr || !HasOneRowEach(*parent)) {
      return InvalidArgument("its people are found through more than one other table");
    }
    person = unit->via;
  }
  std::string shown;
  TACIT_TRY(const SparseTable items, ReadItems(policy, table, person, shown));
  TACIT_TRY(Report report, AttackSparse(items,
                                        {.known = {1, 2, 3, 4},
                                         .wrong = 0,
                                         .targets = settings.targets / 4 + 1,
                                         .seed = settings.seed},
                                        progress));
  report.name = "linkage-" + table.name;
  report.title = "Putting the names back by a few known rows of " + table.name;
  return report;
}

}  // namespace

Result<OwnedFiles> AttackOwnedFiles(const std::string& path, const OwnedFilesSettings& settings,
                                    const Progress& progress) {
  OwnedFiles done;
  TACIT_TRY(const OwnedTable owned, ReadOwnedTable(path, settings.table));
  TACIT_TRY(const std::string secret, SecretColumnOf(owned, settings.secret));
  TACIT_TRY(const PlainFile released, PlainFileOf(owned.rows, owned.table(), secret, settings.known,
                                                  settings.rows_max, settings.seed));
  done.skipped = released.left_out;
  const auto has_items = [&](const policy::Table& table) {
    return !policy::SameName(table.name, owned.name) && !table.is_public && !HasOneRowEach(table);
  };
  // Linkage and intersection take longest of the four; a table of items as long as all of them.
  const auto items = static_cast<double>(
      std::count_if(owned.policy.tables.begin(), owned.policy.tables.end(), has_items));
  const auto part = [&](double from, double to) {
    return Between(progress, from / (1 + items), to / (1 + items));
  };
  if (released.known.empty()) {
    done.skipped.push_back("Uniqueness, linkage, intersection and dimension were left out: table " +
                           owned.name + " has no visible column beside the secret.");
  } else {
    Keep("uniqueness", Uniqueness(released, part(0, 0.1)), done);
    Keep("linkage", Linkage(released, settings, part(0.1, 0.4)), done);
    Keep("intersection", Intersection(released, settings, part(0.4, 0.8)), done);
    Keep("dimension", Dimension(released, settings, part(0.8, 1)), done);
  }
  double before = 1;
  for (const policy::Table& table : owned.policy.tables) {
    if (policy::SameName(table.name, owned.name)) continue;
    if (table.is_public) {
      done.skipped.push_back("Table " + table.name +
                             " was not attacked: the policy says that it is public.");
    } else if (HasOneRowEach(table)) {
      done.skipped.push_back("Table " + table.name +
                             " was not attacked: one table is, and --table " + table.name +
                             " chooses this one.");
    } else {
      Result<Report> report = Items(owned.policy, table, settings, part(before, before + 1));
      before += 1;
      const std::string several = "Table " + table.name + " holds several rows a person. ";
      done.skipped.push_back(
          several + (report.ok() ? "It was attacked by a few known rows; uniqueness, intersection "
                                   "and dimension want one row a person."
                                 : "It was not attacked: " + Reason(report.error())));
      if (report.ok()) done.reports.push_back(std::move(*report));
    }
  }
  return done;
}

}  // namespace tacit::attack
