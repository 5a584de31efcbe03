#include "gateway/learning/model_privacy.h"

namespace tacit::gateway::learning {

learn::ModelPrivacy ModelPrivacyOf(const std::vector<std::string>& promises,
                                   const Rational& epsilon, const std::string& receipt,
                                   const policy::Policy& policy) {
  std::string unit;
  for (const std::string& promise : promises) {
    // The features' ranges are in the model by themselves.
    if (promise.find(" is clamped to ") != std::string::npos) continue;
    unit += (unit.empty() ? "" : "; ") + promise;
  }
  const policy::Privacy& privacy = policy.privacy;
  return {.epsilon = ToString(epsilon),
          .delta = "0",
          .accounting = privacy.accounting == policy::Accounting::kPure ? "pure" : "zcdp",
          .neighbours =
              privacy.neighbours == policy::Neighbours::kAddRemove ? "add_remove" : "replace_one",
          .protects = privacy.protects,
          .unit = std::move(unit),
          .receipt = receipt,
          .data_version = policy.data_version};
}

}  // namespace tacit::gateway::learning
