#include "gateway/stages.h"

#include <algorithm>
#include <system_error>

#include "answer/assemble.h"
#include "engine/duckdb/database/errors.h"
#include "gateway/carry_out.h"
#include "plan/above/margins.h"

namespace tacit::gateway {

Result<Done> Stages::Prepare(const ledger::Receipt& quote) {
  services_.engine.WorkFor(price_.analyst);
  label_.Add(plan_.post_sql);
  label_.Add(plan_.margin_sql);
  const bool all_stored =
      std::all_of(quote.releases.begin(), quote.releases.end(),
                  [](const ledger::GrantedRelease& release) { return release.bytes.has_value(); });
  if (all_stored) return Done{};
  TACIT_CHECK(PrepareEngine());
  // Known to fit, by declared sizes, before it is paid for.
  stay_.reset(new EngineRoom::Stay(EngineRoom::Enter(services_.room, plan_)));
  return Done{};
}

Error Stages::Unfinished() const { return engine::duckdb::ExactQueryFailed("exception"); }

// Public tables are read here, before anything is charged when there is something to charge.
Result<Done> Stages::OpenPostProcessing() {
  if (post_processing_) return Done{};
  using engine::duckdb::PostProcessingPool;
  std::vector<engine::duckdb::TableShape> shapes;
  std::vector<engine::ResultTable> known;
  for (const plan::PublicTable& table : plan_.public_tables) {
    TACIT_TRY(engine::ResultTable rows, services_.engine.Read(table));
    shapes.push_back({table.name, rows.columns});
    known.push_back(std::move(rows));
  }
  for (size_t i = 0; i < plan_.releases.size(); ++i) {
    shapes.push_back(
        {plan_.releases[i].name, columns_.empty() ? tables_[i]->columns() : columns_[i]});
  }
  TACIT_TRY(PostProcessingPool::Lent opened,
            opening_.valid()
                ? opening_.get()
                : PostProcessingPool::Take(services_.instances, shapes, price_.analyst));
  opened->Arrange(shapes, price_.analyst);
  for (size_t i = 0; i < known.size(); ++i) {
    opened->Fill(plan_.public_tables[i].name, std::move(known[i].rows));
  }
  post_processing_ = std::move(opened);
  return Done{};
}

Result<Done> Stages::PrepareEngine() {
  // Both databases take a while to start, and neither needs the other.
  using engine::duckdb::PostProcessingPool;
  if (!PostProcessingPool::HasSpare(services_.instances)) {
    try {
      opening_ = std::async(std::launch::async, [pool = services_.instances] {
        return PostProcessingPool::Take(pool);
      });
    } catch (const std::system_error&) {
      // A thread that the system refuses costs time only: it is opened below, after the engine.
    }
  }
  TACIT_TRY(columns_, services_.engine.Prepare(plan_));
  TACIT_CHECK(OpenPostProcessing());
  for (const plan::Release& release : plan_.releases) {
    for (const plan::Parameter& parameter : release.parameters) {
      const auto* constant = std::get_if<plan::ReleasedConstant>(&parameter);
      if (constant != nullptr) TACIT_CHECK(post_processing_->Check(constant->sql));
    }
  }
  TACIT_CHECK(post_processing_->Check(plan_.post_sql));
  if (plan_.margin_sql.empty() || post_processing_->Check(plan_.margin_sql).ok()) return Done{};
  GiveUpMargins();
  return OpenPostProcessing();
}

// An instance in which a statement failed is not used again.
void Stages::GiveUpMargins() {
  margins_given_up_ = true;
  post_processing_.reset();
}

// Into the locked instance as well; while that is not open, Rows will do it.
void Stages::Keep(size_t index, std::shared_ptr<const answer::TableInBytes> table) {
  label_.Add(table->bytes());
  if (post_processing_) post_processing_->Fill(plan_.releases[index].name, table);
  tables_[index] = std::move(table);
}

Result<Done> Stages::Replay(size_t index, std::string bytes) {
  TACIT_TRY(auto table, answer::TableInBytes::Open(std::move(bytes)));
  Keep(index, std::move(table));
  return Done{};
}

Result<std::vector<engine::Value>> Stages::ParametersOf(const plan::Release& release) {
  std::vector<engine::Value> values;
  for (const plan::Parameter& parameter : release.parameters) {
    const auto* constant = std::get_if<plan::ReleasedConstant>(&parameter);
    if (constant == nullptr) {
      values.emplace_back(std::string(services_.deployment_key));
      continue;
    }
    TACIT_TRY(const engine::ResultTable table, post_processing_->Run(constant->sql));
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

Result<engine::ExactRelease> Stages::Exact(size_t index) {
  const plan::Release& release = plan_.releases[index];
  // Stored answers are never taken away, so what the quote found the charge finds as well.
  TACIT_ASSERT(!columns_.empty());
  TACIT_TRY(const std::vector<engine::Value> parameters, ParametersOf(release));
  return services_.engine.Run(release, parameters);
}

Result<const std::string*> Stages::Take(size_t index, std::string released) {
  TACIT_TRY(auto table, answer::TableInBytes::Open(std::move(released)));
  Keep(index, std::move(table));
  return &tables_[index]->bytes();
}

Result<engine::ResultTable> Stages::Rows() {
  // Public tables are no part of the label: what is computed from them is computed again.
  const bool may_keep = plan_.public_tables.empty();
  if (may_keep && !post_processing_) {
    if (std::optional<engine::ResultTable> kept = services_.kept_results.Find(label_)) {
      return std::move(*kept);
    }
  }
  Result<engine::ResultTable> table = engine::ResultTable{};
  if (HasMargins()) {
    table = Run(plan_.margin_sql);
    // The answer was paid for, and how far off it is is more than was asked: where the engine does
    // not manage it (a division by zero in one of the draws), the answer comes without.
    if (!table.ok()) GiveUpMargins();
  }
  if (!HasMargins()) table = Run(plan_.post_sql);
  TACIT_TRY(engine::ResultTable rows, std::move(table));
  TACIT_ASSERT(rows.columns.size() >= plan_.columns.size());
  if (may_keep) services_.kept_results.Keep(label_, rows);
  post_processing_.reset();
  return rows;
}

Result<engine::ResultTable> Stages::Run(const std::string& sql) {
  if (!post_processing_) {
    TACIT_CHECK(OpenPostProcessing());
    for (size_t i = 0; i < plan_.releases.size(); ++i) {
      post_processing_->Fill(plan_.releases[i].name, tables_[i]);
    }
  }
  return post_processing_->Run(sql);
}

bool Stages::HasMargins() const {
  size_t rows = 0;
  for (const auto& table : tables_) rows += table->size();
  return !margins_given_up_ && !plan_.margin_sql.empty() && rows <= plan::kRowsWithMarginsMax;
}

namespace {

// What stands behind the columns of each row, by itself.
engine::PackedRows SplitMargins(size_t columns, engine::PackedRows& rows) {
  engine::PackedRows shown;
  engine::PackedRows margins;
  for (const std::vector<engine::Value>& row : rows) {
    const auto end = row.begin() + static_cast<ptrdiff_t>(columns);
    shown.push_back({row.begin(), end});
    margins.push_back({end, row.end()});
  }
  rows = std::move(shown);
  return margins;
}

}  // namespace

Result<answer::Answer> Stages::Finish(const ledger::Receipt& receipt) {
  TACIT_TRY(engine::ResultTable table, Rows());
  was_free_ = IsFree(receipt);
  granted_ = receipt.releases;
  engine::PackedRows margins;
  if (table.columns.size() > plan_.columns.size()) {
    margins = SplitMargins(plan_.columns.size(), table.rows);
  }
  answer::Answer answer = answer::Assemble(plan_, std::move(table.rows), std::move(margins),
                                           answer::PrivacyOf(receipt, price_));
  answer.room = std::move(table.room);
  return answer;
}

}  // namespace tacit::gateway
