#pragma once

#include <string>

#include "base/secrets/secret_bytes.h"
#include "ledger/ledger.h"
#include "policy/policy.h"

namespace tacit::owner {

struct OpenedLedger {
  ledger::Ledger ledger;
  ledger::Place place;
  SecretBytes key;  // the deployment's, which the ledger was opened with
};

// The ledger of the deployment, opened with the deployment's key once everything beside it is
// guarded (guarded_files.h). The errors of Ledger::Open and ReadDeploymentKey.
Result<OpenedLedger> OpenLedger(const policy::Policy& policy);

}  // namespace tacit::owner
