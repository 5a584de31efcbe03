#pragma once

#include <string>
#include <vector>

#include "learn/moments.h"

// Rows counted by public cells of one or two of their columns, and the sums by which two groups are
// compared: what the tests of statistics.md are made of. proof.md has the claim.
namespace tacit::learn {

// A column as its public cells. They are the same whatever the rows are.
struct CutColumn {
  enum class Kind { kTexts, kBoolean, kNumber };

  std::string name;
  Kind kind = Kind::kBoolean;
  std::vector<std::string> texts = {};  // of kTexts: the listed values, a cell each
  // Of kNumber: the ends of the cells, one more than cells. What lies below the first counts in the
  // first cell, what lies above the last in the last. A cell holds its lower end.
  std::vector<Rational> ends = {};
  bool whole = false;  // of kNumber: a cell holds one whole number, its lower end

  size_t cells() const;
  // true, north, 12, [12, 24)
  std::string Label(size_t cell) const;
};

CutColumn CutBoolean(const std::string& name);
CutColumn CutTexts(const std::string& name, std::vector<std::string> texts);
// At most `cells` of equal width over the column's range: fewer where it has fewer whole numbers.
CutColumn CutNumber(const Column& column, bool is_whole, size_t cells);

// SELECT cell, ..., count(*): a row for every combination of cells. A listed text comes as it is,
// another cell by its number. A row in which one of the columns is NULL, or no listed text, counts
// nowhere.
// proof: learn/statistics/proof.md#counts
std::string CountsQuery(const std::vector<CutColumn>& columns, const std::string& rows);

// SELECT group, count(*), sum(u), sum(u * u) for group 0 (false) and 1 (true), where u is the
// number less the middle of its range, clamped.
// proof: learn/statistics/proof.md#two-groups
std::string GroupsQuery(const Column& number, const std::string& group, const std::string& rows);

}  // namespace tacit::learn
