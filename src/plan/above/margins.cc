#include "plan/above/margins.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/deep_walk.h"
#include "analysis/tables_above.h"
#include "noise/cube/cube_error_estimate.h"
#include "noise/error_estimate.h"
#include "plan/above/average_margin.h"
#include "plan/above/finish.h"
#include "plan/above/levels.h"
#include "plan/above/post.h"
#include "plan/above/post_text.h"
#include "sql/print/duckdb/duckdb.h"
#include "sql/walk.h"

namespace tacit::plan {
namespace {

using analysis::Facts;
using sql::Expression;
using sql::MakeExpression;

constexpr char kMargins[] = "tacit_margins";

constexpr char kCoveredText[] = "0.956";  // kCoveredShare

std::string IdName(size_t i) { return "tacit_id_" + std::to_string(i + 1); }
std::string ValueName(size_t i) { return "tacit_value_" + std::to_string(i + 1); }
std::string MarginName(size_t i) { return "tacit_margin_" + std::to_string(i + 1); }

// The released tables, and the margins beside them.
class WithMargins : public sql::KnownTables {
 public:
  WithMargins(const Facts& facts, std::vector<sql::TypedColumn> margins)
      : released_(facts), margins_(std::move(margins)) {}
  const std::vector<sql::TypedColumn>* Find(const std::string& schema,
                                            const std::string& name) const override {
    return schema.empty() && name == kMargins ? &margins_ : released_.Find(schema, name);
  }
  std::string Zone() const override { return released_.Zone(); }

 private:
  analysis::TablesAbove released_;
  std::vector<sql::TypedColumn> margins_;
};

bool IsGrouped(const sql::Select& select) {
  if (!select.group_by.empty() || sql::HasAggregate(select.having)) return true;
  for (const sql::SelectItem& item : select.items) {
    if (sql::HasAggregate(item.expression)) return true;
  }
  return false;
}

bool HasWindows(const sql::Select& select) {
  for (const sql::SelectItem& item : select.items) {
    if (sql::HasWindow(item.expression)) return true;
  }
  return false;
}

// What tells a row apart, and the numbers whose margins are wanted: for every row that the query
// can show, whatever its filters on noisy numbers and its LIMIT leave of them.
sql::Query Numbers(const Facts& facts) {
  sql::Select select = *sql::As<sql::Select>(facts.post);
  const std::vector<sql::SelectItem> shown = std::move(select.items);
  select.items.clear();
  for (size_t i = 0; i < facts.row_identity->size(); ++i) {
    select.items.push_back({(*facts.row_identity)[i], IdName(i)});
  }
  const std::vector<size_t> columns = ColumnsWithMargins(facts);
  for (size_t i = 0; i < columns.size(); ++i) {
    select.items.push_back(
        {MakeExpression(sql::Cast{shown[columns[i]].expression, kDoubleType}), ValueName(i)});
  }
  select.distinct = false;
  // A window sees the rows that its own query leaves.
  if (!HasWindows(select) && !IsGrouped(select)) select.where = facts.quiet_where;
  if (IsGrouped(select)) {
    select.having = {};
    if (!select.group_by.empty()) select.group_by = *facts.row_identity;
  }
  sql::QueryNode node = *facts.post;
  node.body = std::move(select);
  node.order_by.clear();
  node.limit = {};
  node.offset = {};
  return sql::Query(std::move(node));
}

// One of the list for a row's number in the draw r, as a double: a permutation for every row and
// number, so that each of them meets every entry once.
std::string Entry(const std::string& row, size_t number, const std::string& list) {
  const std::string prime = std::to_string(kDraws);
  const std::string a = "CAST(hash(" + row + std::to_string(2 * number) + ") % " +
                        std::to_string(kDraws - 1) + " AS BIGINT)";
  const std::string b =
      "CAST(hash(" + row + std::to_string(2 * number + 1) + ") % " + prime + " AS BIGINT)";
  const std::string x = "((tacit_draw.r + " + b + ") % " + prime + ")";
  const std::string index = "((" + a + " + 1) * ((" + x + " * " + x + " * " + x + ") % " + prime +
                            ")) % " + prime + " + 1";
  return "CAST([" + list + "][" + index + "] AS DOUBLE)";
}

// The draws from kDraws on are the same, halved.
std::string WholeOrHalved(const std::string& drawn) {
  return drawn + " / CASE WHEN tacit_draw.r < " + std::to_string(kDraws) + " THEN 1 ELSE 2 END";
}

std::string Drawn(const std::string& row, size_t number, const std::string& list) {
  return WholeOrHalved(Entry(row, number, list));
}

std::string Listed(const std::vector<Integer>& values) {
  std::string list;
  for (const Integer& value : values) list += (list.empty() ? "" : ", ") + value.get_str();
  return list;
}

// Of numbers that are drawn together: a radius, the same for all of them, and a place within it.
// The radius has a number of its own, behind those of the measures.
std::string DrawnTogether(const std::string& row, size_t number,
                          const std::vector<Measure>& measures) {
  const noise::ColumnMechanism& mechanism = *measures[number].mechanism;
  const noise::CubeNoise& cube = *mechanism.cube();
  std::vector<Integer> thousandths;
  for (const double radius : noise::CubeEstimate(cube).Radii(kDraws)) {
    thousandths.emplace_back(std::round(1000 * radius));
  }
  std::vector<Integer> places;  // from -1 to 1, in parts of kDraws
  for (int i = 0; i < kDraws; ++i) places.emplace_back(2 * i + 1 - kDraws);
  size_t first = 0;
  while (measures[first].mechanism->cube() != &cube) ++first;
  const std::string radius = Entry(row, measures.size() + first, Listed(thousandths));
  const Rational width(cube.width(mechanism.coordinate()));
  return WholeOrHalved("round((" + radius + " / 1000 * " + DoubleText(width) + " + 0.5) * " +
                       Entry(row, number, Listed(places)) + " / " + std::to_string(kDraws) + ")");
}

// A chosen quantile has no noise, but an interval that was paid for: around the value noise is laid
// whose 95 % reach to its further end. Empty where it has none.
std::string DrawnQuantile(const std::string& row, size_t number, const analysis::Block& block) {
  const analysis::ExactMeasure& measure = block.measures[number];
  if (measure.kind != analysis::MeasureKind::kQuantile) return "";
  const std::optional<size_t> low = EndOf(number, analysis::QuantilePart::kLowEnd, block);
  const std::optional<size_t> high = EndOf(number, analysis::QuantilePart::kHighEnd, block);
  if (measure.part != analysis::QuantilePart::kValue || !low || !high) return "";
  std::vector<Integer> errors = noise::LaplaceErrors(Rational(1'000'000), kDraws);
  const std::string list = Listed(errors);
  // As far as the shares of MarginText reach.
  for (Integer& error : errors) error = abs(error);
  std::sort(errors.begin(), errors.end());
  const std::string unit = errors[static_cast<size_t>(kDraws * kCoveredShare)].get_str();
  const auto name = [](size_t index) { return "m" + std::to_string(index + 1); };
  // The ends are whole cells, and the value is the middle of one.
  const std::string edge = measure.cell_steps > 1 ? " + 1" : "";
  const std::string cells = "CAST(greatest(" + name(number) + " - " + name(*low) + ", " +
                            name(*high) + " - " + name(number) + ", 0)" + edge + " AS DOUBLE)";
  return cells + " * (" + Drawn(row, number, list) + ") / " + unit;
}

// The released table with more of its own noise; tacit_draw.r is the number of the draw.
std::string NoisierTable(const analysis::Block& block, const std::vector<Measure>& measures,
                         size_t index) {
  std::string items;
  std::string row;
  for (const size_t i : block.ShownKeys()) {
    const std::string key = "k" + std::to_string(i + 1);
    items += (items.empty() ? "" : ", ") + key;
    row += key + ", ";
  }
  // Releases are drawn apart, also where their keys are the same.
  row += std::to_string(index) + ", ";
  for (size_t i = 0; i < measures.size(); ++i) {
    const std::string name = "m" + std::to_string(i + 1);
    std::string text = name;
    const bool together = measures[i].mechanism->cube() != nullptr;
    const std::string list = together ? "" : Listed(measures[i].mechanism->ErrorsOf(kDraws));
    const std::string chosen = DrawnQuantile(row, i, block);
    if (together || !list.empty()) {
      const std::string drawn = together ? DrawnTogether(row, i, measures) : Drawn(row, i, list);
      text = name + " + CAST(trunc(" + drawn + ") AS HUGEINT) AS " + name;
    } else if (!chosen.empty()) {
      text = name + " + " + chosen + " AS " + name;
    }
    items += (items.empty() ? "" : ", ") + text;
  }
  return "(SELECT " + items + " FROM " + QuoteName(NoisyTableName(index)) + ")";
}

// Each margin is what 95 % of the draws stay within. Where half the noise does not make half the
// margin, the number is not linear on the scale of its noise: the noise around the released numbers
// is then not that around the true ones, and 98 % are taken (docs/decisions/margins.md). A draw
// that has no number counts as infinitely far. A row that half of the draws do not have, or that
// others look like, has no margin.
std::string MarginText(const std::string& value) {
  const std::string infinity = "CAST('Infinity' AS DOUBLE)";
  const std::string off = "coalesce(abs(s." + value + " - z." + value + "), " + infinity + ")";
  const std::string draws = std::to_string(kDraws);
  const auto within = [&](const std::string& share, const std::string& which) {
    return "quantile_disc(" + off + ", " + share + ") FILTER (WHERE s.tacit_r " + which + " " +
           draws + ")";
  };
  const std::string plain = within(kCoveredText, "<");
  const std::string halved = "2 * " + within(kCoveredText, ">=");
  const std::string wide = within("0.98", "<");
  return "nullif(CASE WHEN greatest(" + plain + ", " + halved + ") > 1.07 * least(" + plain + ", " +
         halved + ") THEN greatest(" + wide + ", " + halved + ") ELSE " + plain + " END, " +
         infinity + ")";
}

std::string MarginTable(const std::string& numbers, const std::string& noisier, size_t ids,
                        size_t values) {
  std::string items;
  std::string on;
  std::string groups;
  for (size_t i = 0; i < ids; ++i) {
    items += "z." + IdName(i) + ", ";
    on += (on.empty() ? "s." : " AND s.") + IdName(i) + " IS NOT DISTINCT FROM z." + IdName(i);
    groups += (groups.empty() ? " GROUP BY z." : ", z.") + IdName(i);
  }
  for (size_t i = 0; i < values; ++i) {
    items += (i == 0 ? "" : ", ") + MarginText(ValueName(i)) + " AS " + MarginName(i);
  }
  return "SELECT " + items + " FROM (SELECT tacit_draw.r AS tacit_r, q.* FROM range(" +
         std::to_string(2 * kDraws) + ") AS tacit_draw(r), LATERAL (" + noisier +
         ") AS q) AS s JOIN (" + numbers + ") AS z ON " + (on.empty() ? "true" : on) + groups +
         " HAVING count(*) BETWEEN " + std::to_string(kDraws) + " AND " +
         std::to_string(2 * kDraws);
}

// The column of a release that an output column reads, where that is an average and all of FROM.
const sql::ColumnReference* ShownAverage(const Facts& facts, size_t column) {
  const auto& shows = facts.columns[column].shows;
  const auto& select = *sql::As<sql::Select>(facts.post);
  if (!shows || select.distinct || IsGrouped(select) || select.from.size() != 1) return nullptr;
  const analysis::Block& block = facts.blocks[shows->first];
  if (!std::holds_alternative<analysis::AverageColumn>(block.released[shows->second].value)) {
    return nullptr;
  }
  const auto* from = sql::As<sql::TableReference>(select.from[0]);
  const auto* shown = sql::As<sql::ColumnReference>(select.items[column].expression);
  const bool is_all = from != nullptr && from->schema.empty() && from->name == block.name;
  return is_all && shown != nullptr && shown->table == block.name ? shown : nullptr;
}

// Whether no margin needs the query to be carried out again.
bool ShowsReleasedAverages(const Facts& facts) {
  const std::vector<size_t> columns = ColumnsWithMargins(facts);
  return std::all_of(columns.begin(), columns.end(),
                     [&](size_t column) { return ShownAverage(facts, column) != nullptr; });
}

// The query with the margins of its releases' averages after its columns.
Result<std::string> AverageMarginSql(const sql::Query& post, const Facts& facts,
                                     const std::vector<Draft>& drafts,
                                     const std::vector<PricedBlock>& priced) {
  sql::Select select = *sql::As<sql::Select>(post);
  const size_t count = ColumnsWithMargins(facts).size();
  for (size_t i = 0; i < count; ++i) {
    select.items.push_back({MarginColumn(i, facts), MarginName(i)});
  }
  sql::QueryNode node = *post;
  node.body = std::move(select);
  TACIT_TRY(const std::string text,
            PostSql(sql::Query(std::move(node)), facts, drafts, priced, WithAverageMargins::kYes));
  return text;
}

// What a query without FROM reads.
sql::Relation OneRow() {
  const Expression one = MakeExpression(sql::Literal{sql::LiteralKind::kInteger, "1", {}});
  sql::QueryNode node;
  node.body = sql::Values{{{one}}};
  return sql::MakeRelation(
      sql::DerivedTable{sql::Query(std::move(node)), sql::Alias{"tacit_one", {}}});
}

// The query with the margins joined to its rows, and after its columns.
sql::Query Joined(const sql::Query& post, const Facts& facts) {
  sql::Select select = *sql::As<sql::Select>(post);
  Expression on;
  for (size_t i = 0; i < facts.row_identity->size(); ++i) {
    const Expression same = MakeExpression(sql::IsDistinct{
        (*facts.row_identity)[i], MakeExpression(sql::ColumnReference{kMargins, IdName(i)}), true});
    on = on ? MakeExpression(sql::Logical{sql::Connective::kAnd, {on, same}}) : same;
  }
  if (!on) on = MakeExpression(sql::Literal{sql::LiteralKind::kBoolean, "true", {}});
  sql::Relation left = select.from.empty() ? OneRow() : select.from.front();
  for (size_t i = 1; i < select.from.size(); ++i) {
    left = sql::MakeRelation(sql::Join{sql::JoinKind::kCross, left, select.from[i], {}, {}});
  }
  const sql::Relation margins = sql::MakeRelation(sql::TableReference{"", kMargins, {}});
  select.from = {sql::MakeRelation(sql::Join{sql::JoinKind::kLeft, left, margins, on, {}})};
  const size_t count = ColumnsWithMargins(facts).size();
  for (size_t i = 0; i < count; ++i) {
    select.items.push_back({MarginColumn(i, facts), MarginName(i)});
  }
  sql::QueryNode node = *post;
  node.body = std::move(select);
  return sql::Query(std::move(node));
}

}  // namespace

bool HasExactError(const analysis::PostColumn& column, const Facts& facts) {
  if (!column.shows) return false;
  const analysis::ReleasedColumn& shown =
      facts.blocks[column.shows->first].released[column.shows->second];
  return std::holds_alternative<analysis::CountColumn>(shown.value) ||
         std::holds_alternative<analysis::SumColumn>(shown.value);
}

namespace {

// An extreme or a mode is the same in every draw. Where it is more than shown it may decide over
// rows and numbers, and the draws would say too little of them.
bool HasChoiceThatDecides(const Facts& facts, const sql::Select& outermost) {
  for (size_t i = 0; i < facts.blocks.size(); ++i) {
    const analysis::Block& block = facts.blocks[i];
    std::set<std::string> tables = {block.name};
    for (const analysis::LevelTable& levels : facts.levels) {
      if (levels.block == i) tables.insert(levels.name);
    }
    for (const analysis::ReleasedColumn& column : block.released) {
      const auto* quantile = std::get_if<analysis::QuantileColumn>(&column.value);
      const bool fixed = std::holds_alternative<analysis::ModeColumn>(column.value) ||
                         (quantile != nullptr && block.measures[quantile->measure].extreme);
      if (!fixed) continue;
      const auto reads_it = [&](const sql::ColumnReference& reference) {
        return reference.column == column.name && tables.contains(reference.table);
      };
      size_t reads = 0;
      analysis::ForEachColumn(facts.post, [&](const sql::ColumnReference& reference, auto) {
        reads += reads_it(reference) ? 1 : 0;
      });
      const auto shows_it = [&](const sql::SelectItem& item) {
        const auto* reference = sql::As<sql::ColumnReference>(item.expression);
        return reference != nullptr && reads_it(*reference);
      };
      const auto shown = std::count_if(outermost.items.begin(), outermost.items.end(), shows_it);
      if (reads != static_cast<size_t>(shown)) return true;
    }
  }
  return false;
}

// The engine carries no FULL join out beside the numbers of draws.
bool HasFullJoin(const sql::Query& query) {
  bool found = false;
  analysis::ForEachRelation(query, [&](const sql::Relation& relation) {
    const auto* join = sql::As<sql::Join>(relation);
    found = found || (join != nullptr && join->kind == sql::JoinKind::kFull);
  });
  return found;
}

}  // namespace

std::vector<size_t> ColumnsWithMargins(const Facts& facts) {
  std::vector<size_t> columns;
  const auto* select = sql::As<sql::Select>(facts.post);
  if (!facts.row_identity || select == nullptr) return columns;
  if (HasChoiceThatDecides(facts, *select) || HasFullJoin(facts.post)) return columns;
  if (select->items.size() != facts.columns.size()) return columns;
  for (size_t i = 0; i < facts.columns.size(); ++i) {
    const analysis::PostColumn& column = facts.columns[i];
    if (!column.noisy || column.chosen || !column.type.IsNumber()) continue;
    if (!HasExactError(column, facts)) columns.push_back(i);
  }
  return columns;
}

bool HasMargins(const Facts& facts) { return !ColumnsWithMargins(facts).empty(); }

Expression MarginColumn(size_t i, const Facts& facts) {
  if (ShowsReleasedAverages(facts)) {
    const auto* shown = ShownAverage(facts, ColumnsWithMargins(facts)[i]);
    return MakeExpression(
        sql::ColumnReference{shown->table, analysis::MarginColumnName(shown->column)});
  }
  const Expression column = MakeExpression(sql::ColumnReference{kMargins, MarginName(i)});
  if (!IsGrouped(*sql::As<sql::Select>(facts.post))) return column;
  sql::AggregateCall one;  // all rows of a group have the same
  one.name = "min";
  one.arguments = {column};
  return MakeExpression(std::move(one));
}

Result<std::string> MarginSql(const sql::Query& post, const Facts& facts,
                              const std::vector<Draft>& drafts,
                              const std::vector<PricedBlock>& priced) {
  if (ShowsReleasedAverages(facts)) return AverageMarginSql(post, facts, drafts, priced);
  const sql::Query numbers = Numbers(facts);
  const analysis::TablesAbove released(facts);
  TACIT_TRY(const sql::PrintedQuery printed, sql::PrintForDuckDb(numbers, released));
  std::vector<sql::TypedColumn> columns(
      printed.columns.begin(),
      printed.columns.begin() + static_cast<ptrdiff_t>(facts.row_identity->size()));
  const size_t values = ColumnsWithMargins(facts).size();
  for (size_t i = 0; i < values; ++i) columns.push_back({MarginName(i), kDoubleType});
  TACIT_TRY(const sql::PrintedQuery shown,
            sql::PrintForDuckDb(Joined(post, facts), WithMargins(facts, std::move(columns))));

  const std::set<std::string> used = analysis::TableNamesIn(facts.post);
  std::string finished;
  std::string noisier;
  for (size_t i = 0; i < drafts.size(); ++i) {
    const analysis::Block& block = drafts[i].block;
    if (!used.contains(block.name)) continue;
    const std::string named = QuoteName(block.name) + " AS (";
    const std::string between = finished.empty() ? "" : ", ";
    const std::vector<Measure>& measures = priced[i].measures;
    finished += between + named + FinishSql(block, measures, QuoteName(NoisyTableName(i))) + ")";
    const std::string from =
        measures.empty() ? QuoteName(NoisyTableName(i)) : NoisierTable(block, measures, i);
    noisier += between + named + FinishSql(block, measures, from) + ")";
  }
  for (const analysis::LevelTable& levels : facts.levels) {
    const size_t i = levels.block;
    if (!used.contains(levels.name)) continue;
    const analysis::Block& block = drafts[i].block;
    const std::string named = QuoteName(levels.name) + " AS (";
    const std::string between = finished.empty() ? "" : ", ";
    const std::vector<Measure>& measures = priced[i].measures;
    const auto plain = [](size_t index) { return QuoteName(NoisyTableName(index)); };
    const auto more = [&](size_t index) {
      return priced[index].measures.empty()
                 ? plain(index)
                 : NoisierTable(drafts[index].block, priced[index].measures, index);
    };
    finished += between + named + LevelsSql(levels, facts.blocks, block, measures, plain) + ")";
    noisier += between + named + LevelsSql(levels, facts.blocks, block, measures, more) + ")";
  }
  finished += (finished.empty() ? "" : ", ") + QuoteName(kMargins) + " AS (" +
              MarginTable(printed.text, WithTables(noisier, printed.text),
                          facts.row_identity->size(), values) +
              ")";
  return WithTables(finished, shown.text);
}

}  // namespace tacit::plan
