#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tacit::adversary {

// The guards that the sources name in TACIT_MUTANT(...) and that the adversary must miss.
std::vector<std::string> MutantsOfSources();

// Takes a guard out, for good. False, with a word, in a build without mutants.
bool TakeOut(const std::string& name);

// Takes each guard out in turn and looks for a violation: first in the query that mutants.txt
// names, else within `queries`. Returns whether all were found; prints the line for mutants.txt
// where it was another query. False in a build without mutants.
bool FindMutants(const std::vector<std::string>& names, uint64_t queries);

}  // namespace tacit::adversary
