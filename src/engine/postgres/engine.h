#pragma once

#include <list>
#include <memory>
#include <optional>

#include "engine/engine.h"
#include "engine/postgres/catalog/catalog.h"
#include "engine/postgres/connection/connection.h"
#include "engine/postgres/prepared/copies.h"
#include "policy/policy.h"

namespace tacit::engine::postgres {

// Tables that a PostgreSQL server holds: aggregates are computed there and nothing else leaves it.
// All that a question reads is one snapshot, from Prepare until EndQuestion. For one thread; each
// has a session of its own, opened when it is first needed.
class PostgresEngine final : public Engine {
 public:
  // `catalog` is what questions were planned with: a table that is not so any more is refused
  // before anything is charged. Absent: read when it is needed.
  PostgresEngine(policy::PostgresSettings settings, std::shared_ptr<const Catalog> catalog,
                 TimeLimits limits = {});
  ~PostgresEngine() override;

  void WorkFor(const std::string& asker) override;
  void EndQuestion() override;
  Result<policy::Schema> ReadSchema() override;
  Result<std::vector<std::vector<ResultColumn>>> Prepare(const plan::PrivatePlan& plan) override;
  Result<ExactRelease> Run(const plan::Release& release,
                           const std::vector<Value>& parameters) override;
  Result<std::vector<Told>> Explain(const plan::PrivatePlan& plan) override;
  Result<ResultTable> Read(const plan::PublicTable& table) override;

  // Whether the server is there and the tables are what they were.
  Result<Done> Check();
  Result<std::shared_ptr<const Catalog>> CatalogOf();

 private:
  Result<Done> Begin();
  Result<Done> BeginOnce();
  Result<Done> CheckCatalog();
  struct Statement {
    plan::tree::Exact asked;
    std::string name;  // the server's
    bool uses_key = false;
  };
  Result<const Statement*> PrepareRelease(const plan::Release& release);
  Result<const Statement*> StatementFor(const plan::Release& release);

  policy::PostgresSettings settings_;
  std::shared_ptr<const Catalog> catalog_;
  TimeLimits limits_;
  std::optional<Connection> connection_;
  bool in_question_ = false;
  bool has_run_ = false;           // in this snapshot
  Copies copies_;                  // that are fresh in it
  std::list<Statement> prepared_;  // of the plan that was prepared last
};

// The tables of the policy as the database has them, with a refusal, in words for the owner, for
// one that it has and that cannot be used.
Result<std::shared_ptr<const Catalog>> FindTables(const policy::PostgresSettings& settings,
                                                  const std::vector<std::string>& tables);

}  // namespace tacit::engine::postgres
