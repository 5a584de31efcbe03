#pragma once

#include "release/publish/publish.h"

namespace tacit::release {

// What made rows say about a query of the workload, beside what was counted for it.
struct QueryAnswer {
  std::string text;
  double rows = 0;                     // of the made rows: a count, or an average
  std::optional<double> counted = {};  // with noise; of counts that were asked
  double margin = 0;                   // of `counted`, in 95 % of cases
};
// Of counts and averages; tables are not listed.
std::vector<QueryAnswer> AnswersOf(const SynthesisPlan& plan, const Published& published);

}  // namespace tacit::release
