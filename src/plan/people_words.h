#pragma once

#include <string>

#include "analysis/facts.h"

namespace tacit::plan {

// An expression over a block's rows as PostgreSQL text for people: without the names that analysis
// gives to tables (t1, t2, ...) and to what is computed inside one person (c1, c2, ...).
std::string WordsOf(const sql::Expression& expression, const analysis::Block& block);

}  // namespace tacit::plan
