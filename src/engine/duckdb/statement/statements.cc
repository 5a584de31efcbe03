#include "engine/duckdb/statement/statements.h"

#include <algorithm>

#include "engine/duckdb/rules/rules.h"
#include "engine/duckdb/statement/dialect.h"
#include "engine/statement/printer.h"
#include "plan/tree/check.h"
#include "plan/tree/walk.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::engine::duckdb {
namespace {

// What is stored serves where it can; the rest of the rules build on it.
Result<tree::ExactNode> OverWhatIsStored(const tree::ExactNode& exact) {
  return OverPreparedColumns(OverPreparedRows(exact));
}

}  // namespace

Result<Statements> StatementsOf(const tree::Exact& asked) {
  TACIT_TRY(tree::ExactNode exact, OverWhatIsStored(*asked));
  exact = CountedTable(PeopleByNumbers(std::move(exact)));
  // A rule may change how groups are computed, and never who is kept apart from whom.
  TACIT_ASSERT(tree::BrokenWall(exact).empty());
  const statement::Dialect& dialect = StatementDialect();
  Statements statements{.sql = "",
                        .uses_deployment_key = tree::UsesDeploymentKey(exact),
                        .stream = std::nullopt,
                        .distinct_joins = std::nullopt,
                        .sets_sql = ""};
  TACIT_TRY(statements.sql, statement::PrintExact(exact, dialect));
  if (exact.groups.people == tree::CountPeople::kByNumbers) {
    tree::ExactNode by_sets = exact;
    by_sets.groups.people = tree::CountPeople::kBySets;
    TACIT_TRY(statements.sets_sql, statement::PrintExact(by_sets, dialect));
    if (statements.sets_sql == statements.sql) statements.sets_sql.clear();  // it counts nobody
  }
  // What goes on from the groups is the statement's.
  if (!exact.totals_by) {
    TACIT_TRY(statements.stream, StreamCap(exact));
  }
  if (std::optional<LoosenedJoins> loosened = LoosenJoins(exact)) {
    TACIT_ASSERT(tree::BrokenWall(loosened->exact).empty());
    DistinctJoins joins{.sql = "", .by = std::move(loosened->by)};
    TACIT_TRY(joins.sql, statement::PrintExact(loosened->exact, dialect));
    statements.distinct_joins = std::move(joins);
  }
  return statements;
}

Result<std::string> StatementOf(const plan::PublicTable& table) {
  const sql::Dialect& words = StatementDialect().Words();
  if (const auto* keys = std::get_if<tree::AllKeys>(&table.rows)) {
    TACIT_TRY(const std::string text, statement::PrintKeys(*keys, StatementDialect()));
    return text + " ORDER BY ALL";
  }
  if (const auto* read = std::get_if<tree::PublicColumns>(&table.rows)) {
    std::string columns;
    for (const auto& [stored, name] : read->columns) {
      columns += (columns.empty() ? "" : ", ") + words.Identifier(stored) + " AS " +
                 words.Identifier(name);
    }
    return "SELECT " + columns + " FROM " + words.Identifier(read->table);
  }
  return std::string("SELECT 1 AS tacit_row");
}

std::vector<std::string> StorageSentences(const tree::Exact& asked) {
  std::vector<std::string> sentences;
  tree::ForEachRelation(asked->groups.rows, [&](const tree::Rows& relation) {
    const auto* cap = tree::As<tree::RowCap>(relation);
    const tree::Scan* scan = cap != nullptr ? &cap->scan : tree::As<tree::Scan>(relation);
    const auto* rows = tree::As<tree::RowScan>(relation);
    if (scan != nullptr && scan->prepared) {
      sentences.push_back(scan->table + " is prepared: the rows within its cap are stored");
    } else if (rows != nullptr && rows->prepared) {
      sentences.push_back(rows->table + " is prepared: grid columns are stored");
    }
  });
  const Result<tree::ExactNode> stored = OverWhatIsStored(*asked);
  if (!stored.ok()) return sentences;
  for (size_t i = 0; i < stored->groups.aggregates.size(); ++i) {
    if (!ReadsGridColumn(stored->groups.aggregates[i])) continue;
    const sql::Expression& argument = asked->groups.aggregates[i].measure.argument;
    const std::string sentence =
        sql::PrintCanonical(argument) + " is read from its stored grid column";
    if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end()) {
      sentences.push_back(sentence);
    }
  }
  return sentences;
}

}  // namespace tacit::engine::duckdb
