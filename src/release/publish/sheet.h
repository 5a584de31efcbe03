#pragma once

#include "release/publish/showing.h"
#include "release/synthesize.h"

namespace tacit::release {

// A line of the budget sheet: a step, and its part of the price.
struct SheetLine {
  std::string step;
  Rational rho;
  std::string noise;  // in words
};
using Sheet = std::vector<SheetLine>;

// By what a step moves the rows, in rows.
struct MovedRows {
  Moved moved;
  int64_t parts = 1;  // Joint::parts
};

// Nothing where no values are shown.
Sheet ShowingSheet(const ShowingBudget& budget, const MovedRows& moved);

// The steps of a run over so many columns, which shares this rho out so. `of` says whose they are:
// " of visits", or nothing.
Sheet StepsSheet(const Shares& shares, size_t columns, Workload workload, const Rational& rho,
                 const MovedRows& moved, const std::string& of = "");

}  // namespace tacit::release
