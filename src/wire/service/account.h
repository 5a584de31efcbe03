#pragma once

#include <string>
#include <vector>

#include "wire/deployment/live_deployment.h"

// What an analyst may know of the books: their own account and their own charges. How far the
// dataset's account moves with a question says whether somebody asked the same before, so nothing
// of it is here; the owner reads it on the command line and at the admin listener.

namespace tacit::wire {

struct AccountLine {
  ledger::Accounting accounting = ledger::Accounting::kPure;
  ledger::Budget budget;
  ledger::Cost spent;
  ledger::Cost left;
  int64_t charges = 0;
};
Result<AccountLine> AccountOf(const std::string& analyst, LiveDeployment& deployment,
                              const Terms& terms);

struct ChargeLine {
  int64_t sequence = 0;  // the analyst's first charge is 1, whatever others asked
  std::string time;
  ledger::Cost cost;  // what the analyst paid
  std::string query_fingerprint;
  std::string policy_version;
  int64_t data_version = 0;
  int64_t releases = 0;
  std::string receipt;   // as the answer had it
  std::string question;  // as it was asked, while that is kept
};
Result<std::vector<ChargeLine>> ChargesOf(const std::string& analyst, LiveDeployment& deployment);

}  // namespace tacit::wire
