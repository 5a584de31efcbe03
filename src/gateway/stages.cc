#include "gateway/stages.h"

#include <algorithm>

#include "answer/release_table.h"
#include "answer/table_bytes.h"

namespace tacit::gateway {

Result<Stages> Stages::Prepare(const plan::PrivatePlan& plan, const ledger::Receipt& quote,
                               Services& services) {
  TACIT_TRY(engine::duckdb::PostProcessing post_processing, engine::duckdb::PostProcessing::Open());
  Stages stages(plan, services, std::move(post_processing));
  TACIT_CHECK(stages.AddPublicTables());
  const bool all_stored =
      std::all_of(quote.releases.begin(), quote.releases.end(),
                  [](const ledger::GrantedRelease& release) { return release.bytes.has_value(); });
  if (!all_stored) TACIT_CHECK(stages.PrepareEngine());
  return stages;
}

Result<Done> Stages::AddPublicTables() {
  for (const plan::PublicTable& table : plan_.public_tables) {
    TACIT_TRY(const engine::ResultTable rows, services_.engine.Read(table));
    TACIT_CHECK(post_processing_.Add(table.name, rows.columns));
    TACIT_CHECK(post_processing_.Fill(table.name, rows.rows));
  }
  return Done{};
}

Result<Done> Stages::PrepareEngine() {
  TACIT_TRY(columns_, services_.engine.Prepare(plan_));
  for (size_t i = 0; i < plan_.releases.size(); ++i) {
    TACIT_CHECK(post_processing_.Add(plan_.releases[i].name, columns_[i]));
    added_.insert(plan_.releases[i].name);
  }
  for (const plan::Release& release : plan_.releases) {
    for (const plan::Parameter& parameter : release.parameters) {
      const auto* constant = std::get_if<plan::ReleasedConstant>(&parameter);
      if (constant != nullptr) TACIT_CHECK(post_processing_.Check(constant->sql));
    }
  }
  return post_processing_.Check(plan_.post_sql);
}

Result<Done> Stages::Replay(size_t index, const std::string& bytes) {
  const std::string& name = plan_.releases[index].name;
  TACIT_TRY(const engine::ResultTable table, answer::ReadTable(bytes));
  if (added_.insert(name).second) TACIT_CHECK(post_processing_.Add(name, table.columns));
  return post_processing_.Fill(name, table.rows);
}

Result<std::vector<engine::Value>> Stages::ParametersOf(const plan::Release& release) {
  std::vector<engine::Value> values;
  for (const plan::Parameter& parameter : release.parameters) {
    const auto* constant = std::get_if<plan::ReleasedConstant>(&parameter);
    if (constant == nullptr) {
      values.emplace_back(services_.deployment_key);
      continue;
    }
    TACIT_TRY(const engine::ResultTable table, post_processing_.Run(constant->sql));
    if (table.rows.size() > 1) {
      return Error{.code = ErrorCode::kInvalidQuery,
                   .public_message = "a subquery used as a value returned more than one row",
                   .hint = "make it return one: an aggregate without GROUP BY, or LIMIT 1",
                   .position = std::nullopt,
                   .private_detail = ""};
    }
    values.push_back(table.rows.empty() ? engine::Value() : table.rows[0][0]);
  }
  return values;
}

Result<std::string> Stages::Draw(size_t index) {
  const plan::Release& release = plan_.releases[index];
  // Another process may have taken a stored answer away since the quote: then nothing is prepared.
  if (columns_.empty()) TACIT_CHECK(PrepareEngine());
  TACIT_TRY(const std::vector<engine::Value> parameters, ParametersOf(release));
  TACIT_TRY(const engine::ExactRelease exact, services_.engine.Run(release, parameters));
  const engine::ResultTable table{.columns = columns_[index],
                                  .rows = answer::ReleaseTable(release, exact, services_.entropy)};
  TACIT_CHECK(post_processing_.Fill(release.name, table.rows));
  return answer::WriteTable(table);
}

Result<std::vector<std::vector<engine::Value>>> Stages::Finish() {
  TACIT_TRY(engine::ResultTable table, post_processing_.Run(plan_.post_sql));
  TACIT_ASSERT(table.columns.size() == plan_.columns.size());
  return std::move(table.rows);
}

}  // namespace tacit::gateway
