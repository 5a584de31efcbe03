#include "attack/linkage/linkage.h"

#include <algorithm>
#include <unordered_map>

#include "anonymize/partition/mondrian.h"
#include "attack/intersection/published.h"

namespace tacit::attack {
namespace {

struct Columns {
  std::vector<size_t> release, list;
  std::vector<Ladder> ladders;
  std::vector<double> units;
  const anonymize::CodedColumn* release_truth = nullptr;
  const anonymize::CodedColumn* list_truth = nullptr;
};

Result<Columns> FindColumns(const anonymize::Table& release, const anonymize::Table& list,
                            const LinkageOptions& options) {
  if (options.on.empty()) {
    return InvalidArgument("the columns to link on are needed", "--on birth_date,sex,zip");
  }
  Columns columns;
  for (const std::string& name : options.on) {
    TACIT_TRY(const size_t in_release, release.IndexOf(name));
    TACIT_TRY(const size_t in_list, list.IndexOf(name));
    columns.release.push_back(in_release);
    columns.list.push_back(in_list);
    const bool cut =
        std::find(options.prefix.begin(), options.prefix.end(), name) != options.prefix.end();
    columns.ladders.push_back(cut ? Ladder::kPrefix : LadderOf(list.columns[in_list]));
    columns.units.push_back(UnitOf(list.columns[in_list]));
  }
  for (const std::string& name : options.prefix) {
    if (std::find(options.on.begin(), options.on.end(), name) == options.on.end()) {
      return InvalidArgument("--prefix names \"" + name + "\", which is not linked on");
    }
  }
  if (options.truth.empty()) return columns;
  TACIT_TRY(const size_t in_release, release.IndexOf(options.truth));
  TACIT_TRY(const size_t in_list, list.IndexOf(options.truth));
  columns.release_truth = &release.columns[in_release];
  columns.list_truth = &list.columns[in_list];
  return columns;
}

// Who fits whom: for every person of the list the rows, or the other way round, as groups of equal
// keys. A row and a person are linked when both are alone with their key.
struct Fit {
  std::vector<std::vector<uint32_t>> rows_of;  // by person of the list: the rows that fit
  std::vector<uint32_t> people_of;             // by row: how many people fit
};

std::string KeyOf(const anonymize::Table& table, const std::vector<size_t>& columns,
                  const Columns& how, uint32_t row, uint32_t step) {
  std::string key;
  for (size_t j = 0; j < columns.size(); ++j) {
    key += Coarsen(how.ladders[j], table.columns[columns[j]].Cell(row), step, how.units[j]);
    key += '\0';
  }
  return key;
}

Fit FitByKeys(const anonymize::Table& release, const anonymize::Table& list, const Columns& columns,
              uint32_t step) {
  std::unordered_map<std::string, std::vector<uint32_t>> rows;
  for (uint32_t row = 0; row < release.rows; ++row) {
    rows[KeyOf(release, columns.release, columns, row, step)].push_back(row);
  }
  Fit fit{std::vector<std::vector<uint32_t>>(list.rows), std::vector<uint32_t>(release.rows)};
  for (uint32_t person = 0; person < list.rows; ++person) {
    const auto found = rows.find(KeyOf(list, columns.list, columns, person, step));
    if (found == rows.end()) continue;
    fit.rows_of[person] = found->second;
    for (const uint32_t row : found->second) ++fit.people_of[row];
  }
  return fit;
}

Fit FitByCells(const anonymize::Table& release, const anonymize::Table& list,
               const Columns& columns, const PublishedFile& file, const Progress& progress) {
  Fit fit{std::vector<std::vector<uint32_t>>(list.rows), std::vector<uint32_t>(release.rows)};
  std::vector<const std::string*> person(columns.list.size());
  for (uint32_t i = 0; i < list.rows; ++i) {
    if (i % 256 == 0) Tell(progress, "people of the list", static_cast<double>(i) / list.rows);
    for (size_t j = 0; j < person.size(); ++j) person[j] = &list.columns[columns.list[j]].Cell(i);
    for (const uint32_t c : file.ClassesOf(person)) {
      const std::vector<uint32_t>& rows = file.RowsOf(c);
      fit.rows_of[i].insert(fit.rows_of[i].end(), rows.begin(), rows.end());
      for (const uint32_t row : rows) ++fit.people_of[row];
    }
  }
  return fit;
}

double MedianOf(std::vector<size_t>& sizes) {
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return static_cast<double>(*middle);
}

Links Score(const Fit& fit, const Columns& columns, std::string how) {
  Links links{.how = std::move(how)};
  std::unordered_map<std::string, uint32_t> row_of;
  if (columns.release_truth != nullptr) {
    for (uint32_t row = 0; row < columns.release_truth->codes.size(); ++row) {
      row_of.emplace(columns.release_truth->Cell(row), row);
    }
  }
  std::vector<size_t> fits;
  for (uint32_t person = 0; person < fit.rows_of.size(); ++person) {
    const std::vector<uint32_t>& rows = fit.rows_of[person];
    const bool claimed = rows.size() == 1 && fit.people_of[rows[0]] == 1;
    links.claimed += claimed;
    if (columns.list_truth == nullptr) continue;
    const auto own = row_of.find(columns.list_truth->Cell(person));
    if (own == row_of.end()) continue;
    ++links.in_both;
    links.right += claimed && rows[0] == own->second;
    fits.push_back(rows.size());
    if (std::find(rows.begin(), rows.end(), own->second) != rows.end()) {
      links.guess += 1.0 / static_cast<double>(rows.size());
    }
  }
  if (fits.empty()) return links;
  links.guess /= static_cast<double>(fits.size());
  links.median_fit = MedianOf(fits);
  return links;
}

std::string HowOf(const LinkageOptions& options, const Columns& columns, uint32_t step) {
  if (step == 0) return "as it is";
  static constexpr const char* kDates[] = {"day", "month", "year", "5 years", "10 years"};
  static constexpr double kWidths[] = {1, 2, 5, 10, 20};
  std::string how;
  for (size_t j = 0; j < options.on.size(); ++j) {
    std::string part;
    if (columns.ladders[j] == Ladder::kDate) part = options.on[j] + " by " + kDates[step];
    if (columns.ladders[j] == Ladder::kNumber)
      part = options.on[j] + " in steps of " + Shown(kWidths[step] * columns.units[j]);
    if (columns.ladders[j] == Ladder::kPrefix) {
      part = options.on[j] + " without its last " + std::to_string(step);
    }
    if (!part.empty()) how += (how.empty() ? "" : "; ") + part;
  }
  return how;
}

// Whether the release has cells that hold more than one value: then it is linked as it is.
bool IsCoarsened(const anonymize::Table& release, const Columns& columns) {
  for (const size_t column : columns.release) {
    for (const std::string& value : release.columns[column].values) {
      const anonymize::CellMeaning meaning = anonymize::ParseCell(value);
      if (meaning.anything || !meaning.ranges.empty() || meaning.values.size() > 1) return true;
    }
  }
  return false;
}

// A class has at least k rows that look alike, so no row is ever alone: nothing is claimed, and
// what is left to the attacker is a guess among the rows of the person's class. Dates are
// categories here, in the order of their text, which is theirs.
Result<Links> LinkMondrian(const anonymize::Table& release, const Columns& columns, uint32_t k,
                           const LinkageOptions& options) {
  anonymize::ColumnRules rules = options.rules;
  rules.hierarchies.clear();
  for (size_t j = 0; j < options.on.size(); ++j) {
    if (columns.ladders[j] != Ladder::kNumber) rules.categories.insert(options.on[j]);
  }
  TACIT_TRY(const std::vector<anonymize::Domain> domains,
            anonymize::MakeDomains(release, options.on, rules));
  const std::vector<uint32_t> rows = anonymize::AllRows(release);
  TACIT_TRY(const anonymize::Classes classes,
            anonymize::Mondrian(domains, rows, {.k = k}, nullptr));
  Links links{.how = "coarsened to k = " + std::to_string(k)};
  std::unordered_map<std::string, bool> listed;
  for (const uint32_t code : columns.list_truth->codes) {
    listed.emplace(columns.list_truth->values[code], true);
  }
  std::vector<size_t> fits;
  for (size_t c = 0; c < classes.size(); ++c) {
    const size_t size = classes.RowsOf(c).size();
    for (const uint32_t row : classes.RowsOf(c)) {
      if (!listed.contains(columns.release_truth->Cell(row))) continue;
      ++links.in_both;
      links.guess += 1.0 / static_cast<double>(size);
      fits.push_back(size);
    }
  }
  if (fits.empty()) return links;
  links.guess /= static_cast<double>(fits.size());
  links.median_fit = MedianOf(fits);
  return links;
}

}  // namespace

Result<std::vector<Links>> LinkFiles(const anonymize::Table& release, const anonymize::Table& list,
                                     const LinkageOptions& options, const Progress& progress) {
  TACIT_TRY(const Columns columns, FindColumns(release, list, options));
  std::vector<Links> all;
  if (IsCoarsened(release, columns)) {
    TACIT_TRY(const PublishedFile file, PublishedFile::Read(release, options.on));
    all.push_back(
        Score(FitByCells(release, list, columns, file, progress), columns, "as released"));
    return all;
  }
  double done = 0;
  const double steps = kCoarsenSteps + static_cast<double>(options.ks.size());
  for (uint32_t step = 0; step < kCoarsenSteps; ++step) {
    Tell(progress, "coarsening", done++ / steps);
    const std::string how = HowOf(options, columns, step);
    if (how.empty()) break;  // nothing to coarsen
    all.push_back(Score(FitByKeys(release, list, columns, step), columns, how));
  }
  if (columns.release_truth == nullptr) return all;
  done = kCoarsenSteps;
  for (const uint32_t k : options.ks) {
    Tell(progress, "groups of " + std::to_string(k), done++ / steps);
    TACIT_TRY(const Links links, LinkMondrian(release, columns, k, options));
    all.push_back(links);
  }
  return all;
}

}  // namespace tacit::attack
