#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attack/server/naive_server.h"
#include "attack/server/people.h"
#include "base/numbers/privacy_parameters.h"
#include "policy/policy.h"

// Where an attack takes place: some people with a secret, and servers that answer about them.

namespace tacit::attack {

struct SceneSettings {
  std::vector<std::string> servers;  // words of naive servers, "tacit", "pg"; empty: all there are
  NaiveSettings naive;               // thresholds and noises; its kind is not used
  std::optional<Epsilon> epsilon;    // what Tacit is asked at; without it the policy's price
  std::string pg;                    // a connection string; empty: none
  std::string table;                 // of a deployment; empty: the first with one row a person
  std::string secret;                // COLUMN=VALUE; empty: a column without public keys
};

class Scene {
 public:
  // n people who do not exist, in a temporary deployment of their own (made when Tacit is asked).
  static Result<Scene> Invented(uint32_t n, double chance, const SceneSettings& settings,
                                uint64_t seed);
  // The owner's people. Rows are read once, by the owner, for the truth; Tacit is asked through a
  // rehearsal of the deployment.
  static Result<Scene> OfDeployment(const std::string& path, const SceneSettings& settings);

  const People& people() const { return *people_; }
  const SceneSettings& settings() const { return settings_; }
  const policy::Policy& policy() const { return policy_; }
  const std::string& source() const { return source_; }  // for the reports' parameters

  // Which servers to attack, in the order of the report.
  const std::vector<std::string>& servers() const { return settings_.servers; }
  bool Has(const std::string& server) const;

  // A server that has not been asked anything yet; Tacit's ledger is new and empty. "pg" is the one
  // that is running, and remembers. `epsilon` overrides the settings'.
  Result<std::unique_ptr<Server>> Make(const std::string& server, const Dice& dice,
                                       std::optional<Epsilon> epsilon = std::nullopt) const;

  // Tacit's price of a question, and how many of them the budget holds.
  double epsilon() const;
  double budget_epsilon() const;

 private:
  Scene() = default;
  Result<Done> CheckServers();

  SceneSettings settings_;
  std::shared_ptr<const People> people_;  // servers refer to it
  policy::Policy policy_;
  std::shared_ptr<const std::string>
      temporary_;  // the invented deployment's folder, removed at the end
  std::string source_;
};

}  // namespace tacit::attack
