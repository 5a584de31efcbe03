#pragma once

#include <memory>
#include <optional>

#include "engine/engine.h"
#include "engine/trino/catalog/catalog.h"
#include "engine/trino/connection/connection.h"
#include "engine/trino/statement/dialect.h"
#include "policy/policy.h"

namespace tacit::engine::trino {

// Tables that a Trino cluster reads: aggregates are computed there and nothing else leaves it. Each
// statement reads its tables as they are then. For one thread.
class TrinoEngine final : public Engine {
 public:
  // `catalog` is what questions were planned with: a table that is not so any more is refused
  // before anything is charged. Absent: read when it is needed.
  TrinoEngine(policy::TrinoSettings settings, std::shared_ptr<const Catalog> catalog,
              TimeLimits limits = {});
  ~TrinoEngine() override;

  Result<policy::Schema> ReadSchema() override;
  Result<std::vector<std::vector<ResultColumn>>> Prepare(const plan::PrivatePlan& plan) override;
  Result<ExactRelease> Run(const plan::Release& release,
                           const std::vector<Value>& parameters) override;
  Result<std::vector<Told>> Explain(const plan::PrivatePlan& plan) override;
  Result<ResultTable> Read(const plan::PublicTable& table) override;

  // Whether the cluster is there and the tables are what they were.
  Result<Done> Check();
  Result<std::shared_ptr<const Catalog>> CatalogOf();

 private:
  Result<Connection*> Connected();
  Result<Done> CheckCatalog();
  Result<Done> Validate(const std::string& sql);

  policy::TrinoSettings settings_;
  std::shared_ptr<const Catalog> catalog_;
  TimeLimits limits_;
  std::optional<Connection> connection_;
};

// The tables of the policy as the cluster has them, with a refusal, in words for the owner, for one
// that it has and that cannot be used. Looks whether unique columns are.
Result<std::shared_ptr<const Catalog>> FindTables(const policy::TrinoSettings& settings,
                                                  const std::vector<std::string>& tables);

}  // namespace tacit::engine::trino
