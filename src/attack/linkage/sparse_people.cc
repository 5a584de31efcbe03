#include <algorithm>
#include <cmath>

#include "anonymize/partition/domain.h"
#include "attack/dice.h"
#include "attack/linkage/sparse.h"

namespace tacit::attack {
namespace {

// Days since 1970 for a civil date, by the usual count of 400-year eras.
bool ParseDay(std::string_view cell, double& day) {
  if (anonymize::ParseNumber(cell, day)) return true;
  double y = 0, m = 0, d = 0;
  if (cell.size() != 10 || cell[4] != '-' || cell[7] != '-' ||
      !anonymize::ParseNumber(cell.substr(0, 4), y) ||
      !anonymize::ParseNumber(cell.substr(5, 2), m) ||
      !anonymize::ParseNumber(cell.substr(8, 2), d) || m < 1 || m > 12 || d < 1 || d > 31) {
    return false;
  }
  const int year = static_cast<int>(y) - (m <= 2), month = static_cast<int>(m);
  const int of_era = year % 400,
            of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + static_cast<int>(d) - 1;
  day = year / 400 * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
  return true;
}

}  // namespace

void KeepItemsOnce(SparseTable& table) {
  for (std::vector<SparseEntry>& entries : table.people) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const SparseEntry& a, const SparseEntry& b) { return a.item < b.item; });
    entries.erase(
        std::unique(entries.begin(), entries.end(),
                    [](const SparseEntry& a, const SparseEntry& b) { return a.item == b.item; }),
        entries.end());
  }
}

Result<SparseTable> ReadSparse(const anonymize::Table& table, const SparseColumns& columns) {
  TACIT_TRY(const size_t person, table.IndexOf(columns.person));
  TACIT_TRY(const size_t item, table.IndexOf(columns.item));
  SparseTable sparse{.name = table.name,
                     .items = static_cast<uint32_t>(table.columns[item].values.size()),
                     .has_values = !columns.value.empty(),
                     .has_days = !columns.day.empty(),
                     .people = {}};
  sparse.people.resize(table.columns[person].values.size());
  size_t value = 0, day = 0;
  if (sparse.has_values) {
    TACIT_TRY(value, table.IndexOf(columns.value));
  }
  if (sparse.has_days) {
    TACIT_TRY(day, table.IndexOf(columns.day));
  }
  for (uint32_t row = 0; row < table.rows; ++row) {
    double worth = 0, when = 0;
    if (sparse.has_values && !anonymize::ParseNumber(table.columns[value].Cell(row), worth)) {
      return InvalidArgument(table.Place(row) + ": " + columns.value + " is \"" +
                             table.columns[value].Cell(row) + "\", not a number");
    }
    if (sparse.has_days && !ParseDay(table.columns[day].Cell(row), when)) {
      return InvalidArgument(table.Place(row) + ": " + columns.day + " is \"" +
                                 table.columns[day].Cell(row) + "\", not a day",
                             "days are numbers, or dates like 2024-03-31");
    }
    sparse.people[table.columns[person].codes[row]].push_back(
        {table.columns[item].codes[row], static_cast<float>(worth), static_cast<float>(when)});
  }
  KeepItemsOnce(sparse);
  return sparse;
}

SparseTable InventRatings(uint32_t people, uint32_t items, uint64_t seed) {
  Dice dice(seed);
  SparseTable table{.name = "invented ratings, seed " + std::to_string(seed),
                    .items = items,
                    .has_values = true,
                    .has_days = true,
                    .people = {}};
  std::vector<double> ends;
  double sum = 0;
  for (uint32_t i = 1; i <= items; ++i) ends.push_back(sum += std::pow(i, -0.8));
  for (uint32_t p = 0; p < people; ++p) {
    std::vector<SparseEntry>& entries = table.people.emplace_back();
    const double wished = std::exp(3.4 + 1.1 * dice.Normal());
    const auto count = static_cast<uint32_t>(std::clamp(wished, 5.0, 1000.0));
    for (uint32_t i = 0; i < count; ++i) {
      const double at = dice.Fraction() * sum;
      const auto item =
          static_cast<uint32_t>(std::upper_bound(ends.begin(), ends.end() - 1, at) - ends.begin());
      const double liking = 3.6 + 0.8 * std::sin(item) + 1.0 * dice.Normal();
      entries.push_back({item, static_cast<float>(std::clamp(std::round(liking), 1.0, 5.0)),
                         static_cast<float>(dice.Below(2000))});
    }
  }
  KeepItemsOnce(table);
  return table;
}

}  // namespace tacit::attack
