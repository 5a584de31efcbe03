#pragma once

#include "gateway/services.h"
#include "ledger/ledger.h"
#include "release/domain/coded_rows.h"
#include "release/domain/condition.h"
#include "release/domain/weighing.h"
#include "release/publish/file/synthetic_file.h"
#include "release/publish/sheet.h"

namespace tacit::release {

// A table to publish, as the command line names it.
struct SynthesisRequest {
  std::string table;
  std::vector<std::string> columns = {};  // none: all visible ones
  std::optional<Epsilon> epsilon = {};    // of the whole release; nothing: the policy's
  std::optional<Delta> delta = {};
  SynthesisWish wish = {};
  // One person counts for so many rows; at most, and unless given, the policy's number.
  std::optional<int64_t> rows_per_unit = {};
  std::string workload_file = {};  // its name, for messages
  std::string workload = {};       // its text; of Workload::kQueries
};

// Everything that is known before a row is read.
struct SynthesisPlan {
  std::vector<Attribute> attributes;
  std::vector<WorkloadQuery> workload = {};
  std::vector<Condition> impossible = {};
  std::optional<RowWeights> weights = {};  // where a person counts for fewer rows than they have
  ReleasePrice price;
  ShowingBudget showing;  // of open columns; its rest is for the rows
  SynthesisWish wish = {};
  Sheet sheet;
  std::string question;  // what is done with the rows, for the release's fingerprint

  // What is asked of the engine, and what the mechanism then has: the attributes, and the number of
  // rows that rows are weighed by.
  std::vector<Attribute> Asked() const;
  std::vector<ColumnShape> Shapes(const std::vector<Attribute>& shown) const;
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

// The run itself, inside the mechanism: values are shown, then rows are made for this rho.
SyntheticFile MakeFile(const SynthesisPlan& plan, const Rho& for_rows, const Moved& moved,
                       ExactTable& exact, Entropy& entropy, const Progress& progress);

// The table that a release is made of. kInvalidArgument for one that the policy does not protect.
Result<const policy::Table*> ProtectedTable(const std::string& name, const policy::Policy& policy);

}  // namespace tacit::release
