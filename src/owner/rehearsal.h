#pragma once

#include <memory>
#include <string>

#include "policy/policy.h"

namespace tacit::owner {

// A deployment's double for trying things out: the same policy, key and database, opened
// read-only, but a new ledger in a temporary folder for the owner alone. What is
// spent there is not spent in the deployment, so its answers must not leave the owner's hands: they
// are further answers about the same people. The folder goes with the object.
class Rehearsal {
 public:
  static Result<Rehearsal> Make(const policy::Policy& original);

  Rehearsal(Rehearsal&& other) noexcept;
  Rehearsal& operator=(Rehearsal&& other) noexcept;
  ~Rehearsal();

  // Names the folder's own ledger; budgets and prices are the original's.
  const policy::Policy& policy() const { return policy_; }
  const std::string& folder() const { return policy_.folder; }

 private:
  explicit Rehearsal(policy::Policy policy) : policy_(std::move(policy)) {}
  policy::Policy policy_;
};

}  // namespace tacit::owner
