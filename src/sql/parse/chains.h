#pragma once

#include <string_view>

#include "base/result.h"

namespace tacit::sql::grammar {

// Why 2500: a tree of at most 100 levels holds at most 50 x 50 operators of two precedences in one
// chain, and the grammar's time grows with the square of a chain: 32,000 operators took 1.4 s.
inline constexpr int kChainOperatorsMax = 2500;
// The sides of set operations nest as well, one level each.
inline constexpr int kSetOperationsMax = 1000;

// Refuses chains like 1+1+1+... that would be refused for their depth anyway, before time is spent
// on them. Reads the text once; strings, quoted names and comments are skipped.
Result<Done> CheckChains(std::string_view text);

}  // namespace tacit::sql::grammar
