#include "plan/above/post.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "analysis/deep_walk.h"
#include "analysis/tables_above.h"
#include "plan/above/finish.h"
#include "plan/above/levels.h"
#include "plan/above/margins.h"
#include "plan/above/post_text.h"
#include "sql/print/duckdb/duckdb.h"

namespace tacit::plan {
namespace {

// PostgreSQL has no expression that says "this number" for every rational; a double does.
sql::Expression NumberLiteral(const Rational& value) {
  const double nearest = ToDoubleUp(value);
  char text[64];
  std::snprintf(text, sizeof text, "%.12g", nearest);
  return sql::MakeExpression(
      sql::Cast{sql::MakeExpression(sql::Literal{sql::LiteralKind::kNumeric, text, {}}),
                sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0}});
}

// The error of the shown column: a column of the release where that is what the query reads,
// a constant elsewhere; nothing for a mean that came through other queries.
sql::Expression ErrorExpression(const sql::Expression& shown, const analysis::Block& block,
                                const analysis::ReleasedColumn& column, const PricedBlock& priced) {
  // The errors of these are not in the column's own unit, or say nothing of this answer's people.
  if (std::holds_alternative<analysis::VarianceColumn>(column.value) ||
      std::holds_alternative<analysis::QuantileColumn>(column.value) ||
      std::holds_alternative<analysis::ModeColumn>(column.value)) {
    return {};
  }
  if (const auto* pair = std::get_if<analysis::PairColumn>(&column.value)) {
    if (pair->statistic != analysis::PairStatistic::kCount) return {};
  }
  const auto* reference = sql::As<sql::ColumnReference>(shown);
  if (reference != nullptr && reference->table == block.name) {
    return sql::MakeExpression(
        sql::ColumnReference{block.name, analysis::ErrorColumnName(reference->column)});
  }
  if (!ErrorOf(column, block, priced.measures).condition.empty()) return {};
  return NumberLiteral(ErrorOf(column, block, priced.measures).moe95);
}

// Where the values of a column lie that is a mean or a percentile of bounded ones: so does its
// truth, and an interval need not reach further.
std::optional<std::pair<Rational, Rational>> BoundsOf(const analysis::Block& block,
                                                      const analysis::ReleasedColumn& column) {
  std::optional<size_t> measure;
  if (const auto* average = std::get_if<analysis::AverageColumn>(&column.value)) {
    measure = average->sum;
  } else if (const auto* quantile = std::get_if<analysis::QuantileColumn>(&column.value)) {
    measure = quantile->measure;
  }
  if (!measure) return std::nullopt;
  const policy::Grid& grid = block.measures[*measure].grid;
  return std::pair(Rational(MakeRational(grid.low_steps) * grid.step),
                   Rational(MakeRational(grid.high_steps) * grid.step));
}

// NULL stays NULL, as it would not in least() and greatest().
sql::Expression Cut(const sql::Expression& end, const std::string& beyond, const Rational& bound) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", bound.get_d());
  const sql::Expression limit = sql::MakeExpression(
      sql::Cast{sql::MakeExpression(sql::Literal{sql::LiteralKind::kNumeric, text, {}}),
                sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0}});
  sql::Case cut;
  cut.branches.push_back({sql::MakeExpression(sql::Operator{beyond, {end, limit}}), limit});
  cut.otherwise = end;
  return sql::MakeExpression(std::move(cut));
}

}  // namespace

std::string NoisyTableName(size_t block) { return "tacit_noisy_" + std::to_string(block + 1); }

Result<std::string> PostSql(const sql::Query& query, const analysis::Facts& facts,
                            const std::vector<Draft>& drafts,
                            const std::vector<PricedBlock>& priced,
                            WithAverageMargins with_margins) {
  const analysis::TablesAbove tables(facts, with_margins == WithAverageMargins::kYes);
  TACIT_TRY(const sql::PrintedQuery printed, sql::PrintForDuckDb(query, tables));
  const std::set<std::string> used = analysis::TableNamesIn(query);
  std::string finished;
  for (size_t i = 0; i < drafts.size(); ++i) {
    const std::string& name = drafts[i].block.name;
    if (!used.contains(name)) continue;
    finished += (finished.empty() ? "" : ", ") + QuoteName(name) + " AS (" +
                FinishSql(drafts[i].block, priced[i].measures, QuoteName(NoisyTableName(i)), {},
                          with_margins) +
                ")";
  }
  for (const analysis::LevelTable& levels : facts.levels) {
    const size_t i = levels.block;
    if (!used.contains(levels.name)) continue;
    finished += (finished.empty() ? "" : ", ") + QuoteName(levels.name) + " AS (" +
                LevelsSql(levels, facts.blocks, drafts[i].block, priced[i].measures,
                          [](size_t block) { return QuoteName(NoisyTableName(block)); }) +
                ")";
  }
  return WithTables(finished, printed.text);
}

Widened WithIntervals(const analysis::Facts& facts, const std::vector<Draft>& drafts,
                      const std::vector<PricedBlock>& priced,
                      const std::vector<size_t>& with_margins, bool computed) {
  Widened widened{.query = facts.post, .columns = facts.columns, .places = {}};
  for (size_t i = 0; i < facts.columns.size(); ++i) widened.places.push_back(i);
  const auto* select = sql::As<sql::Select>(facts.post);
  if (select == nullptr || select->distinct || select->items.size() != facts.columns.size()) {
    return widened;
  }
  const auto error_of = [&](size_t i) -> sql::Expression {
    const auto margin = std::find(with_margins.begin(), with_margins.end(), i);
    if (margin != with_margins.end() && computed) {
      return MarginColumn(static_cast<size_t>(margin - with_margins.begin()), facts);
    }
    const analysis::PostColumn& column = facts.columns[i];
    sql::Expression error;
    if (column.shows) {
      const auto [block, index] = *column.shows;
      error = ErrorExpression(select->items[i].expression, drafts[block].block,
                              drafts[block].block.released[index], priced[block]);
    }
    if (error || margin == with_margins.end()) return error;
    return sql::MakeExpression(
        sql::Cast{sql::MakeExpression(sql::Literal{sql::LiteralKind::kNull, "", {}}),
                  sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0}});
  };
  sql::Select wider = *select;
  wider.items.clear();
  widened.columns.clear();
  for (size_t i = 0; i < facts.columns.size(); ++i) {
    widened.places[i] = wider.items.size();
    wider.items.push_back(select->items[i]);
    widened.columns.push_back(facts.columns[i]);
    const sql::Expression error = error_of(i);
    if (!error) continue;
    std::optional<std::pair<Rational, Rational>> bounds;
    if (const auto& shows = facts.columns[i].shows) {
      const analysis::Block& block = drafts[shows->first].block;
      bounds = BoundsOf(block, block.released[shows->second]);
    }
    for (const bool high : {false, true}) {
      const std::string name = facts.columns[i].name + (high ? "_high" : "_low");
      sql::Expression end = sql::MakeExpression(
          sql::Operator{high ? "+" : "-", {select->items[i].expression, error}});
      if (bounds) end = Cut(end, high ? ">" : "<", high ? bounds->second : bounds->first);
      wider.items.push_back({std::move(end), name});
      widened.columns.push_back(
          {.name = name,
           .type = sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0},
           .shows = std::nullopt});
    }
  }
  sql::QueryNode node = *facts.post;
  node.body = std::move(wider);
  widened.query = sql::Query(std::move(node));
  return widened;
}

}  // namespace tacit::plan
