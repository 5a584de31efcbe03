#include "attack/intersection/intersection.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "anonymize/partition/mondrian.h"
#include "attack/dice.h"
#include "attack/intersection/published.h"

namespace tacit::attack {
namespace {

using anonymize::Domain;
using anonymize::LKind;

std::string Short(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

std::string NameOf(const anonymize::Requirement& requirement) {
  std::string name;
  const auto add = [&](const std::string& part) { name += (name.empty() ? "" : ", ") + part; };
  if (requirement.k > 1 || !requirement.LooksAtSensitive()) {
    add("k = " + std::to_string(requirement.k));
  }
  if (requirement.l > 1) {
    add((requirement.l_kind == LKind::kEntropy ? "entropy l = " : "distinct l = ") +
        Short(requirement.l));
  }
  if (requirement.t < 1) add("t = " + Short(requirement.t));
  return name;
}

Split SplitRows(uint32_t rows, uint32_t overlap, uint64_t seed) {
  std::vector<uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0u);
  Dice(seed).Shuffle(order);
  const auto shared_end = order.begin() + overlap;
  const auto one_end = shared_end + (rows - overlap) / 2;
  Split split{{order.begin(), one_end}, {order.begin(), shared_end}};
  split.other.insert(split.other.end(), one_end, order.end());
  return split;
}

Result<Breaches> Intersect(const std::vector<Domain>& domains, const Domain& sensitive,
                           uint32_t overlap, const anonymize::Requirement& requirement,
                           uint32_t runs, uint64_t seed, uint32_t targets) {
  const uint32_t attacked = std::min(overlap, targets);
  Breaches breaches;
  for (uint32_t run = 0; run < runs; ++run) {
    const Split split =
        SplitRows(static_cast<uint32_t>(sensitive.codes.size()), overlap, seed + run);
    std::vector<PublishedClasses> releases;
    double average = 0;
    for (const std::vector<uint32_t>* rows : {&split.one, &split.other}) {
      anonymize::SensitiveColumn column(sensitive.codes, sensitive.size(), *rows,
                                        requirement.distance);
      TACIT_TRY(const anonymize::Classes classes,
                anonymize::Mondrian(domains, *rows, requirement, &column));
      releases.emplace_back(domains, classes, sensitive);
      average += static_cast<double>(rows->size()) / static_cast<double>(classes.size()) / 2;
    }
    double alone = 0, perfect = 0, partial = 0, guess = 0, left = 0, left_alone = 0;
    std::vector<uint32_t> person(domains.size());
    for (uint32_t i = 0; i < attacked; ++i) {
      const uint32_t row = split.one[i];
      for (size_t j = 0; j < domains.size(); ++j) person[j] = domains[j].codes[row];
      CodeSet candidates = releases[0].CandidatesOf(person);
      const uint32_t before = candidates.Count();
      candidates.Intersect(releases[1].CandidatesOf(person));
      const uint32_t after = candidates.Count();
      // The target is in both classes, so their own value always stays.
      TACIT_ASSERT(candidates.Holds(sensitive.codes[row]));
      alone += before == 1;
      perfect += after == 1;
      partial += after <= 2;
      guess += 1.0 / after;
      left += after;
      left_alone += before;
    }
    breaches.alone.push_back(alone / attacked);
    breaches.perfect.push_back(perfect / attacked);
    breaches.partial.push_back(partial / attacked);
    breaches.guess.push_back(guess / attacked);
    breaches.candidates.push_back(left / attacked);
    breaches.candidates_alone.push_back(left_alone / attacked);
    breaches.average.push_back(average);
  }
  return breaches;
}

}  // namespace tacit::attack
