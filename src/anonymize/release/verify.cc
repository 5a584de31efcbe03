#include "anonymize/release/verify.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "anonymize/partition/group_rows.h"
#include "anonymize/release/cell.h"
#include "anonymize/table/measure_text.h"

namespace tacit::anonymize {
namespace {

Classes ClassesByText(const Table& table, const std::vector<size_t>& columns) {
  Groups groups = OneGroup(table.rows);
  for (const size_t column : columns) {
    groups = Refine(groups, table.columns[column].codes, table.columns[column].values.size());
  }
  Classes classes;
  for (const uint32_t size : SizesOf(groups)) {
    classes.begins.push_back(classes.begins.back() + size);
  }
  std::vector<uint32_t> next(classes.begins.begin(), classes.begins.end() - 1);
  classes.rows.resize(table.rows);
  for (uint32_t row = 0; row < table.rows; ++row) classes.rows[next[groups.of[row]]++] = row;
  return classes;
}

// The penalty of every cell against the widest that the column's cells say together.
double LossOf(const CodedColumn& column) {
  std::vector<CellMeaning> meanings;
  std::set<std::string> values;
  double low = 0, high = 0;
  bool has_numbers = false;
  const auto widen = [&](double number) {
    low = has_numbers ? std::min(low, number) : number;
    high = has_numbers ? std::max(high, number) : number;
    has_numbers = true;
  };
  for (const std::string& text : column.values) {
    const CellMeaning& meaning = meanings.emplace_back(ParseCell(text));
    values.insert(meaning.values.begin(), meaning.values.end());
    for (const auto& [from, to] : meaning.ranges) {
      widen(from);
      widen(to);
    }
    double number = 0;
    for (const std::string& value : meaning.values) {
      if (ParseNumber(value, number)) widen(number);
    }
  }
  std::vector<double> penalty;
  for (const CellMeaning& meaning : meanings) {
    double open = meaning.anything ? 1 : 0;
    for (const auto& [from, to] : meaning.ranges)
      open += high > low ? (to - from) / (high - low) : 0;
    if (meaning.values.size() > 1) {
      open += static_cast<double>(meaning.values.size()) / static_cast<double>(values.size());
    }
    penalty.push_back(std::min(open, 1.0));
  }
  double sum = 0;
  for (const uint32_t code : column.codes) sum += penalty[code];
  return sum / static_cast<double>(std::max<size_t>(column.codes.size(), 1));
}

void Judge(const Requirement& requirement, Verified& verified) {
  const Measures& found = verified.measures;
  if (found.smallest < requirement.k) {
    verified.broken.push_back("k is asked to be " + std::to_string(requirement.k) +
                              "; the smallest class has " + std::to_string(found.smallest) +
                              (found.smallest == 1 ? " row" : " rows"));
  }
  if (!found.sensitive) return;
  const bool distinct = requirement.l_kind == LKind::kDistinct;
  const double l = distinct ? found.sensitive->distinct_l : found.sensitive->entropy_l;
  if (l < requirement.l - 1e-9) {
    verified.broken.push_back(std::string(distinct ? "distinct" : "entropy") +
                              " l is asked to be " + MeasureText(requirement.l) +
                              "; the least diverse class has " + MeasureText(l));
  }
  if (found.sensitive->t > requirement.t + 1e-9) {
    verified.broken.push_back("t is asked to be at most " + MeasureText(requirement.t) +
                              "; the farthest class is at " + MeasureText(found.sensitive->t));
  }
}

}  // namespace

Result<Verified> Verify(const Table& table, const Request& request) {
  std::vector<size_t> columns;
  for (const std::string& name : request.quasi_identifiers) {
    TACIT_TRY(const size_t column, table.IndexOf(name));
    if (name == request.sensitive) {
      return InvalidArgument("the sensitive column \"" + name + "\" is among the quasi-identifiers",
                             "a column is one or the other");
    }
    columns.push_back(column);
  }
  if (columns.empty()) {
    return InvalidArgument("there are no quasi-identifiers",
                           "--qi names the columns that a reader may know: age, sex, ZIP code");
  }
  if (request.requirement.LooksAtSensitive() && request.sensitive.empty()) {
    return InvalidArgument("l and t need a sensitive column", "name it with --sensitive");
  }
  const Classes classes = ClassesByText(table, columns);
  Verified verified;
  if (request.sensitive.empty()) {
    verified.measures = MeasureSizes(classes, nullptr);
  } else {
    TACIT_TRY(const Domain values, MakeSensitiveDomain(table, request.sensitive, request.rules));
    SensitiveColumn sensitive(values.codes, values.size(), classes.rows, DistanceFor(values));
    verified.measures = MeasureSizes(classes, &sensitive);
  }
  for (const size_t column : columns) {
    verified.measures.loss_by_column.push_back(LossOf(table.columns[column]));
    verified.measures.loss +=
        verified.measures.loss_by_column.back() / static_cast<double>(columns.size());
  }
  Judge(request.requirement, verified);
  return verified;
}

}  // namespace tacit::anonymize
