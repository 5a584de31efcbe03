#pragma once

#include "analysis/blocks/block_builder.h"

// One file per aggregate; rules.cc lists them.
namespace tacit::analysis {

Result<ReleasedColumn> ReleaseCount(BlockBuilder& builder, const sql::AggregateCall& call,
                                    sql::Position position);
Result<ReleasedColumn> ReleaseSum(BlockBuilder& builder, const sql::AggregateCall& call,
                                  sql::Position position);
Result<ReleasedColumn> ReleaseAverage(BlockBuilder& builder, const sql::AggregateCall& call,
                                      sql::Position position);

Result<ReleasedColumn> ReleaseVariance(BlockBuilder& builder, const sql::AggregateCall& call,
                                       sql::Position position);

Result<ReleasedColumn> ReleaseQuantile(BlockBuilder& builder, const sql::AggregateCall& call,
                                       sql::Position position);

// extreme.cc: min and max.
Result<ReleasedColumn> ReleaseExtreme(BlockBuilder& builder, const sql::AggregateCall& call,
                                      sql::Position position);

Result<ReleasedColumn> ReleaseMode(BlockBuilder& builder, const sql::AggregateCall& call,
                                   sql::Position position);

// pairs.cc: covar_*, corr, regr_*.
Result<ReleasedColumn> ReleasePair(BlockBuilder& builder, const sql::AggregateCall& call,
                                   sql::Position position);

// quantile.cc: cuts the measure's grid into cells.
void CutIntoCells(Measure& measure);

// summand.cc: the grid so coarse that squares of its steps, and products with another such grid's,
// fit 64 bits.
Result<Done> CoarsenForSquares(policy::Grid& grid);

// summand.cc: the argument of a sum, with its range on its grid; refused without bounds.
Result<Measure> SummandOf(BlockBuilder& builder, const sql::AggregateCall& call,
                          sql::Position position);

}  // namespace tacit::analysis
