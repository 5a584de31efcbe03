#pragma once

#include <string>

#include "plan/tree/tree.h"

// Trees as queries give them, on a small world: people with one row each, their visits with three,
// their notes with two that may be capped at one group, rows without people, and public wards.
namespace tacit::plan::tree::testing {

struct Tables {
  bool prepared = false;
};

// The first release of the query; ends the test program where there is none.
Exact TreeOf(const std::string& query, const Tables& tables = {});

}  // namespace tacit::plan::tree::testing
