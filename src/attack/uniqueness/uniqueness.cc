#include "attack/uniqueness/uniqueness.h"

#include <algorithm>
#include <cmath>

#include "anonymize/partition/group_rows.h"

namespace tacit::attack {
namespace {

using anonymize::Groups;

// Why a million: each set is a pass over the rows that are not yet unique; more takes hours.
constexpr double kSetsMax = 1e6;
constexpr uint32_t kFew = 5;

double SetsOf(size_t columns, uint32_t up_to) {
  double sum = 0, choose = 1;
  for (uint32_t size = 1; size <= up_to; ++size) {
    choose = choose * static_cast<double>(columns - size + 1) / size;
    sum += choose;
  }
  return sum;
}

// Walks the sets depth first. A row that is unique on a set is unique on every larger one, so each
// step looks only at the rows that are left.
class Walk {
 public:
  Walk(const anonymize::Table& table, const std::vector<size_t>& columns, uint32_t up_to,
       double sets, const Progress& progress)
      : table_(table), columns_(columns), up_to_(up_to), sets_(sets), progress_(progress) {}

  std::vector<KnownSet> Run() {
    std::vector<uint32_t> rows(table_.rows);
    for (uint32_t row = 0; row < table_.rows; ++row) rows[row] = row;
    Step({}, 0, rows, anonymize::OneGroup(table_.rows));
    return std::move(found_);
  }

 private:
  void Step(const std::vector<size_t>& known, uint64_t unique_before,
            const std::vector<uint32_t>& rows, const Groups& groups) {
    for (size_t next = known.empty() ? 0 : known.back() + 1; next < columns_.size(); ++next) {
      const anonymize::CodedColumn& column = table_.columns[columns_[next]];
      std::vector<uint32_t> codes;
      codes.reserve(rows.size());
      for (const uint32_t row : rows) codes.push_back(column.codes[row]);
      const Groups finer = anonymize::Refine(groups, codes, column.values.size());
      const std::vector<uint32_t> sizes = anonymize::SizesOf(finer);

      KnownSet set{known, unique_before, 0};
      set.columns.push_back(next);
      for (const uint32_t size : sizes) {
        if (size == 1) ++set.unique;
        if (size > 1 && size < kFew) set.few += size;
      }
      set.few += set.unique;
      found_.push_back(set);
      Tell(progress_, "sets of columns", static_cast<double>(found_.size()) / sets_);
      if (set.columns.size() < up_to_) Deeper(set, rows, finer, sizes);
    }
  }

  void Deeper(const KnownSet& set, const std::vector<uint32_t>& rows, const Groups& groups,
              const std::vector<uint32_t>& sizes) {
    std::vector<uint32_t> left;
    Groups left_groups;
    std::vector<uint32_t> number(groups.count, UINT32_MAX);
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint32_t group = groups.of[i];
      if (sizes[group] == 1) continue;
      if (number[group] == UINT32_MAX) number[group] = left_groups.count++;
      left.push_back(rows[i]);
      left_groups.of.push_back(number[group]);
    }
    Step(set.columns, set.unique, left, left_groups);
  }

  const anonymize::Table& table_;
  const std::vector<size_t>& columns_;
  uint32_t up_to_;
  double sets_;
  const Progress& progress_;
  std::vector<KnownSet> found_;
};

std::string NamesOf(const KnownSet& set, const std::vector<std::string>& names) {
  std::string text;
  for (const size_t column : set.columns) text += (text.empty() ? "" : ", ") + names[column];
  return text;
}

struct BySize {
  std::vector<KnownSet> sets;  // the most telling first
  double mean = 0;
};

std::vector<BySize> SortBySize(const std::vector<KnownSet>& sets, uint32_t up_to) {
  std::vector<BySize> sizes(up_to);
  for (const KnownSet& set : sets) sizes[set.columns.size() - 1].sets.push_back(set);
  for (BySize& size : sizes) {
    for (const KnownSet& set : size.sets) {
      size.mean += static_cast<double>(set.unique) / static_cast<double>(size.sets.size());
    }
    std::stable_sort(size.sets.begin(), size.sets.end(),
                     [](const KnownSet& a, const KnownSet& b) { return a.unique > b.unique; });
  }
  return sizes;
}

void AddFigures(const std::vector<BySize>& sizes, double rows, const UniquenessOptions& options,
                Report& report) {
  Chart chart{.title = "People singled out, by how many columns are known",
              .x = {.label = "columns known"},
              .y = {.label = "rows that are unique", .unit = "%", .low = 0, .high = 100},
              .series = {},
              .error_bars = "the least and the most telling set of that many columns"};
  Series series{.name = "mean over all sets", .points = {}};
  Table table{.title = "The most telling sets",
              .header = {"columns known", "unique", "fewer than 5 alike", "set"},
              .rows = {}};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const std::vector<KnownSet>& sets = sizes[i].sets;
    const auto percent = [&](double count) { return 100 * count / rows; };
    series.points.push_back({.x = static_cast<double>(i + 1),
                             .y = percent(sizes[i].mean),
                             .low = percent(static_cast<double>(sets.back().unique)),
                             .high = percent(static_cast<double>(sets.front().unique))});
    for (size_t s = 0; s < sets.size() && (options.shown == 0 || s < options.shown); ++s) {
      table.rows.push_back({Number(static_cast<double>(i + 1)),
                            Percent(static_cast<double>(sets[s].unique) / rows, 2),
                            Percent(static_cast<double>(sets[s].few) / rows, 2),
                            Text(NamesOf(sets[s], options.columns))});
    }
  }
  chart.series.push_back(std::move(series));
  report.charts.push_back(std::move(chart));
  report.tables.push_back(std::move(table));
}

}  // namespace

Result<std::vector<KnownSet>> CountUnique(const anonymize::Table& table,
                                          const UniquenessOptions& options,
                                          const Progress& progress) {
  std::vector<size_t> columns;
  for (const std::string& name : options.columns) {
    TACIT_TRY(const size_t column, table.IndexOf(name));
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) {
      return InvalidArgument("the column \"" + name + "\" is named twice");
    }
    columns.push_back(column);
  }
  if (options.up_to < 1 || options.up_to > columns.size()) {
    return InvalidArgument("--up-to must be from 1 to the number of columns, " +
                           std::to_string(columns.size()));
  }
  const double sets = SetsOf(columns.size(), options.up_to);
  if (sets > kSetsMax) {
    return InvalidArgument("these are " + attack::Shown(sets) + " sets of columns",
                           "choose a smaller --up-to or fewer columns; a million is the most");
  }
  return Walk(table, columns, options.up_to, sets, progress).Run();
}

Result<Report> AttackUniqueness(const anonymize::Table& table, UniquenessOptions options,
                                const Progress& progress) {
  if (options.columns.empty()) {
    for (const anonymize::CodedColumn& column : table.columns)
      options.columns.push_back(column.name);
  }
  TACIT_TRY(const std::vector<KnownSet> sets, CountUnique(table, options, progress));
  const double rows = table.rows;
  const std::vector<BySize> sizes = SortBySize(sets, options.up_to);
  Report report{.name = "uniqueness",
                .title = "Who is the only one of their kind",
                .shows =
                    "Counts the rows that nobody else equals on a set of columns. Whoever "
                    "knows these few things of a person finds that person's row, and with it "
                    "every other column. It needs the table and nothing else."};
  std::string names;
  for (const std::string& name : options.columns) names += (names.empty() ? "" : ", ") + name;
  report.parameters = {{"file", table.name},
                       {"rows", Shown(rows)},
                       {"columns", names},
                       {"known at once", "1 to " + std::to_string(options.up_to)},
                       {"sets", Shown(static_cast<double>(sets.size()))}};
  AddFigures(sizes, rows, options, report);
  for (size_t i = 0; i < sizes.size(); ++i) {
    const KnownSet& worst = sizes[i].sets.front();
    report.summary.push_back(
        (i == 0 ? "One column" : std::to_string(i + 1) + " columns") + std::string(" known: ") +
        Percent(static_cast<double>(worst.unique) / rows, 2).text + " of the rows are unique on {" +
        NamesOf(worst, options.columns) + "}, " + Percent(sizes[i].mean / rows, 2).text +
        " on the average set.");
  }
  report.cautions = {
      "Unique in this table is not unique in the population: where the table is a sample, an "
      "attacker cannot always be sure. The linkage attack measures that."};
  report.defence = {"Release no rows",
                    "Removing names does not help, and coarsening trades every column's use for "
                    "it. A differentially private answer depends on no single row by more than a "
                    "factor of e^epsilon, however rare that row is."};
  return report;
}

}  // namespace tacit::attack
