#pragma once

#include <string_view>

// A guard that tests can take out by name, to see that the adversary (test/adversary) misses it:
//
//   if (!TACIT_MUTANT("window_without_unit")) partition.push_back(unit);
//
// The switch exists in builds for tests alone (TACIT_MUTANTS, the dev preset); elsewhere it is the
// constant false, and a test searches the shipped binary for it.

namespace tacit {

#ifdef TACIT_MUTANTS
// For one thread at a time; empty: none. Several at once, where one guard stands behind another:
// nullable_unit+window_without_unit.
void SetMutant(std::string_view name);
bool IsMutant(std::string_view name);
#define TACIT_MUTANT(name) (::tacit::IsMutant(name))
#else
#define TACIT_MUTANT(name) false
#endif

}  // namespace tacit
