#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "anonymize/anonymize.h"
#include "attack/progress.h"
#include "attack/report.h"
#include "base/numbers/privacy_parameters.h"
#include "base/result.h"

// Two releases about overlapping people, each fine alone (Ganta, Kasiviswanathan and Smith 2008).
// The attacker knows a target's exact quasi-identifiers and that the target is in both; the
// target's sensitive value is in both matching classes, so it is in what they have in common.

namespace tacit::attack {

struct IntersectionOptions {
  std::vector<std::string> quasi_identifiers = {};
  std::string sensitive = {};
  anonymize::ColumnRules rules = {};
  std::vector<anonymize::Requirement> requirements = {};
  std::vector<uint32_t> overlaps = {};  // people in both releases; none: 5,000 or a sixth
  uint32_t runs = 3;
  uint64_t seed = 1;
  std::vector<Epsilon> epsilons = {};  // of the two private releases; none: they are left out
  uint32_t cells = 128;                // of the private releases' public grid
  uint32_t targets = UINT32_MAX;       // of those in both, so many are attacked in each run
};

// One requirement and overlap: one number a run, shares of the people in both releases.
struct Breaches {
  std::vector<double> alone;       // one release already leaves a single value
  std::vector<double> perfect;     // both together leave one
  std::vector<double> partial;     // at most two: a guess is right with chance 1/2
  std::vector<double> guess;       // the mean chance of a guess among what is left
  std::vector<double> candidates;  // mean number of values left
  std::vector<double> candidates_alone;
  std::vector<double> average;  // rows a class
};

// Splits the rows at random into two groups of (rows + overlap) / 2 that share `overlap`, coarsens
// each by itself, and attacks everybody in both, or `targets` of them.
Result<Breaches> Intersect(const std::vector<anonymize::Domain>& domains,
                           const anonymize::Domain& sensitive, uint32_t overlap,
                           const anonymize::Requirement& requirement, uint32_t runs, uint64_t seed,
                           uint32_t targets = UINT32_MAX);

Result<Report> AttackIntersection(const anonymize::Table& table, IntersectionOptions options,
                                  const Progress& progress = {});

// The attack on two released files. `targets` lists people in both with their exact quasi-
// identifiers; where it has the sensitive column too, what was found is compared with it.
Result<Report> AttackTwoFiles(const anonymize::Table& one, const anonymize::Table& other,
                              const anonymize::Table& targets,
                              const std::vector<std::string>& quasi_identifiers,
                              const std::string& sensitive, const Progress& progress = {});

// "k = 5", "k = 10, t = 0.5", "entropy l = 3".
std::string NameOf(const anonymize::Requirement& requirement);

// Which rows are in each release, and in both (the first `overlap` of each).
struct Split {
  std::vector<uint32_t> one, other;
};
Split SplitRows(uint32_t rows, uint32_t overlap, uint64_t seed);

}  // namespace tacit::attack
