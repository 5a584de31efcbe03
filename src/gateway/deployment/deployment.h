#pragma once

#include <memory>

#include "base/secrets/secret_bytes.h"
#include "gateway/charge_request.h"
#include "gateway/services.h"

namespace tacit::gateway {

// A folder that `tacit init` made, open for questions: policy, ledger, secret key, engine, schema.
// The engine's file is opened when a question needs it.
class Deployment {
 public:
  // `path` is the folder or its policy file. kInvalidArgument for a bad policy; kUnavailable when
  // the ledger, the key or the database is missing or cannot be used.
  static Result<std::unique_ptr<Deployment>> Open(const std::string& path);
  // The same with a policy that is loaded already, e.g. an owner::Rehearsal's.
  static Result<std::unique_ptr<Deployment>> OpenWith(policy::Policy policy);

  // With the noise of the calling thread.
  Services ForThisThread();

  const policy::Policy& policy() const { return policy_; }

 private:
  Deployment(policy::Policy policy, ledger::Ledger ledger, SecretBytes key,
             std::unique_ptr<engine::Engine> engine)
      : policy_(std::move(policy)),
        ledger_(std::move(ledger)),
        key_(std::move(key)),
        engine_(std::move(engine)),
        kept_results_(policy_.folder + "/answers"),
        charge_terms_(ChargeTermsOf(policy_)),
        plans_(AskersOf(policy_), kPlans),
        room_(policy_) {}

  // Why these: what one program asks again and again, in some megabytes.
  static constexpr RecentLimits kPlans{.count_max = 1024, .bytes_max = size_t{16} << 20};
  static std::vector<std::string> AskersOf(const policy::Policy& policy);

  policy::Policy policy_;
  ledger::Ledger ledger_;
  SecretBytes key_;
  std::unique_ptr<engine::Engine> engine_;
  policy::Schema schema_;
  KeptResults kept_results_;
  engine::duckdb::PostProcessingPool instances_{1};
  ChargeTerms charge_terms_;
  RecentOfEach<plan::PrivatePlan> plans_;
  EngineRoom room_;
};

}  // namespace tacit::gateway
