#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/secrets/secret_bytes.h"
#include "catalog/catalog.h"
#include "engine/engine.h"
#include "gateway/charge_request.h"
#include "gateway/deployment/open_engine.h"
#include "gateway/deployment/question_gate.h"
#include "gateway/derive/own_shapes.h"
#include "gateway/kept/parsed_texts.h"
#include "gateway/kept/replays.h"
#include "gateway/services.h"
#include "owner/progress.h"
#include "wire/auth/verifier.h"
#include "wire/deployment/metrics.h"
#include "wire/deployment/preparing.h"
#include "wire/deployment/worker_pool.h"

namespace tacit::wire {

// What is known of a text that was asked before and was no question about the catalog.
struct KnownQuestion {
  std::vector<uint32_t> parameter_types;
  bool explains = false;
};

// A policy in force, with what follows from it; immutable. Questions under way keep the terms they
// began under alive.
struct Terms {
  policy::Policy policy;
  policy::Schema schema;
  gateway::OpenEngine engine;
  std::shared_ptr<gateway::EngineRoom> room;  // of the engine
  gateway::KeptResults kept_results;
  catalog::Catalog catalog;
  std::map<std::string, Verifier> verifiers;  // by analyst
  // What was planned and read for each analyst under these terms, so that asking again does not do
  // it again.
  std::unique_ptr<gateway::RecentOfEach<plan::PrivatePlan>> plans;
  std::unique_ptr<gateway::RecentOfEach<KnownQuestion>> questions;
  std::unique_ptr<gateway::ParsedTexts> texts;
  std::unique_ptr<gateway::Replays> replays;
  std::unique_ptr<gateway::OwnShapes> own_shapes;
  gateway::ChargeTerms charge_terms;

  // The analyst's, or a mock that nothing matches and that looks like the others.
  Verifier VerifierOf(const std::string& name, const std::string& secret) const;
};
using TermsInForce = std::shared_ptr<const Terms>;

// A deployment that is being served: many questions at once over one ledger, and a policy that can
// be replaced while they go on.
class LiveDeployment {
 public:
  // The errors of gateway::Deployment::Open; kInvalidArgument for a policy that `tacit check`
  // refuses, and for tables that cannot be prepared. Preparing them reports to `progress`.
  static Result<std::unique_ptr<LiveDeployment>> Open(const std::string& path,
                                                      const owner::Progress& progress);
  ~LiveDeployment();

  TermsInForce terms() const;

  // Loads the policy again, and tells how that ended: at once, or when what it needs is prepared,
  // from whichever thread that was. A policy that does not pass `tacit check`, or that names
  // another ledger, is refused and the old one stays. While tables are prepared for the new one,
  // the old one is in force without what the new one takes away (policy/keys/narrow.h), also when
  // they cannot be prepared. A later call takes the place of one that still prepares.
  using Told = std::function<void(const Result<Done>&)>;
  void Reload(Told told);

  // For a job of a worker: its own connection and its own noise. The result lives as long as the
  // terms, and no longer than the job.
  gateway::Services ServicesFor(const TermsInForce& terms, size_t worker);

  // Whether questions can be answered now: the ledger is written to, as a charge would be, but
  // without one; the engine is reached, and the file that it reads can be read.
  Result<Done> CheckReady();
  // What is left of the dataset's budget, between 0 and 1; nothing when the ledger cannot say.
  std::optional<double> BudgetLeft();
  // How many tables with a cap are read as they were imported.
  size_t UnpreparedTables() const;

  WorkerPool& workers() { return *workers_; }
  Metrics& metrics() { return metrics_; }
  ledger::Ledger& ledger() { return ledger_; }
  const ledger::Place& ledger_place() const { return ledger_place_; }
  // For mock verifiers: derived from the deployment's key, so that a restart changes nothing.
  const std::string& mock_secret() const { return mock_secret_; }

 private:
  struct WorkerEngine {  // a worker's own
    TermsInForce terms;
    std::unique_ptr<engine::Engine> engine;
  };

  LiveDeployment(std::string path, ledger::Ledger ledger, ledger::Place ledger_place,
                 SecretBytes key, TermsInForce terms, std::unique_ptr<WorkerPool> workers);
  static Result<TermsInForce> LoadTerms(policy::Policy policy, std::string_view key);
  static Result<TermsInForce> MakeTerms(policy::Policy policy, policy::Schema schema,
                                        gateway::OpenEngine engine,
                                        std::shared_ptr<gateway::EngineRoom> room);
  static Result<Done> CheckPolicy(const std::string& path);
  // reload.cc
  struct Pending {  // a policy that waits for its tables
    policy::Policy policy;
    Told told;
  };
  Result<policy::Policy> LoadNext() const;
  Result<Done> PutInForce(policy::Policy policy);
  Result<Done> HoldBack(const policy::Policy& next);
  void PrepareInBackground(policy::Policy policy, Told told);
  void FinishPreparing(uint64_t number, const Result<Done>& prepared);
  void AbandonPending();

  std::string path_;
  ledger::Ledger ledger_;
  ledger::Place ledger_place_;
  SecretBytes key_;
  std::string mock_secret_;
  mutable std::mutex mutex_;
  TermsInForce terms_;
  std::vector<WorkerEngine> engines_;
  gateway::QuestionGate gate_;
  engine::duckdb::PostProcessingPool instances_;
  Metrics metrics_;
  std::mutex reload_mutex_;  // one reload at a time; taken before mutex_
  bool closing_ = false;
  uint64_t preparing_number_ = 0;  // of the copy that was begun last
  std::optional<Pending> pending_;
  BackgroundPreparing preparing_;
  std::unique_ptr<WorkerPool> workers_;  // last: its threads use the rest
};

}  // namespace tacit::wire
