#pragma once

#include <optional>
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

// One thing to count people for: how many have more rows than a cap, values beyond a bound, or add
// up to more.
struct PeopleQuestion {
  std::string about;  // "visits: people with more rows than"
  // Its columns: 0 where a person is above no candidate, else the place of the largest one that the
  // person is above, from 1; and how many people that are. Everybody is in one group, so that all
  // of them are asked for the price of one.
  std::string sql;
  std::vector<std::string> above;  // the candidates, public numbers, rising: "5", "1000"
  std::vector<std::string> path;   // where its answer belongs in the policy
  std::string value;               // what to write there, with $ for the candidate
  bool cuts_sums = false;  // what a person has above a candidate is missing in sums or counts
};
// Of every table with a cap and every number: by names, types and declarations alone.
std::vector<PeopleQuestion> PeopleQuestions(const policy::Policy& policy,
                                            const policy::Schema& schema);

// What the noisy numbers say about one candidate.
struct Candidate {
  double people_above = 0;
  double people_moe = 0;  // in 95 of 100
  double cut = 0;  // of the whole table's sum or count; people who noise alone may be are none
  double noise_moe = 0;  // of that sum or count, at the policy's own price
};
struct Weighed {
  std::vector<Candidate> candidates;
  std::optional<size_t> chosen;  // nothing: every one cuts more than one person in a hundred
};
// `people` and `moe` as the question's groups give them, from 0 on. Of the candidates that cut one
// person in a hundred at most, or as few as noise may be, the first; and where sums are cut, of
// those from it on the one with the least noise and cut together.
Weighed Weigh(const PeopleQuestion& question, const std::vector<double>& people, double moe,
              const policy::Privacy& privacy);

// The policy under which those are asked: caps that cut nothing off, and a unit that may be named.
// Units stay what they are, and with them what was charged.
policy::Policy Widened(policy::Policy policy);

}  // namespace tacit::gateway
