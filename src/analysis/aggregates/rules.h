#pragma once

#include <string>
#include <vector>

#include "analysis/blocks/grouped_query.h"

// One file per aggregate, with its page of proof; rules.cc lists them. A rule turns a call over
// protected rows into the released column that stands for it, and adds the measures that the column
// is made of to the block. What has no sensitivity is refused.
namespace tacit::analysis {

using ReleaseAggregate = Result<ReleasedColumn>(GroupedQuery& grouped,
                                                const sql::AggregateCall& call,
                                                sql::Position position);

ReleaseAggregate ReleaseCount;
ReleaseAggregate ReleaseSum;
ReleaseAggregate ReleaseAverage;
ReleaseAggregate ReleaseVariance;  // and standard deviations
ReleaseAggregate ReleasePair;      // covar_*, corr, regr_*
ReleaseAggregate ReleaseQuantile;
ReleaseAggregate ReleaseExtreme;  // min and max
ReleaseAggregate ReleaseMode;

// count(x): the rows themselves where x is never NULL, so that it is paid for once beside count(*).
ExactMeasure CountOfValues(const GroupedQuery& grouped, const Expression& argument,
                           const sql::Type& type, const Expression& filter);

struct AggregateRule {
  const char* name;
  ReleaseAggregate* release;
  bool within_group = false;  // it takes WITHIN GROUP (ORDER BY ...)
};
const AggregateRule* FindAggregateRule(const std::string& name);
std::vector<std::string> AggregatesWithRules();

}  // namespace tacit::analysis
