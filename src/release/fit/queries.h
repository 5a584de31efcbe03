#pragma once

#include "release/fit/rows.h"

namespace tacit::release {

// A table that rows shall be good for beyond pairs: columns, each through a view of the column's
// own cells; as the pairs see it where that view is empty, or there are none at all. A count with a
// condition is a table of one cell: whoever does not meet it counts nowhere.
struct Query {
  std::vector<size_t> columns;
  std::vector<View> views = {};
};

// A query and its noisy answer.
struct Answered {
  size_t which = 0;         // of the queries
  std::vector<View> views;  // of the model's cells
  NoisyTable table;
};

// Why 20,000: larger tables hold less than their noise, and counting them takes long.
inline constexpr size_t kQueryCellsMax = 20'000;

// All tables of two, or of three columns, but for those of more than kQueryCellsMax cells.
std::vector<Query> AllTables(const Targets& targets, size_t ways);

// A view of the column's own cells as one of the model's. Where a cell of the model has cells of
// the column on both sides, the first decides: views are made so that there are none.
View ModelView(const View& own, const View& coarse);

// The views that a query's columns are counted through, and the same of the model's cells.
std::vector<Side> SidesOf(const Query& query, const Measured& measured);
std::vector<View> ModelViews(const Query& query, const Measured& measured, const Targets& targets);

// The queries in which the model is farthest off, chosen for `choosing` where not all are wanted,
// and counted for `each`. What a measurement of that noise would be off by itself counts for
// nothing.
struct Asking {
  size_t wanted = 1;
  Rational choosing;
  Rational each;
};
std::vector<Answered> AskFarthest(const std::vector<Query>& queries, const Asking& asking,
                                  const Measured& measured, const Targets& targets,
                                  const Mixture& mixture, size_t threads, Curator& curator);

// The answer as a table to fit: what differs from the model by less than noise would is the
// model's.
FitTable FitTableOf(const Query& query, const Answered& answered, const Targets& targets,
                    const Mixture& mixture);
// The same for rows.
TableTarget TableTargetOf(const FitTable& table, double total);

}  // namespace tacit::release
