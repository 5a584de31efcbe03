#include "analysis/query/recursive.h"

#include <algorithm>

#include "analysis/deep_walk.h"
#include "analysis/query/query.h"
#include "analysis/rules.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

constexpr char kStepColumn[] = "tacit_step";

Error NotOverPeople(const sql::CommonTable& written) {
  return Refuse(rules::kRecursiveQuery, written.position,
                "\"" + written.name + "\" names itself beside rows of people",
                "how long it runs could depend on a row. Aggregate them in a common table before "
                "it, and go on from the result. A series can be written: SELECT n FROM "
                "generate_series(1, 10) AS n");
}

Error StepOfAnotherForm(const sql::CommonTable& written) {
  return Refuse(rules::kRecursiveQuery, written.position,
                "the step of \"" + written.name +
                    "\" must be a SELECT of named columns from itself, once and in FROM, without "
                    "groups, DISTINCT and LIMIT",
                "a series can be written: SELECT n FROM generate_series(1, 10) AS n");
}

Expression NumberOf(int value) {
  return MakeExpression(sql::Literal{sql::LiteralKind::kInteger, std::to_string(value), {}});
}

// The names of a query's columns.
std::vector<std::string> NamesOf(const sql::Query& query, const std::vector<std::string>& given) {
  std::vector<std::string> names;
  if (const auto* operation = sql::As<sql::SetOperation>(query)) {
    return NamesOf(operation->left, given);
  }
  if (const auto* select = sql::As<sql::Select>(query)) {
    for (const sql::SelectItem& item : select->items) names.push_back(sql::OutputName(item));
  } else {
    const size_t width = sql::As<sql::Values>(query)->rows.front().size();
    for (size_t i = 0; i < width; ++i) names.push_back("column" + std::to_string(i + 1));
  }
  for (size_t i = 0; i < given.size() && i < names.size(); ++i) names[i] = given[i];
  return names;
}

bool HasStar(const sql::Query& query) {
  const auto* operation = sql::As<sql::SetOperation>(query);
  if (operation != nullptr) return HasStar(operation->left) || HasStar(operation->right);
  const auto* select = sql::As<sql::Select>(query);
  return select != nullptr &&
         std::any_of(select->items.begin(), select->items.end(), [](const auto& item) {
           return sql::As<sql::Star>(item.expression) != nullptr;
         });
}

size_t ReadsOf(const sql::Query& query, const std::string& name) {
  size_t reads = 0;
  ForEachRelation(query, [&](const sql::Relation& relation) {
    const auto* common = sql::As<sql::CommonTableReference>(relation);
    if (common != nullptr && common->name == name) ++reads;
  });
  return reads;
}

// The read of itself in FROM, but on a side that may be missing; it reads `steps` then. `alias` is
// what FROM calls it.
bool ReadSteps(sql::Relation& relation, const std::string& name, const std::string& steps,
               std::string& alias) {
  if (const auto* common = sql::As<sql::CommonTableReference>(relation)) {
    if (common->name != name || !common->alias.columns.empty()) return false;
    alias = common->alias.name.empty() ? name : common->alias.name;
    relation = MakeRelation(sql::CommonTableReference{steps, {alias, {}}}, relation->position);
    return true;
  }
  const auto* join = sql::As<sql::Join>(relation);
  if (join == nullptr || join->natural) return false;
  sql::Join changed = *join;
  const bool left = join->kind != sql::JoinKind::kRight && join->kind != sql::JoinKind::kFull;
  const bool right = join->kind != sql::JoinKind::kLeft && join->kind != sql::JoinKind::kFull;
  if (!(left && ReadSteps(changed.left, name, steps, alias)) &&
      !(right && ReadSteps(changed.right, name, steps, alias))) {
    return false;
  }
  relation = MakeRelation(std::move(changed), relation->position);
  return true;
}

sql::Query QueryOf(sql::Select select, sql::Position position) {
  return sql::Query(sql::QueryNode{.with = {},
                                   .body = std::move(select),
                                   .order_by = {},
                                   .limit = {},
                                   .offset = {},
                                   .position = position});
}

// The columns of a table of WITH or of a query.
sql::Select ColumnsFrom(sql::Relation from, const std::vector<std::string>& columns) {
  sql::Select select;
  for (const std::string& column : columns) {
    select.items.push_back({MakeExpression(sql::ColumnReference{"q", column}), column});
  }
  select.from.push_back(std::move(from));
  return select;
}

// The step, counted.
Result<sql::Query> CountedStep(const sql::Query& step, const sql::CommonTable& written,
                               const std::string& steps) {
  const auto* select = sql::As<sql::Select>(step);
  const bool plain = select != nullptr && step->with.empty() && !step->limit && !step->offset &&
                     step->order_by.empty() && !select->distinct && select->distinct_on.empty() &&
                     select->group_by.empty() && !select->having && !HasStar(step) &&
                     ReadsOf(step, written.name) == 1;
  if (!plain) return StepOfAnotherForm(written);
  for (const sql::SelectItem& item : select->items) {
    if (sql::HasAggregate(item.expression)) return StepOfAnotherForm(written);
  }
  sql::Select counted = *select;
  std::string alias;
  const bool found = std::any_of(
      counted.from.begin(), counted.from.end(),
      [&](sql::Relation& relation) { return ReadSteps(relation, written.name, steps, alias); });
  if (!found) return StepOfAnotherForm(written);
  const Expression number = MakeExpression(sql::ColumnReference{alias, kStepColumn});
  const Expression goes_on =
      MakeExpression(sql::Operator{"<", {number, NumberOf(kRecursionStepsMax)}});
  counted.items.push_back({MakeExpression(sql::Operator{"+", {number, NumberOf(1)}}), kStepColumn});
  counted.where = counted.where ? sql::JoinConjuncts({counted.where, goes_on}) : goes_on;
  return QueryOf(std::move(counted), step->position);
}

}  // namespace

Result<Done> DeclareRecursive(Known& known, const sql::CommonTable& written,
                              Environment& environment) {
  const auto& operation = *sql::As<sql::SetOperation>(written.query);
  TACIT_TRY(const Source beginning, AnalyzeQuery(known, operation.left, environment));
  const auto* base = std::get_if<sql::Query>(&beginning);
  if (base == nullptr || ReadsOf(operation.left, written.name) != 0) return NotOverPeople(written);
  if (HasStar(*base)) return StepOfAnotherForm(written);

  // While it is open, nothing that reads it may reach protected rows: no constant, no release.
  const std::vector<std::string> columns = NamesOf(*base, written.columns);
  const size_t blocks = known.facts.blocks.size();
  const size_t constants = known.constants.size();
  Environment open{.outer = &environment, .with = {}, .rows = nullptr};
  open.with.push_back(
      {.written = &written,
       .rewritten = sql::CommonTable{written.name, columns, *base, written.position}});
  TACIT_TRY(const Source stepped, AnalyzeQuery(known, operation.right, open));
  const auto* step = std::get_if<sql::Query>(&stepped);
  if (step == nullptr || known.facts.blocks.size() != blocks ||
      known.constants.size() != constants) {
    return NotOverPeople(written);
  }

  const std::string steps = "tacit_steps_" + written.name;
  sql::Select first = ColumnsFrom(
      MakeRelation(sql::DerivedTable{*base, {"q", columns}}, written.position), columns);
  first.items.push_back({NumberOf(0), kStepColumn});
  TACIT_TRY(const sql::Query counted, CountedStep(*step, written, steps));
  sql::QueryNode both;
  both.body = sql::SetOperation{sql::SetOperator::kUnion, true,
                                QueryOf(std::move(first), written.position), counted};
  both.position = written.position;
  sql::CommonTable all{steps, columns, sql::Query(std::move(both)), written.position, true};
  all.columns.push_back(kStepColumn);

  sql::Select shown = ColumnsFrom(
      MakeRelation(sql::CommonTableReference{steps, {"q", {}}}, written.position), columns);
  shown.distinct = !operation.all;
  environment.with.push_back({.written = &written, .rewritten = std::move(all)});
  environment.with.push_back(
      {.written = &written,
       .rewritten = sql::CommonTable{written.name, columns, QueryOf(std::move(shown), {}),
                                     written.position}});
  known.facts.recursive = true;
  return Done{};
}

}  // namespace tacit::analysis
