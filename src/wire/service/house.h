#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/secret_bytes.h"
#include "catalog/catalog.h"
#include "engine/duckdb/engine.h"
#include "gateway/charge_request.h"
#include "gateway/parsed_texts.h"
#include "gateway/question_gate.h"
#include "gateway/replays.h"
#include "gateway/services.h"
#include "wire/auth/verifier.h"
#include "wire/service/crew.h"
#include "wire/service/metrics.h"

namespace tacit::wire {

// A policy in force, with what follows from it; immutable. Questions under way keep the terms they
// began under alive.
struct Terms {
  policy::Policy policy;
  policy::Schema schema;
  engine::duckdb::Database database;
  gateway::AnswerShelf shelf;
  catalog::Catalog catalog;
  std::map<std::string, Verifier> verifiers;  // by analyst
  // What was planned and read for each analyst under these terms, so that asking again does not do
  // it again.
  std::unique_ptr<gateway::RecentOfEach<plan::PrivatePlan>> plans;
  // Of questions: the types of their parameters.
  std::unique_ptr<gateway::RecentOfEach<std::vector<uint32_t>>> questions;
  std::unique_ptr<gateway::ParsedTexts> texts;
  std::unique_ptr<gateway::Replays> replays;
  gateway::ChargeTerms charge_terms;

  // The analyst's, or a mock that nothing matches and that looks like the others.
  Verifier VerifierOf(const std::string& name, const std::string& secret) const;
};
using TermsInForce = std::shared_ptr<const Terms>;

// A deployment that is being served: many questions at once over one ledger, and a policy that can
// be replaced while they go on.
class House {
 public:
  // The errors of gateway::Deployment::Open; kInvalidArgument for a policy that `tacit check`
  // refuses.
  static Result<std::unique_ptr<House>> Open(const std::string& path);

  TermsInForce terms() const;

  // Loads the policy again. One that does not pass `tacit check`, or that names another ledger, is
  // refused and the old one stays.
  Result<Done> Reload();

  // For a job of the crew: its own connection and its own noise. The result lives as long as the
  // terms, and no longer than the job.
  gateway::Services ServicesFor(const TermsInForce& terms, size_t worker);

  // Whether questions can be answered now: the ledger is written to, as a charge would be, but
  // without one; the engine is reached.
  Result<Done> CheckReady();
  // What is left of the dataset's budget, between 0 and 1; nothing when the ledger cannot say.
  std::optional<double> BudgetLeft();

  Crew& crew() { return *crew_; }
  Metrics& metrics() { return metrics_; }
  ledger::Ledger& ledger() { return ledger_; }
  const std::string& ledger_path() const { return ledger_path_; }
  // For mock verifiers: derived from the deployment's key, so that a restart changes nothing.
  const std::string& mock_secret() const { return mock_secret_; }

 private:
  struct Bench {  // a worker's own
    TermsInForce terms;
    std::unique_ptr<engine::duckdb::DuckdbEngine> engine;
  };

  House(std::string path, ledger::Ledger ledger, std::string ledger_path, SecretBytes key,
        TermsInForce terms, std::unique_ptr<Crew> crew);
  static Result<TermsInForce> LoadTerms(policy::Policy policy, std::string_view key);

  std::string path_;
  ledger::Ledger ledger_;
  std::string ledger_path_;
  SecretBytes key_;
  std::string mock_secret_;
  mutable std::mutex mutex_;
  TermsInForce terms_;
  std::vector<Bench> benches_;
  gateway::QuestionGate gate_;
  engine::duckdb::PostProcessingPool instances_;
  Metrics metrics_;
  std::unique_ptr<Crew> crew_;  // last: its threads use the rest
};

}  // namespace tacit::wire
