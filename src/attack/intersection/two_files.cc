#include <algorithm>
#include <set>

#include "attack/intersection/intersection.h"
#include "attack/intersection/published.h"
#include "attack/statistics.h"

namespace tacit::attack {
namespace {

// The sensitive texts that the classes holding a person have.
std::set<std::string> ValuesFor(const PublishedFile& file, const anonymize::CodedColumn& sensitive,
                                const std::vector<const std::string*>& person) {
  std::set<std::string> values;
  for (const uint32_t c : file.ClassesOf(person)) {
    for (const uint32_t row : file.RowsOf(c)) values.insert(sensitive.Cell(row));
  }
  return values;
}

struct Found {
  int64_t targets = 0;
  int64_t missed = 0;  // in no class of one of the files
  int64_t alone = 0, perfect = 0, partial = 0;
  int64_t wrong = 0;                                        // one value left, and not the target's
  std::vector<int64_t> by_count = std::vector<int64_t>(6);  // 0, 1, 2, 3, 4, 5 or more left
};

}  // namespace

Result<Report> AttackTwoFiles(const anonymize::Table& one, const anonymize::Table& other,
                              const anonymize::Table& targets,
                              const std::vector<std::string>& quasi_identifiers,
                              const std::string& sensitive, const Progress& progress) {
  if (quasi_identifiers.empty() || sensitive.empty()) {
    return InvalidArgument("quasi-identifiers and a sensitive column are needed",
                           "--qi age,sex,zip --sensitive illness");
  }
  TACIT_TRY(const PublishedFile first, PublishedFile::Read(one, quasi_identifiers));
  TACIT_TRY(const PublishedFile second, PublishedFile::Read(other, quasi_identifiers));
  TACIT_TRY(const size_t first_sensitive, one.IndexOf(sensitive));
  TACIT_TRY(const size_t second_sensitive, other.IndexOf(sensitive));
  std::vector<size_t> known;
  for (const std::string& name : quasi_identifiers) {
    TACIT_TRY(const size_t column, targets.IndexOf(name));
    known.push_back(column);
  }
  const anonymize::CodedColumn* truth = targets.Find(sensitive);

  Found found;
  std::vector<const std::string*> person(known.size());
  for (uint32_t row = 0; row < targets.rows; ++row) {
    Tell(progress, "targets", static_cast<double>(row) / targets.rows);
    for (size_t j = 0; j < known.size(); ++j) person[j] = &targets.columns[known[j]].Cell(row);
    const std::set<std::string> in_first = ValuesFor(first, one.columns[first_sensitive], person);
    const std::set<std::string> in_second =
        ValuesFor(second, other.columns[second_sensitive], person);
    std::vector<std::string> left;
    std::set_intersection(in_first.begin(), in_first.end(), in_second.begin(), in_second.end(),
                          std::back_inserter(left));
    ++found.targets;
    found.missed += in_first.empty() || in_second.empty();
    found.alone += in_first.size() == 1 || in_second.size() == 1;
    found.perfect += left.size() == 1;
    found.partial += left.size() == 1 || left.size() == 2;
    found.wrong += left.size() == 1 && truth != nullptr && truth->Cell(row) != left[0];
    ++found.by_count[std::min<size_t>(left.size(), 5)];
  }

  Report report{.name = "intersection",
                .title = "Two releases, each fine alone",
                .shows =
                    "For every person of a list that is known to be in both releases: the "
                    "sensitive values that the two matching classes have in common."};
  report.parameters = {{"releases", one.name + ", " + other.name},
                       {"targets", targets.name},
                       {"sensitive", sensitive}};
  const auto share = [&](int64_t count) {
    const Estimate estimate = ShareOf(count, found.targets);
    return Percent(estimate.value, 2).text;
  };
  report.summary = {"One value is left for " + share(found.perfect) + " of the " +
                    Shown(static_cast<double>(found.targets)) + " targets, at most two for " +
                    share(found.partial) + "; one release alone settles " + share(found.alone) +
                    "."};
  if (truth != nullptr) {
    report.summary.push_back("Of the targets with one value left, " +
                             Shown(static_cast<double>(found.perfect - found.wrong)) + " of " +
                             Shown(static_cast<double>(found.perfect)) +
                             " have that value in the list.");
  }
  if (found.missed > 0) {
    report.summary.push_back(share(found.missed) +
                             " of the targets match no class of one of the releases.");
  }
  Table table{.title = "Values left", .header = {"values left", "targets", "share"}, .rows = {}};
  for (size_t i = 0; i < found.by_count.size(); ++i) {
    table.rows.push_back({Text(i == 5 ? "5 or more" : std::to_string(i)),
                          Number(static_cast<double>(found.by_count[i])),
                          Percent(ShareOf(found.by_count[i], found.targets).value, 2)});
  }
  report.tables.push_back(std::move(table));
  report.cautions = {
      "Cells are read as `tacit anonymize` writes them: 20..30, {a|b}, *. Groups of a "
      "hierarchy are taken as values, and match nobody's exact value."};
  report.defence = {"A guarantee that composes",
                    "Two differentially private releases cost the sum of their epsilons, whatever "
                    "else the reader knows."};
  return report;
}

}  // namespace tacit::attack
