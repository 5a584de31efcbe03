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

// summand.cc: the argument of a sum, with its range on its grid; refused without bounds.
Result<Measure> SummandOf(BlockBuilder& builder, const sql::AggregateCall& call,
                          sql::Position position);

}  // namespace tacit::analysis
