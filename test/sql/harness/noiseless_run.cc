#include "harness/noiseless_run.h"

#include "engine/duckdb/statement/statements.h"
#include "sql/print/quote.h"

namespace tacit::golden {
namespace {

using sql::testing::DuckDbSession;
using sql::testing::Row;

std::string Joined(const Row& row) {
  std::string text;
  for (size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : "|") + row[i].value_or("NULL");
  return text;
}

// Test sessions take no parameters: their values are put in place, the last ones first, so that $1
// does not meet $10.
Result<std::string> Substituted(const plan::Release& release, DuckDbSession& session) {
  TACIT_TRY(const engine::duckdb::Statements statements,
            engine::duckdb::StatementsOf(release.exact));
  std::string text = statements.sql;
  for (size_t i = release.parameters.size(); i > 0; --i) {
    std::string value = "'the secret key of a test'";
    if (const auto* constant = std::get_if<plan::ReleasedConstant>(&release.parameters[i - 1])) {
      TACIT_TRY(const std::vector<Row> rows, session.Query(constant->sql));
      const bool known = !rows.empty() && rows[0][0].has_value();
      value = known ? sql::QuoteString(*rows[0][0]) : "NULL";
    }
    const std::string name = "$" + std::to_string(i);
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
      text.replace(at, name.size(), value);
      at += value.size();
    }
  }
  return text;
}

// A mode is chosen from a list of counts, a quantile from cells with their rows behind them;
// without noise it is the fullest one that is shown.
std::string Fullest(const plan::Measure& measure) {
  const std::string& list = measure.name;
  if (measure.mechanism->Reads() == noise::Form::kCounts) {
    return "list_position(" + list + ", list_max(" + list + ")) - 1";
  }
  const std::string rows =
      "list_transform(range(1, len(" + list + ") // 2 + 1), lambda i: " + list + "[2 * i])";
  return "coalesce(" + list + "[2 * list_position(" + rows + ", list_max(" + rows + ")) - 1], 0)";
}

std::string ReleasedColumns(const plan::Release& release) {
  std::string items;
  for (const plan::Measure& measure : release.measures) {
    if (!measure.mechanism->ReadsCells()) continue;
    items += (items.empty() ? "" : ", ") +
             ("CAST(" + Fullest(measure) + " AS HUGEINT) AS " + measure.name);
  }
  return items.empty() ? "*" : "* REPLACE (" + items + ")";
}

std::string Condition(const plan::Release& release) {
  if (const auto* noisy = std::get_if<plan::NoisyThreshold>(&release.selection)) {
    return " WHERE " + release.measures[noisy->measure].name +
           " >= " + ToString(noisy->mechanism.threshold());
  }
  if (const auto* units = std::get_if<plan::UnitsChoice>(&release.selection)) {
    return " WHERE units >= " + std::to_string(units->mechanism.ShownAtLeastHalf());
  }
  return "";
}

}  // namespace

Result<std::vector<std::string>> RunWithoutNoise(const plan::PrivatePlan& plan,
                                                 DuckDbSession& session) {
  for (const plan::PublicTable& table : plan.public_tables) {
    TACIT_TRY(const std::string statement, engine::duckdb::StatementOf(table));
    TACIT_CHECK(session.Query("CREATE OR REPLACE TEMP TABLE " + table.name + " AS " + statement));
  }
  for (const plan::Release& release : plan.releases) {
    TACIT_TRY(const std::string exact, Substituted(release, session));
    TACIT_CHECK(
        session.Query("CREATE OR REPLACE TEMP TABLE exact_" + release.name + " AS " + exact));
    TACIT_CHECK(session.Query("CREATE OR REPLACE TEMP TABLE " + release.name + " AS SELECT " +
                              ReleasedColumns(release) + " FROM exact_" + release.name +
                              Condition(release)));
  }
  TACIT_TRY(const std::vector<Row> rows, session.Query(plan.post_sql));
  std::vector<std::string> lines;
  for (const Row& row : rows) lines.push_back(Joined(row));
  return lines;
}

}  // namespace tacit::golden
