#pragma once

#include <string>
#include <vector>

#include "owner/import/source.h"
#include "owner/init.h"
#include "owner/progress.h"
#include "policy/policy.h"

namespace tacit::owner {

// What the owner does to the data of a deployment.
struct ChangeRequest {
  std::vector<TableFile> add{};
  std::vector<TableFile> replace{};
  std::vector<std::string> drop{};
  std::vector<std::string> people{};         // values of the unit, to be removed from every table
  std::vector<UnitColumn> units{};           // of added tables, for the policy
  std::vector<std::string> public_tables{};  // likewise
  CsvDialect dialect{};
  Progress progress{};
};

struct ChangeReport {
  std::vector<std::string> notes;
  std::string undecided;  // lines for the policy that only the owner can finish; empty: none
  int64_t data_version = 0;
  std::vector<std::string> prepared;
};

// Builds the changed database beside the old one, raises data_version, looks whether the policy
// still fits, records in the ledger that it happened, exchanges files, and prepares anew. Until the
// exchange nothing has changed; from then on the next command finishes what a killed one left
// (LoadDeployment). Nothing of a deleted person stays in a file of the deployment. What cannot be
// done is kInvalidArgument.
Result<ChangeReport> ChangeData(const std::string& path, const ChangeRequest& request);

// The policy of a deployment, after an exchange of files that was interrupted has been finished.
Result<policy::Policy> LoadDeployment(const std::string& path);

}  // namespace tacit::owner
