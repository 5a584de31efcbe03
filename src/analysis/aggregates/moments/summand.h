#pragma once

#include "analysis/blocks/grouped_query.h"

namespace tacit::analysis {

// Where the argument of a sum was written, for what a refusal proposes.
struct WrittenSummand {
  const sql::AggregateCall* whole = nullptr;  // where the call has more arguments than this one
  size_t place = 0;                           // among them
};

// The argument of a sum, with its range on its grid; refused without bounds.
Result<ExactMeasure> SummandOf(GroupedQuery& grouped, const sql::AggregateCall& call,
                               sql::Position position, const WrittenSummand& written = {});

// Makes the grid so coarse that squares of its steps, and products with another such grid's, fit 64
// bits.
Result<Done> CoarsenForSquares(policy::Grid& grid);

// A sum from the middle of its range: the largest summand is half as large.
void Centre(ExactMeasure& sum);

// count(x) of the rows that a sum takes.
ExactMeasure CountOfSummands(const GroupedQuery& grouped, const ExactMeasure& sum);

}  // namespace tacit::analysis
