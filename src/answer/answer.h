#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/packed_rows.h"
#include "ledger/limits.h"
#include "plan/private_plan.h"

// What leaves the program for a query: released values, and what may be said about them. No part of
// it depends on the data but through values that were paid for.

namespace tacit::answer {

// What an account has left, in words that everyone reads: under zcdp epsilon is what the rho left
// would buy by itself at half of the budget's delta, never a difference of epsilons.
struct Remaining {
  Rational epsilon;
  Rational delta;
  std::optional<Rational> rho;  // under zcdp
};

struct Privacy {
  ledger::Accounting accounting = ledger::Accounting::kPure;
  ledger::Cost cost;  // what the asker paid for this answer; zero for a stored one
  bool cached = false;
  bool finer_than_asked = false;  // a stored answer with less noise than was asked for served
  ledger::Budget budget;          // the asker's: the analyst's own, or the dataset's for the owner
  Remaining remaining;
  bool asked_by_owner = true;
  std::string receipt;  // names the charge, for the asker; empty where nothing was paid
};

struct Answer {
  std::vector<plan::OutputColumn> columns;
  engine::PackedRows rows;
  // Beside each row, from released numbers alone: the margins that its columns name. No rows where
  // none were computed.
  engine::PackedRows margins = {};
  Privacy privacy;
  std::vector<std::string> notices;
  std::shared_ptr<const void> room = nullptr;  // counts the memory of its rows while it lives
};

// EXPLAIN: the plan, and what it would cost this asker now.
struct Explanation {
  plan::PrivatePlan plan;
  std::vector<engine::Told> told;      // of releases and public tables; empty for an analyst
  Privacy privacy;                     // as it would be after the query
  std::optional<std::string> no_room;  // why the ledger would refuse it now
  bool verbose = false;                // as text with the SQL, and what is computed step by step
};

}  // namespace tacit::answer
