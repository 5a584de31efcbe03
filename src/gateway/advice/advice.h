#pragma once

#include <string>
#include <vector>

#include "gateway/services.h"

// What an owner's choices mean, for the owner who has yet to make them. Nothing here looks at a
// row, but for AskPeople, which asks and pays as any question does.

namespace tacit::gateway {

// A decision that the policy leaves open, as far as names and types show it.
struct OpenDecision {
  policy::Place place;
  std::string what;
  std::string lines;  // what to write, with words in capitals to be replaced
};
std::vector<OpenDecision> OpenDecisions(const policy::Policy& policy, const policy::Schema& schema);

// How far off an answer would be, in 95 of 100, if one thing were declared otherwise.
struct WhatIf {
  std::string change;  // "visits.rows_per_unit 10 (declared 5)"; empty: as it is
  std::string error;   // "12.5", or why it would be refused
};
// The error of the question as it is, then under other prices, and under other caps and bounds
// where those make a difference.
Result<std::vector<WhatIf>> ErrorsOf(const std::string& question, const policy::Policy& policy,
                                     const policy::Schema& schema);

// One thing to count people for: how many have more rows than a cap, or values beyond a bound.
struct PeopleQuestion {
  std::string about;               // "visits: rows of one person"
  std::string sql;                 // its columns: all people, then those above each candidate
  std::vector<std::string> above;  // the candidates, public numbers: "5", "1000"
  std::vector<std::string> path;   // where its answer belongs in the policy
  std::string value;               // what to write there, with $ for the candidate
};
// Of every table with a cap and every number: by names, types and declarations alone.
std::vector<PeopleQuestion> PeopleQuestions(const policy::Policy& policy,
                                            const policy::Schema& schema);

// The policy under which those are asked: caps that cut nothing off, and a unit that may be named.
// Units stay what they are, and with them what was charged.
policy::Policy Widened(policy::Policy policy);

}  // namespace tacit::gateway
