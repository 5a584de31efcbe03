#include "analysis/analyze.h"

#include "analysis/analyzer.h"
#include "analysis/blocks/shown.h"
#include "analysis/catalog.h"
#include "analysis/deep_walk.h"
#include "sql/print/canonical.h"
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

}  // namespace

Result<sql::Type> Analyzer::TypeOfConstant(const sql::Query& query) const {
  Result<std::vector<sql::Column>> columns = sql::ColumnsOf(query, ReleasedCatalog(facts_));
  if (!columns.ok()) return NamedAbove(std::move(columns).error());
  if (columns->size() != 1) {
    return Refuse(rules::kWrongShape, query->position, "the subquery must give one column", "");
  }
  return columns->front().type;
}

Result<Facts> Analyzer::Run(const sql::Query& query) {
  const Environment nothing;
  written_bytes_ = sql::PrintCanonical(query).size();
  written_ = query;
  TACIT_TRY(Source source, AnalyzeQuery(query, nothing));
  if (std::holds_alternative<ProtectedRows>(source)) {
    return Refuse(rules::kRowsOut, query->position, "the query would show rows of people",
                  "ask for an aggregate: SELECT count(*) FROM ... or SELECT k, count(*) FROM ... "
                  "GROUP BY k");
  }
  facts_.post = std::get<sql::Query>(std::move(source));
  Result<std::vector<sql::Column>> columns = sql::ColumnsOf(facts_.post, ReleasedCatalog(facts_));
  if (!columns.ok()) return NamedAbove(std::move(columns).error());
  const std::vector<Shown> shown = ShownColumns(facts_.post, facts_);
  for (size_t i = 0; i < columns->size(); ++i) {
    OutputColumn column{.name = (*columns)[i].name, .type = (*columns)[i].type, .shows = {}};
    if (shown.size() == columns->size()) column.shows = shown[i];
    facts_.columns.push_back(std::move(column));
  }
  DropUnusedReads(facts_);
  return facts_;
}

Result<Facts> Analyze(const sql::Query& query, const policy::Policy& policy,
                      const policy::Schema& schema) {
  Result<Facts> facts = Analyzer(policy, schema).Run(query);
  if (!facts.ok()) return NamedAbove(std::move(facts).error());
  return facts;
}

}  // namespace tacit::analysis
