#include "owner/open_ledger.h"

#include "ledger/of_policy.h"
#include "owner/keys/deployment_key.h"
#include "owner/keys/guarded_files.h"

namespace tacit::owner {

Result<OpenedLedger> OpenLedger(const policy::Policy& policy) {
  TACIT_TRY(std::string path, ledger::PathOf(policy));
  TACIT_CHECK(CheckGuardedFiles(policy));
  TACIT_TRY(SecretBytes key, ReadDeploymentKey(policy));
  ledger::OpenOptions options;
  options.key = key.view();
  TACIT_TRY(ledger::Ledger ledger, ledger::Ledger::Open(path, options));
  return OpenedLedger{.ledger = std::move(ledger), .path = std::move(path), .key = std::move(key)};
}

}  // namespace tacit::owner
