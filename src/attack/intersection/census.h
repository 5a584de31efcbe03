#pragma once

#include <cstdint>

#include "anonymize/table/table.h"

namespace tacit::attack {

// Invented people like those of a census, always the same for a seed. Nobody fitted it to any
// attack; docs/attacks/intersection.md says how every column is drawn.
//   age, sex, marital, race, birthplace, education    what a neighbour knows
//   occupation  250 values                            sensitive
//   income      in steps of 100, thousands of values  sensitive
anonymize::Table CensusLike(uint32_t people, uint64_t seed);

}  // namespace tacit::attack
