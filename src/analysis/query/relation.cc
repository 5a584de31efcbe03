#include "analysis/query/relation.h"

#include <algorithm>

#include "analysis/joins/join.h"
#include "analysis/query/query.h"
#include "analysis/relations/picked_columns.h"
#include "analysis/relations/scan.h"
#include "analysis/rules.h"
#include "analysis/subqueries/public_expression.h"
#include "analysis/texts/nearest_name.h"
#include "base/assert.h"

namespace tacit::analysis {
namespace {

Error WrongColumnCount(sql::Position position, const std::string& name) {
  return Refuse(rules::kWrongShape, position, "the alias of " + name + " names too many columns",
                "name at most as many columns as there are");
}

// FROM (...) AS q(a, b): the qualifier and the first names change.
Result<Done> Rename(ProtectedRows& rows, const sql::Alias& alias, sql::Position position) {
  if (alias.columns.size() > rows.columns.size()) return WrongColumnCount(position, alias.name);
  for (NamedColumn& column : rows.columns) {
    column.table = alias.name;
    column.merged = false;
  }
  for (size_t i = 0; i < alias.columns.size(); ++i) rows.columns[i].name = alias.columns[i];
  return Done{};
}

// The public table as the query above the frontier reads it, once however often it is named.
const PublicRead& ReadPublicTable(Known& known, const policy::Table& table) {
  std::vector<PublicRead>& reads = known.facts.public_reads;
  const auto found = std::find_if(reads.begin(), reads.end(),
                                  [&](const PublicRead& read) { return read.table == table.name; });
  if (found != reads.end()) return *found;
  return reads.emplace_back(PublicRead{.name = "tacit_public_" + std::to_string(reads.size() + 1),
                                       .table = table.name,
                                       .columns = known.schema.Find(table.name)->columns});
}

Result<FromItem> AnalyzeTable(Known& known, const sql::TableReference& reference,
                              sql::Position position) {
  const policy::Table* table =
      reference.schema.empty() || reference.schema == "main" || reference.schema == "public"
          ? known.policy.Find(reference.name)
          : nullptr;
  if (table == nullptr || known.schema.Find(table->name) == nullptr) {
    std::vector<std::string> names;
    for (const policy::Table& candidate : known.policy.tables) names.push_back(candidate.name);
    const std::string schema = reference.schema.empty() ? "" : reference.schema + ".";
    return Refuse(rules::kUnknownTable, position, "there is no table " + schema + reference.name,
                  NearestNameHint(reference.name, names));
  }
  const std::string qualifier =
      reference.alias.name.empty() ? reference.name : reference.alias.name;
  if (!table->is_public) {
    TACIT_TRY(ProtectedRows rows, ScanTable(known, *table, qualifier, position));
    if (!reference.alias.columns.empty()) {
      TACIT_CHECK(Rename(rows, {qualifier, reference.alias.columns}, position));
    }
    return FromItem(std::move(rows));
  }
  const PublicRead& read = ReadPublicTable(known, *table);
  return FromItem(PublicItem{
      .relation = MakeRelation(
          sql::TableReference{"", read.name, {qualifier, reference.alias.columns}}, position),
      .stored = reference});
}

Result<FromItem> AnalyzeCommonTable(Known& known, const sql::CommonTableReference& reference,
                                    sql::Position position, const Environment& environment) {
  const Environment* at = nullptr;
  const CommonTable* table = environment.FindCommonTable(reference.name, &at);
  if (table == nullptr) {
    return Refuse(rules::kUnknownTable, position, "there is no table " + reference.name, "");
  }
  if (table->rewritten) {
    PublicItem item{.relation = MakeRelation(reference, position), .stored = {}};
    sql::Alias alias{
        reference.alias.name.empty() ? reference.name : reference.alias.name,
        reference.alias.columns.empty() ? table->written->columns : reference.alias.columns};
    FindPickedColumns(known, table->written->query, alias, item);
    return FromItem(std::move(item));
  }
  // Only the names declared before it are visible inside.
  Environment inside = *at;
  while (!inside.with.empty() && inside.with.back().written != table->written) {
    inside.with.pop_back();
  }
  if (!inside.with.empty()) inside.with.pop_back();
  TACIT_TRY(Source source, AnalyzeQuery(known, table->written->query, inside));
  TACIT_ASSERT(std::holds_alternative<ProtectedRows>(source));
  ProtectedRows rows = std::get<ProtectedRows>(std::move(source));
  TACIT_CHECK(Rename(rows, {reference.name, table->written->columns}, position));
  if (!reference.alias.name.empty()) TACIT_CHECK(Rename(rows, reference.alias, position));
  return FromItem(std::move(rows));
}

Result<FromItem> AnalyzeDerived(Known& known, const sql::DerivedTable& derived,
                                sql::Position position, const Environment& environment) {
  TACIT_TRY(Source source, AnalyzeQuery(known, derived.query, environment));
  if (auto* query = std::get_if<sql::Query>(&source)) {
    PublicItem item{.relation = MakeRelation(sql::DerivedTable{*query, derived.alias}, position),
                    .stored = {}};
    FindPickedColumns(known, derived.query, derived.alias, item);
    return FromItem(std::move(item));
  }
  ProtectedRows rows = std::get<ProtectedRows>(std::move(source));
  TACIT_CHECK(Rename(rows, derived.alias, position));
  return FromItem(std::move(rows));
}

Result<FromItem> AnalyzeJoin(Known& known, const sql::Join& join, sql::Position position,
                             const Environment& environment, const std::vector<Expression>& where) {
  TACIT_TRY(FromItem left, AnalyzeRelation(known, join.left, environment, where));
  TACIT_TRY(FromItem right, AnalyzeRelation(known, join.right, environment, where));
  const auto* left_public = std::get_if<PublicItem>(&left);
  const auto* right_public = std::get_if<PublicItem>(&right);
  if (left_public != nullptr && right_public != nullptr) {
    sql::Join rewritten = join;
    rewritten.left = left_public->relation;
    rewritten.right = right_public->relation;
    TACIT_TRY(rewritten.on, RewritePublic(known, join.on, environment));
    return FromItem(
        PublicItem{.relation = MakeRelation(std::move(rewritten), position), .stored = {}});
  }
  return JoinItems(known, {join, where, environment, position}, std::move(left), std::move(right));
}

}  // namespace

Result<FromItem> AnalyzeRelation(Known& known, const sql::Relation& relation,
                                 const Environment& environment,
                                 const std::vector<Expression>& where) {
  const sql::Position position = relation->position;
  if (const auto* table = sql::As<sql::TableReference>(relation)) {
    return AnalyzeTable(known, *table, position);
  }
  if (const auto* common = sql::As<sql::CommonTableReference>(relation)) {
    return AnalyzeCommonTable(known, *common, position, environment);
  }
  if (const auto* derived = sql::As<sql::DerivedTable>(relation)) {
    return AnalyzeDerived(known, *derived, position, environment);
  }
  return AnalyzeJoin(known, *sql::As<sql::Join>(relation), position, environment, where);
}

}  // namespace tacit::analysis
