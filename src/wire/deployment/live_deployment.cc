#include "wire/deployment/live_deployment.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/files/found_tables.h"
#include "engine/duckdb/prepare/prepared_copy.h"
#include "gateway/deployment/open_engine.h"
#include "gateway/deployment/stored_data.h"
#include "ledger/of_policy.h"
#include "owner/check.h"
#include "owner/data/change.h"
#include "owner/open_ledger.h"
#include "owner/prepare.h"

namespace tacit::wire {
namespace {

// Eight times the cores: a worker waits for the disk longer than it computes, and charges that
// wait together are written together.
size_t WorkersWanted() {
  return std::clamp<size_t>(8 * std::thread::hardware_concurrency(), 16, 64);
}

// Of all analysts together. Why these: a plan takes some ten kilobytes, and half a megabyte when
// somebody wants it to.
constexpr gateway::RecentLimits kPlans{.count_max = 8192, .bytes_max = size_t{48} << 20};
constexpr gateway::RecentLimits kQuestions{.count_max = 8192, .bytes_max = size_t{16} << 20};

// Why 256: a pool of clients that all ask at once; each waits for its turn.
constexpr size_t kWaitingMax = 256;

}  // namespace

Result<Done> LiveDeployment::CheckPolicy(const std::string& path) {
  return owner::FirstErrorOf(owner::Check(path));
}

Verifier Terms::VerifierOf(const std::string& name, const std::string& secret) const {
  if (const auto found = verifiers.find(name); found != verifiers.end()) return found->second;
  if (verifiers.empty()) {
    const Verifier usual{.iterations = kIterations,
                         .salt = std::string(kSaltBytes, '\0'),
                         .stored_key = "",
                         .server_key = ""};
    return MockVerifier(name, secret, usual);
  }
  // Which of the others it looks like depends on the name and the secret only.
  const std::string lot = HmacSha256(secret, "likeness of " + name);
  const size_t index = static_cast<unsigned char>(lot[0]) % verifiers.size();
  return MockVerifier(name, secret,
                      std::next(verifiers.begin(), static_cast<std::ptrdiff_t>(index))->second);
}

LiveDeployment::LiveDeployment(std::string path, ledger::Ledger ledger, ledger::Place place,
                               SecretBytes key, TermsInForce terms,
                               std::unique_ptr<WorkerPool> workers)
    : path_(std::move(path)),
      ledger_(std::move(ledger)),
      ledger_place_(std::move(place)),
      key_(std::move(key)),
      mock_secret_(HmacSha256(key_, "mock authentication")),
      terms_(std::move(terms)),
      engines_(WorkersWanted()),
      instances_(WorkersWanted()),
      workers_(std::move(workers)) {}

Result<TermsInForce> LiveDeployment::LoadTerms(policy::Policy policy, std::string_view key) {
  TACIT_TRY(gateway::StoredData stored, gateway::FindStoredData(policy, key));
  TACIT_TRY(gateway::OpenEngine engine, gateway::OpenEngine::Open(policy, stored));
  // A copy that was made of other data than is there now is not believed.
  if (MustBePrepared(policy) && !stored.prepared) {
    return InvalidArgument("the data changed while it was prepared", "try again");
  }
  auto room = std::make_shared<gateway::EngineRoom>(policy);
  return MakeTerms(std::move(policy), std::move(stored.schema), std::move(engine), std::move(room));
}

Result<TermsInForce> LiveDeployment::MakeTerms(policy::Policy policy, policy::Schema schema,
                                               gateway::OpenEngine engine,
                                               std::shared_ptr<gateway::EngineRoom> room) {
  std::map<std::string, Verifier> verifiers;
  std::vector<std::string> analysts;
  for (const policy::Analyst& analyst : policy.analysts) {
    analysts.push_back(analyst.name);
    TACIT_TRY(verifiers[analyst.name], ParseVerifier(analyst.password));
  }
  TACIT_TRY(catalog::Catalog catalog, catalog::Catalog::Make(policy, schema));
  gateway::ChargeTerms charge_terms = gateway::ChargeTermsOf(policy);
  return TermsInForce(std::make_shared<const Terms>(Terms{
      .policy = std::move(policy),
      .schema = std::move(schema),
      .engine = std::move(engine),
      .room = std::move(room),
      .kept_results = gateway::KeptResults::InMemory(),
      .catalog = std::move(catalog),
      .verifiers = std::move(verifiers),
      .plans = std::make_unique<gateway::RecentOfEach<plan::PrivatePlan>>(analysts, kPlans),
      .questions = std::make_unique<gateway::RecentOfEach<KnownQuestion>>(analysts, kQuestions),
      .texts = std::make_unique<gateway::ParsedTexts>(),
      .replays = std::make_unique<gateway::Replays>(),
      .own_shapes = std::make_unique<gateway::OwnShapes>(),
      .charge_terms = std::move(charge_terms)}));
}

Result<std::unique_ptr<LiveDeployment>> LiveDeployment::Open(const std::string& path,
                                                             const owner::Progress& progress) {
  TACIT_TRY(policy::Policy policy, owner::LoadDeployment(path));
  TACIT_TRY(owner::OpenedLedger opened, owner::OpenLedger(policy));
  TACIT_CHECK(CheckPolicy(path));
  owner::RemoveUnfinished(policy);
  if (NeedsPreparing(policy, opened.key)) {
    TACIT_CHECK(PrepareToServe(policy, opened.key, progress, 0));
  }
  TACIT_TRY(TermsInForce terms, LoadTerms(std::move(policy), opened.key));
  TACIT_TRY(std::unique_ptr<WorkerPool> workers,
            WorkerPool::Start({.workers = WorkersWanted(), .waiting_max = kWaitingMax}));
  return std::unique_ptr<LiveDeployment>(
      new LiveDeployment(path, std::move(opened.ledger), std::move(opened.place),
                         std::move(opened.key), std::move(terms), std::move(workers)));
}

TermsInForce LiveDeployment::terms() const {
  const std::lock_guard lock(mutex_);
  return terms_;
}

gateway::Services LiveDeployment::ServicesFor(const TermsInForce& terms, size_t worker) {
  WorkerEngine& own = engines_[worker];
  if (own.terms != terms) {
    own.engine = terms->engine.ForAThread();
    own.terms = terms;
  }
  return gateway::Services{.policy = terms->policy,
                           .schema = terms->schema,
                           .ledger = ledger_,
                           .engine = *own.engine,
                           .entropy = Entropy::ForThisThread(),
                           .deployment_key = key_,
                           .kept_results = terms->kept_results,
                           .gate = &gate_,
                           .instances = &instances_,
                           .plans = terms->plans.get(),
                           .charge_terms = &terms->charge_terms,
                           .texts = terms->texts.get(),
                           .replays = terms->replays.get(),
                           .room = terms->room.get(),
                           .own_shapes = terms->own_shapes.get()};
}

Result<Done> LiveDeployment::CheckReady() {
  try {
    TACIT_CHECK(ledger_.TryToWrite());
    const TermsInForce now = terms();
    // What is open would go on, but no start and no reload would find it. Not opened to see: that
    // gives up the engine's lock on it.
    const auto* duckdb = std::get_if<policy::DuckdbSettings>(&now->policy.engine);
    const bool is_there =
        duckdb == nullptr || (duckdb->ReadsFiles() ? engine::duckdb::FoundTables::Find(*duckdb).ok()
                                                   : ::access(duckdb->path.c_str(), R_OK) == 0);
    if (!is_there) {
      return engine::duckdb::EngineUnavailable("the data that the policy names cannot be read");
    }
    return now->engine.Check();
  } catch (...) {
    return InvalidArgument("the program is refused memory or threads");
  }
}

size_t LiveDeployment::UnpreparedTables() const {
  const TermsInForce now = terms();
  size_t count = 0;
  for (const policy::Table& table : now->policy.tables) {
    const policy::SchemaTable* stored = now->schema.Find(table.name);
    if (table.IsCapped() && stored != nullptr && !stored->prepared) ++count;
  }
  return count;
}

std::optional<double> LiveDeployment::BudgetLeft() {
  const TermsInForce now = terms();
  const Result<ledger::Limits> limits = ledger::LimitsOf(now->policy, "");
  if (!limits.ok()) return std::nullopt;
  const Result<ledger::Balance> balance =
      ledger_.BalanceOf("", limits->accounting, limits->dataset);
  if (!balance.ok() || !balance->left) return std::nullopt;
  const bool pure = limits->accounting == ledger::Accounting::kPure;
  const double left = ToDoubleDown(pure ? balance->left->epsilon : balance->left->rho);
  const double spent = ToDoubleUp(pure ? balance->spent.epsilon : balance->spent.rho);
  return left + spent > 0 ? left / (left + spent) : 0;
}

}  // namespace tacit::wire
