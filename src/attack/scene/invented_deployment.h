#pragma once

#include <memory>
#include <string>

#include "attack/server/people.h"
#include "policy/policy.h"

namespace tacit::attack {

// A temporary deployment, made as an owner makes one (`tacit init` and a policy), which is removed
// with the last holder of the folder's name.
struct InventedDeployment {
  std::shared_ptr<const std::string> folder;
  policy::Policy policy;
};

struct InventedPolicy {
  std::string budget_epsilon = "3";
  std::string query_epsilon = "0.1";
  std::string columns = {};  // of the table `people` beside its id, in YAML: "{id: {}, age: {...}}"
};

// `csv` has a header with the column id, one row a person.
Result<InventedDeployment> MakeInventedDeployment(const std::string& csv,
                                                  const InventedPolicy& policy);

// id,secret
std::string CsvOf(const People& people);

}  // namespace tacit::attack
