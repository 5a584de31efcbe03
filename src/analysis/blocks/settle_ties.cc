#include "analysis/blocks/settle_ties.h"

#include <algorithm>

#include "analysis/deep_walk.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

bool ReadsParts(const sql::Query& query) {
  bool found = false;
  const auto look = [&](const sql::Query& inner) {
    found = found || sql::As<sql::SetOperation>(inner) != nullptr;
  };
  for (const sql::CommonTable& table : query->with) look(table.query);
  ForEachRelation(query, [&](const sql::Relation& relation) {
    const auto* derived = sql::As<sql::DerivedTable>(relation);
    if (derived == nullptr) return;
    look(derived->query);
    for (const sql::CommonTable& table : derived->query->with) look(table.query);
  });
  return found;
}

// What is the same in every row settles nothing, and a number alone would name a column.
bool TellsRowsApart(const sql::Expression& shown) {
  return !sql::ColumnsIn(shown).empty() || sql::HasAggregate(shown) || sql::HasWindow(shown);
}

void OrderByWhatIsShown(const sql::Select& select, sql::QueryNode& node) {
  for (const sql::SelectItem& item : select.items) {
    if (sql::As<sql::Star>(item.expression) != nullptr || !TellsRowsApart(item.expression))
      continue;
    const bool ordered =
        std::any_of(node.order_by.begin(), node.order_by.end(),
                    [&](const sql::OrderItem& by) { return by.expression == item.expression; });
    if (!ordered) node.order_by.push_back({item.expression, false, false});
  }
}

sql::Query Settled(const sql::Query& query, bool outermost);

sql::Relation SettledInside(const sql::Relation& relation) {
  sql::RelationNode node = *relation;
  if (auto* derived = std::get_if<sql::DerivedTable>(&node.kind)) {
    derived->query = Settled(derived->query, false);
  } else if (auto* join = std::get_if<sql::Join>(&node.kind)) {
    join->left = SettledInside(join->left);
    join->right = SettledInside(join->right);
  } else {
    return relation;
  }
  return sql::Relation(std::move(node));
}

sql::Query Settled(const sql::Query& query, bool outermost) {
  sql::QueryNode node = *query;
  for (sql::CommonTable& table : node.with) {
    if (!table.recursive) table.query = Settled(table.query, false);
  }
  if (auto* operation = std::get_if<sql::SetOperation>(&node.body)) {
    operation->left = Settled(operation->left, false);
    operation->right = Settled(operation->right, false);
  }
  if (auto* select = std::get_if<sql::Select>(&node.body)) {
    const bool chooses = outermost || node.limit || node.offset || !select->distinct_on.empty();
    if (chooses && ReadsParts(query)) OrderByWhatIsShown(*select, node);
    for (sql::Relation& relation : select->from) relation = SettledInside(relation);
  }
  return sql::Query(std::move(node));
}

}  // namespace

sql::Query SettleTies(const sql::Query& query) {
  return sql::As<sql::SetOperation>(query) != nullptr || ReadsParts(query) ? Settled(query, true)
                                                                           : query;
}

}  // namespace tacit::analysis
