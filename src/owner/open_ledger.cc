#include "owner/open_ledger.h"

#include "ledger/of_policy.h"
#include "ledger/questions/questions.h"
#include "owner/keys/deployment_key.h"
#include "owner/keys/guarded_files.h"

namespace tacit::owner {

Result<OpenedLedger> OpenLedger(const policy::Policy& policy) {
  ledger::Place place = ledger::PlaceOf(policy);
  TACIT_CHECK(CheckGuardedFiles(policy));
  TACIT_TRY(SecretBytes key, ReadDeploymentKey(policy));
  ledger::OpenOptions options;
  options.key = key.view();
  options.questions = ledger::Questions::FolderOf(place.path);
  options.questions_days = policy.server.questions_days;
  TACIT_TRY(ledger::Ledger ledger, ledger::Ledger::Open(place, options));
  return OpenedLedger{
      .ledger = std::move(ledger), .place = std::move(place), .key = std::move(key)};
}

}  // namespace tacit::owner
