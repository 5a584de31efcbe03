#pragma once

#include <cstdint>

#include "anonymize/table/table.h"

namespace tacit::attack {

// An invented town, the same for a seed: an identified list (a register of voters) and a release
// without names (a clinic's visits). docs/attacks/linkage.md says how people are drawn.
struct City {
  anonymize::Table list;     // person, name, birth_date, sex, zip
  anonymize::Table release;  // person, birth_date, sex, zip, illness
};

// `listed` and `treated` are the shares of the people who are in each, drawn independently: people
// who are in one only are what makes links wrong.
struct CityOptions {
  uint32_t people = 50'000;
  double listed = 0.7;
  double treated = 0.2;
  uint64_t seed = 1;
};
City InventCity(const CityOptions& options);

}  // namespace tacit::attack
