#include "gateway/derive/make_table.h"

#include <algorithm>
#include <map>
#include <set>

namespace tacit::gateway {
namespace {

using answer::TableInBytes;
using engine::Value;
using Keys = std::vector<Value>;

// Why 100,000: more groups than anybody looks at, added up in a tenth of a second.
constexpr size_t kRowsMax = 100'000;

bool IsMeant(const Value& value, const sql::Literal& literal) {
  using Kind = sql::LiteralKind;
  if (const auto* text = std::get_if<std::string>(&value)) {
    return literal.kind == Kind::kString && literal.text == *text;
  }
  if (const auto* number = std::get_if<int64_t>(&value)) {
    return literal.kind == Kind::kInteger && literal.text == std::to_string(*number);
  }
  if (const auto* truth = std::get_if<bool>(&value)) {
    return literal.kind == Kind::kBoolean && literal.text == (*truth ? "true" : "false");
  }
  return false;
}

// What does not fit is at the end of the range, as where noise is added.
Int128 Plus(Int128 a, Int128 b) {
  Int128 sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  constexpr Int128 kLargest = static_cast<Int128>(~UInt128{0} >> 1);
  return a > 0 ? kLargest : -kLargest - 1;
}

std::optional<Int128> NumberIn(const Value& value) {
  if (const auto* number = std::get_if<engine::Numeric>(&value)) {
    return number->scale == 0 ? std::optional(number->unscaled) : std::nullopt;
  }
  if (const auto* number = std::get_if<int64_t>(&value)) return Int128{*number};
  return std::nullopt;
}

struct Sum {
  Int128 number = 0;
  uint64_t rows = 0;
};

// All combinations of the values of its keys are in the table, each once: then every group that the
// question shows has all its parts.
bool IsWhole(const TableInBytes& table, size_t keys) {
  std::vector<std::set<Value>> values(keys);
  std::set<Keys> rows;
  Keys row;
  for (const auto cursor = table.Open(); cursor->Next(row);) {
    for (size_t i = 0; i < keys; ++i) values[i].insert(row[i]);
    rows.insert(Keys(row.begin(), row.begin() + static_cast<ptrdiff_t>(keys)));
  }
  size_t combinations = 1;
  for (const std::set<Value>& each : values) combinations *= each.size();
  return rows.size() == table.size() && rows.size() == combinations;
}

// One number of every group; nothing where they are not as the derivation counts on.
std::optional<std::map<Keys, Sum>> SumsOf(const plan::MeasureSource& source,
                                          const TableInBytes& table, size_t stored_keys) {
  std::map<Keys, Sum> sums;
  const plan::Cells& cells = source.cells;
  // Every value that is named is one of the list's.
  std::vector<std::set<size_t>> met(cells.pins.size());
  Keys row;
  for (const auto cursor = table.Open(); cursor->Next(row);) {
    bool meant = true;
    for (size_t i = 0; i < cells.pins.size(); ++i) {
      const std::vector<sql::Literal>& values = cells.pins[i].second;
      const Value& stored = row[cells.pins[i].first];
      const auto found = std::find_if(values.begin(), values.end(), [&](const sql::Literal& value) {
        return IsMeant(stored, value);
      });
      meant = meant && found != values.end();
      if (found != values.end()) met[i].insert(static_cast<size_t>(found - values.begin()));
    }
    if (!meant) continue;
    Keys keys;
    for (const size_t key : cells.key_of) keys.push_back(row[key]);
    const std::optional<Int128> number = NumberIn(row[stored_keys + source.measure]);
    if (!number) return std::nullopt;
    Sum& sum = sums[std::move(keys)];
    sum.number = Plus(sum.number, *number);
    ++sum.rows;
  }
  for (size_t i = 0; i < met.size(); ++i) {
    if (met[i].size() != cells.pins[i].second.size()) return std::nullopt;
  }
  const bool as_said = std::all_of(sums.begin(), sums.end(),
                                   [&](const auto& sum) { return sum.second.rows == cells.each; });
  return as_said && !sums.empty() ? std::optional(std::move(sums)) : std::nullopt;
}

bool SameGroups(const std::map<Keys, Sum>& a, const std::map<Keys, Sum>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

}  // namespace

std::optional<std::string> MakeTable(
    const plan::Release& release, const plan::Derivation& derivation,
    const std::vector<std::shared_ptr<const TableInBytes>>& tables) {
  std::vector<std::map<Keys, Sum>> sums;
  std::vector<engine::ResultColumn> columns;
  for (const plan::MeasureSource& source : derivation) {
    const TableInBytes& table = *tables[source.table];
    const size_t stored_keys = source.stored_keys;
    if (table.size() > kRowsMax || table.columns().size() <= stored_keys + source.measure ||
        !IsWhole(table, stored_keys)) {
      return std::nullopt;
    }
    std::optional<std::map<Keys, Sum>> found = SumsOf(source, table, stored_keys);
    if (!found || (!sums.empty() && !SameGroups(sums.front(), *found))) return std::nullopt;
    for (size_t i = 0; i < release.keys.size() && sums.empty(); ++i) {
      columns.push_back({release.keys[i].name, table.columns()[source.cells.key_of[i]].type});
    }
    sums.push_back(std::move(*found));
  }
  if (sums.empty()) return std::nullopt;
  for (size_t i = 0; i < derivation.size(); ++i) {
    const plan::MeasureSource& source = derivation[i];
    columns.push_back({release.measures[i].name,
                       tables[source.table]->columns()[source.stored_keys + source.measure].type});
  }
  answer::TableWriter writer(columns);
  for (const auto& [keys, first] : sums.front()) {
    std::vector<Value> row = keys;
    for (const std::map<Keys, Sum>& of_measure : sums) {
      row.emplace_back(engine::Numeric{.unscaled = of_measure.at(keys).number, .scale = 0});
    }
    writer.Add(row);
  }
  return writer.Take();
}

}  // namespace tacit::gateway
