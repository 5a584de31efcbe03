#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/testing/tape_entropy.h"
#include "engine/duckdb/engine.h"
#include "gateway/answer_query.h"

namespace tacit::neighbours {

// A whole deployment in a folder of its own: database, policy, key, ledger.
class World {
 public:
  // databases/NAME.sql and NAME.yaml of test/sql, then `extra` statements. The policy's budget is
  // raised, so that no case runs dry because of another.
  // With `prepared`, the engine reads the copy that owner::Prepare makes.
  static std::unique_ptr<World> Make(const std::string& name, const std::string& extra,
                                     bool prepared = false);
  // The same from texts.
  static std::unique_ptr<World> MakeFrom(const std::string& script, const std::string& policy,
                                         bool prepared);
  // The same tables out of Parquet files, so many for each: read in place, or imported as
  // `tacit init` does.
  enum class Files { kImported, kInPlace };
  static std::unique_ptr<World> MakeOfFiles(const std::string& name, const std::string& extra,
                                            Files files, bool prepared, int parts = 3);
  ~World();

  // Another policy, in place of the first: data, key and ledger stay. Not of a prepared world.
  void Declare(const std::string& policy);

  // Everything that leaves for one question. The noise is that of `seed`.
  struct Seen {
    bool answered = false;
    std::optional<Error> error;
    std::string said;     // error code, text, hint and place; or columns, types, notices, cost
    std::string balance;  // what the ledger has left
    engine::PackedRows rows;
    bool cached = false;
  };
  // Another engine may stand before the world's own, to see what passes.
  Seen Ask(const gateway::Request& request, uint64_t seed, engine::Engine* before = nullptr);
  // What EXPLAIN says; under another policy, where one is given.
  std::string Explain(const gateway::Request& request, const policy::Policy* instead = nullptr);

  Result<plan::PrivatePlan> PlanOf(const gateway::Request& request) const;
  engine::Engine& engine() { return *engine_; }
  const policy::Policy& policy() const { return policy_; }
  const policy::Schema& schema() const { return schema_; }
  std::string DataPath() const { return (folder_ / "data.duckdb").string(); }

  // The ledger's records without what is random in them by design: times, ids, hashes.
  std::string Ledger() const;

 private:
  World() = default;
  void MakeFolder();
  void WriteFiles(const std::string& script, int parts);
  void Import();
  void OpenLedger();
  void Prepare();
  gateway::Services ServicesWith(Entropy& entropy, engine::Engine& engine,
                                 const policy::Policy* instead = nullptr);

  std::filesystem::path folder_;
  policy::Policy policy_;
  policy::Schema schema_;
  std::unique_ptr<engine::duckdb::DuckdbEngine> engine_;
  std::unique_ptr<ledger::Ledger> ledger_;
  gateway::KeptResults kept_results_{""};
  // Starting an instance takes longer than most answers.
  engine::duckdb::PostProcessingPool instances_{1};
};

// The same in every world: which rows a cap keeps is a function of the deployment.
extern const std::string kDeploymentKey;

}  // namespace tacit::neighbours
