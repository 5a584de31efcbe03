#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/numbers/privacy_parameters.h"
#include "policy/policy.h"

namespace tacit::attack {

// Tacit as an analyst meets it, in process: SQL text in, the JSON that an analyst sees out. It
// opens a rehearsal of the deployment (owner/rehearsal.h) whose ledger is its own and begins empty,
// so nothing is spent of the owner's budget.
class TacitInProcess {
 public:
  static Result<TacitInProcess> Open(const policy::Policy& policy);
  TacitInProcess(TacitInProcess&&) noexcept;
  TacitInProcess& operator=(TacitInProcess&&) noexcept;
  ~TacitInProcess();

  // Without a price, the policy's.
  Result<nlohmann::json> Ask(const std::string& sql, const std::optional<Epsilon>& epsilon);

 private:
  struct State;
  explicit TacitInProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tacit::attack
