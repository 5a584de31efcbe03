#pragma once

#include "gateway/services.h"
#include "ledger/ledger.h"
#include "release/publish/price.h"
#include "release/publish/synthetic_file.h"

namespace tacit::release {

// A table to publish, as the command line names it.
struct SynthesisRequest {
  std::string table;
  std::vector<std::string> columns = {};  // none: all visible ones
  std::optional<Epsilon> epsilon = {};    // of the whole release; nothing: the policy's
  std::optional<Delta> delta = {};
  SynthesisWish wish = {};
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
  ReleasePrice price;
  SynthesisWish wish = {};
  std::vector<SheetLine> sheet;
  std::string question;  // what is done with the rows, for the release's fingerprint
};

// kRefused or kInvalidArgument with what to declare or change. Charges nothing, reads no protected
// row.
Result<SynthesisPlan> PlanSynthesis(const SynthesisRequest& request, gateway::Services& services);

struct Published {
  SyntheticFile file;
  ledger::Receipt receipt;
};

// Carries the plan out, through gateway::CarryOut: one charge for all of it. The same plan again
// replays the stored rows for nothing.
Result<Published> PublishSynthetic(const SynthesisPlan& plan, const std::string& table,
                                   gateway::Services& services, const Progress& progress);

// The table that a release is made of. kInvalidArgument for one that the policy does not protect.
Result<const policy::Table*> ProtectedTable(const std::string& name, const policy::Policy& policy);

}  // namespace tacit::release
