#pragma once

#include "gateway/services.h"
#include "ledger/ledger.h"
#include "release/domain/coded_rows.h"
#include "release/domain/condition.h"
#include "release/publish/file/synthetic_file.h"
#include "release/publish/price.h"

namespace tacit::release {

// A table to publish, as the command line names it.
struct SynthesisRequest {
  std::string table;
  std::vector<std::string> columns = {};  // none: all visible ones
  std::optional<Epsilon> epsilon = {};    // of the whole release; nothing: the policy's
  std::optional<Delta> delta = {};
  SynthesisWish wish = {};
  std::optional<int64_t> rows_per_unit =
      {};                          // so many rows of a person count; at most the policy's
  std::string workload_file = {};  // its name, for messages
  std::string workload = {};       // its text; of Workload::kQueries
};

// A line of the budget sheet: a step, and its part of the price.
struct SheetLine {
  std::string step;
  Rational rho;
  std::string noise;  // in words
};

// Everything that is known before a row is read.
struct SynthesisPlan {
  std::vector<Attribute> attributes;
  std::vector<WorkloadQuery> workload = {};
  std::vector<std::string> rules = {};  // what is impossible, as the policy says it
  std::vector<Condition> impossible = {};
  ReleasePrice price;
  SynthesisWish wish = {};
  std::optional<int64_t> rows_per_unit = {};
  std::vector<SheetLine> sheet;
  std::string question;  // what is done with the rows, for the release's fingerprint

  // How many columns have values that nobody listed, and what showing those of one costs.
  size_t Open() const;
  ShowingPrice PriceOfShowing() const;
  Rho RhoOfRows() const;  // what is left
};

// kRefused or kInvalidArgument with what to declare or change. Charges nothing, reads no protected
// row.
Result<SynthesisPlan> PlanSynthesis(const SynthesisRequest& request, gateway::Services& services);

struct Published {
  SyntheticFile file;
  std::vector<Attribute> attributes;  // open ones with the values that were shown
  ledger::Receipt receipt;
};

// Carries the plan out, through gateway::CarryOut: one charge for all of it. The same plan again
// replays the stored rows for nothing.
Result<Published> PublishSynthetic(const SynthesisPlan& plan, const std::string& table,
                                   gateway::Services& services, const Progress& progress);

// The run itself, inside the mechanism: values are shown, then rows are made.
SyntheticFile MakeFile(const SynthesisPlan& plan, const Moved& moved, ExactTable& exact,
                       Entropy& entropy, const Progress& progress);

// The table that a release is made of. kInvalidArgument for one that the policy does not protect.
Result<const policy::Table*> ProtectedTable(const std::string& name, const policy::Policy& policy);

}  // namespace tacit::release
