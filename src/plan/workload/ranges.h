#pragma once

#include <optional>
#include <vector>

#include "analysis/facts.h"

// Conditions that a column lies between two constants, and the intervals that the constants of many
// such conditions cut the column into. Sums over ranges are sums over intervals next to each other.
// ranges.md has the claim.
namespace tacit::plan::workload {

// Just before, or just after, a constant.
struct Edge {
  Rational place;
  bool after = false;
  analysis::Expression constant;
};
bool operator<(const Edge& a, const Edge& b);
bool operator==(const Edge& a, const Edge& b);

// The rows in which the column has a value between two edges; without one of them, however small or
// large.
struct ColumnRange {
  sql::ColumnReference column;
  std::optional<Edge> from;
  std::optional<Edge> to;
};

// What of a block's conditions says between which constants columns lie, each column once, and all
// that is left.
struct SplitConditions {
  std::vector<ColumnRange> ranges;
  std::vector<analysis::Expression> others;
};
// proof: plan/workload/ranges.md#ranges
SplitConditions SplitRanges(const analysis::Block& block);

// A column of the same rows, and every edge that a question has on it, rising.
struct CutColumn {
  analysis::Rows rows;
  sql::ColumnReference column;
  std::vector<Edge> edges;
  // The codes are 0 of rows without a value, then 1 to edges + 1 along the column.
  size_t Codes() const { return edges.size() + 2; }
  size_t FirstCode(const ColumnRange& range) const;
  size_t LastCode(const ColumnRange& range) const;
};

// Adds the edges of the block's ranges.
void AddCuts(const analysis::Block& block, std::vector<CutColumn>& cuts);

// Of every code a digit to a base: the code over the divisor, modulo the base.
struct Digit {
  std::vector<Edge> edges;
  size_t base = 0;  // 0: no digit
  size_t divisor = 1;
};

// The digit of the code of a row's value, written out in SQL.
// proof: plan/workload/ranges.md#digits
analysis::Expression DigitOf(const sql::ColumnReference& column, const Digit& digit);

}  // namespace tacit::plan::workload
