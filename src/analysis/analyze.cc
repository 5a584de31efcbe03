#include "analysis/analyze.h"

#include <set>

#include "analysis/blocks/set_as_select.h"
#include "analysis/blocks/settle_ties.h"
#include "analysis/blocks/shown.h"
#include "analysis/deep_walk.h"
#include "analysis/known.h"
#include "analysis/query/query.h"
#include "analysis/rules.h"
#include "analysis/tables_above.h"
#include "analysis/texts/examples.h"
#include "sql/constants/fold.h"
#include "sql/print/canonical/canonical.h"
#include "sql/print/query.h"

namespace tacit::analysis {
namespace {

// What the printer finds wrong above the frontier, under the name of a rule.
Error NamedAbove(Error error) {
  if (error.rule.empty()) {
    error.rule = error.code == ErrorCode::kUnsupported ? rules::kFunctionWithoutRule.name
                                                       : rules::kInvalidQuery.name;
  }
  return error;
}

// Public tables that only the engine's side reads need no copy above.
void DropUnusedReads(Facts& facts) {
  std::set<std::string> used = TableNamesIn(facts.post);
  for (const Block& block : facts.blocks) {
    for (const Constant& constant : block.constants) used.merge(TableNamesIn(constant.query));
  }
  std::erase_if(facts.public_reads,
                [&](const PublicRead& read) { return !used.contains(read.name); });
}

Error WithoutColumns(const sql::Query& query) {
  Error error{.code = ErrorCode::kUnsupported,
              .public_message = "a SELECT without columns is not supported",
              .hint = "name what to show, for example count(*)",
              .position = std::nullopt,
              .private_detail = ""};
  error.rule = rules::kWrongShape.name;
  if (query->position.offset >= 0) error.position = query->position.offset;
  return error;
}

Result<Facts> FactsOf(Known known) {
  if (const auto* select = sql::As<sql::Select>(known.written);
      select != nullptr && select->items.empty()) {
    return WithoutColumns(known.written);
  }
  const Environment nothing;
  known.facts.zone = known.zone;
  TACIT_TRY(Source source, AnalyzeQuery(known, known.written, nothing));
  if (std::holds_alternative<ProtectedRows>(source)) {
    return Refuse(rules::kRowsOut, known.written->position, "the query would show rows of people",
                  "ask for an aggregate, perhaps of groups: " +
                      ExampleCount(std::get<ProtectedRows>(source).rows));
  }
  Facts facts = std::move(known.facts);
  facts.post = std::get<sql::Query>(std::move(source));
  TACIT_TRY(const std::vector<sql::TypedColumn> columns,
            sql::ColumnsOf(facts.post, TablesAbove(facts)));
  facts.post = SetAsSelect(SettleTies(facts.post), columns);
  const Origins origins = OriginsOf(facts.post, facts);
  const bool known_origins = origins.columns.size() == columns.size();
  for (size_t i = 0; i < columns.size(); ++i) {
    PostColumn column{.name = columns[i].name, .type = columns[i].type, .shows = {}};
    if (known_origins) {
      column.shows = origins.columns[i].shown;
      column.noisy = origins.columns[i].noisy;
      column.chosen = origins.columns[i].chosen;
    }
    facts.columns.push_back(std::move(column));
  }
  if (known_origins) {
    facts.row_identity = origins.row_identity;
    facts.quiet_where = origins.quiet_where;
  }
  DropUnusedReads(facts);
  return facts;
}

}  // namespace

Result<Facts> Analyze(const sql::Query& query, const policy::Policy& policy,
                      const policy::Schema& schema, const std::string& zone) {
  const sql::Query folded = sql::FoldConstants(query);
  Result<Facts> facts = FactsOf({.policy = policy,
                                 .schema = schema,
                                 .written = folded,
                                 .written_bytes = sql::PrintCanonical(folded).size(),
                                 .zone = zone});
  if (!facts.ok()) return NamedAbove(std::move(facts).error());
  return facts;
}

}  // namespace tacit::analysis
