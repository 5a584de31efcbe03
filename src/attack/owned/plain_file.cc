#include "attack/owned/plain_file.h"

#include <algorithm>
#include <numeric>

#include "anonymize/table/dictionary.h"
#include "attack/dice.h"
#include "attack/report.h"

namespace tacit::attack {
namespace {

using owner::ExactRows;

bool CanBeReleased(const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
    case TypeKind::kNumeric:
    case TypeKind::kReal:
    case TypeKind::kDouble:
    case TypeKind::kText:
    case TypeKind::kDate:
      return true;
    default:
      return false;
  }
}

bool IsUnit(const policy::Table& table, const std::string& name) {
  const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit);
  return unit != nullptr && policy::SameName(unit->column, name);
}

// Which rows go into the file: all, or a random sample in its stored order.
std::vector<size_t> SampleOf(size_t rows, uint32_t rows_max, uint64_t seed) {
  std::vector<size_t> chosen(rows);
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  if (rows <= rows_max) return chosen;
  Dice(seed).Part(20).Shuffle(chosen);
  chosen.resize(rows_max);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

anonymize::CodedColumn ColumnOf(const ExactRows& rows, size_t column,
                                const std::vector<size_t>& chosen) {
  anonymize::CodedColumn made{rows.columns[column].name, {}, {}};
  anonymize::Dictionary dictionary;
  made.codes.reserve(chosen.size());
  for (const size_t row : chosen) {
    const std::optional<std::string>& cell = rows.cells[row][column];
    made.codes.push_back(dictionary.CodeOf(cell ? *cell : std::string()));
  }
  made.values = std::move(dictionary).TakeValues();
  return made;
}

bool Names(const std::vector<std::string>& names, const std::string& name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& one) { return policy::SameName(one, name); });
}

// Whether a reader may know the column; says why not, unless the owner chose the columns.
bool IsKnown(const anonymize::CodedColumn& column, uint32_t rows,
             const std::vector<std::string>& wished, PlainFile& released) {
  if (!wished.empty()) return Names(wished, column.name);
  // A value of one's own for most people is a name or a number, which no release would keep.
  if (column.values.size() > rows / 2) {
    released.left_out.push_back("Column " + column.name +
                                " was taken out of the released file: most of its values occur "
                                "once, so that it is a name by itself.");
    return false;
  }
  if (column.values.size() < 2) return false;
  if (released.known.size() < kKnownColumnsMax) return true;
  released.left_out.push_back("Column " + column.name + " was taken out of the released file: " +
                              std::to_string(kKnownColumnsMax) +
                              " columns are attacked at once; --qi chooses others.");
  return false;
}

}  // namespace

Result<PlainFile> PlainFileOf(const ExactRows& rows, const policy::Table& table,
                              const std::string& sensitive, const std::vector<std::string>& known,
                              uint32_t rows_max, uint64_t seed) {
  PlainFile released;
  const std::vector<size_t> chosen = SampleOf(rows.cells.size(), rows_max, seed);
  released.table.name = table.name;
  released.table.rows = static_cast<uint32_t>(chosen.size());
  if (chosen.size() < rows.cells.size()) {
    released.left_out.push_back("Of " + Shown(static_cast<double>(rows.cells.size())) +
                                " rows of " + table.name + " the attacks on released files took " +
                                Shown(static_cast<double>(chosen.size())) +
                                " at random: in the whole table fewer people are unique.");
  }
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    const policy::SchemaColumn& column = rows.columns[i];
    const bool is_sensitive = policy::SameName(column.name, sensitive);
    if (IsUnit(table, column.name) || table.IsHidden(column.name)) continue;
    if (!is_sensitive && !known.empty() && !Names(known, column.name)) continue;
    if (!CanBeReleased(column.type)) continue;
    anonymize::CodedColumn made = ColumnOf(rows, i, chosen);
    if (is_sensitive) {
      released.sensitive = column.name;
    } else if (IsKnown(made, released.table.rows, known, released)) {
      released.known.push_back(column.name);
    } else {
      continue;
    }
    if (!column.type.IsNumber()) released.rules.categories.insert(column.name);
    released.table.columns.push_back(std::move(made));
  }
  for (const std::string& name : known) {
    if (policy::SameName(name, sensitive)) {
      return InvalidArgument("--qi names " + name + ", which is the secret",
                             "a column is one or the other: choose another --secret");
    }
    if (Names(released.known, name)) continue;
    return InvalidArgument("table " + table.name + " has no visible column " + name,
                           "--qi names columns that a released file would have");
  }
  return released;
}

Result<SparseTable> PlainItemsOf(const ExactRows& rows, const policy::Table& table,
                                 const std::string& person, std::string& item_shown) {
  size_t who = rows.columns.size();
  std::vector<size_t> texts;
  item_shown.clear();
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    const policy::SchemaColumn& column = rows.columns[i];
    if (policy::SameName(column.name, person)) {
      who = i;
      continue;
    }
    const bool is_date = column.type.kind == TypeKind::kDate;
    if (table.IsHidden(column.name) || (column.type.kind != TypeKind::kText && !is_date)) continue;
    texts.push_back(i);
    item_shown += (item_shown.empty() ? "" : " and ") +
                  (is_date ? "the month of " + column.name : column.name);
  }
  if (who == rows.columns.size() || texts.empty()) {
    return InvalidArgument("it has no column of texts or dates that a reader could know");
  }
  anonymize::Dictionary people, items;
  SparseTable sparse{.name = table.name, .items = 0, .people = {}};
  std::string item;
  for (const auto& row : rows.cells) {
    if (!row[who]) continue;
    item.clear();
    for (const size_t i : texts) {
      constexpr size_t kYearAndMonth = 7;  // of 2024-12-31
      const std::string cell = row[i] ? *row[i] : "";
      const bool is_date = rows.columns[i].type.kind == TypeKind::kDate;
      item += (is_date ? cell.substr(0, kYearAndMonth) : cell) + '\n';
    }
    const uint32_t owner = people.CodeOf(*row[who]);
    if (owner >= sparse.people.size()) sparse.people.resize(owner + 1);
    sparse.people[owner].push_back({.item = items.CodeOf(item)});
  }
  sparse.items = static_cast<uint32_t>(std::move(items).TakeValues().size());
  KeepItemsOnce(sparse);
  return sparse;
}

}  // namespace tacit::attack
