#include "analysis/deep_walk.h"

#include "sql/walk.h"

namespace tacit::analysis {
namespace {

using Visit = std::function<void(const sql::Relation&)>;

void VisitSubqueries(const sql::Expression& expression, const Visit& visit) {
  sql::Visit(expression, [&](const sql::Expression& node) {
    if (const auto* exists = sql::As<sql::Exists>(node)) ForEachRelation(exists->query, visit);
    if (const auto* in = sql::As<sql::InQuery>(node)) ForEachRelation(in->query, visit);
    if (const auto* scalar = sql::As<sql::ScalarQuery>(node)) ForEachRelation(scalar->query, visit);
    return true;
  });
}

void VisitRelation(const sql::Relation& relation, const Visit& visit) {
  visit(relation);
  if (const auto* derived = sql::As<sql::DerivedTable>(relation)) {
    ForEachRelation(derived->query, visit);
  }
  if (const auto* join = sql::As<sql::Join>(relation)) {
    VisitRelation(join->left, visit);
    VisitRelation(join->right, visit);
    if (join->on) VisitSubqueries(join->on, visit);
  }
}

}  // namespace

void ForEachExpression(const sql::QueryNode& node,
                       const std::function<void(const sql::Expression&)>& visit) {
  const auto each = [&](const sql::Expression& expression) {
    if (expression) visit(expression);
  };
  if (const auto* select = std::get_if<sql::Select>(&node.body)) {
    for (const sql::Expression& expression : select->distinct_on) each(expression);
    for (const sql::SelectItem& item : select->items) each(item.expression);
    each(select->where);
    for (const sql::Expression& expression : select->group_by) each(expression);
    each(select->having);
    for (const sql::NamedWindow& named : select->windows) {
      for (const sql::Expression& expression : named.window.partition_by) each(expression);
      for (const sql::OrderItem& item : named.window.order_by) each(item.expression);
    }
  }
  if (const auto* values = std::get_if<sql::Values>(&node.body)) {
    for (const auto& row : values->rows) {
      for (const sql::Expression& expression : row) each(expression);
    }
  }
  for (const sql::OrderItem& item : node.order_by) each(item.expression);
  each(node.limit);
  each(node.offset);
}

void ForEachRelation(const sql::Query& query, const Visit& visit) {
  for (const sql::CommonTable& table : query->with) ForEachRelation(table.query, visit);
  if (const auto* select = sql::As<sql::Select>(query)) {
    for (const sql::Relation& relation : select->from) VisitRelation(relation, visit);
  }
  if (const auto* operation = sql::As<sql::SetOperation>(query)) {
    ForEachRelation(operation->left, visit);
    ForEachRelation(operation->right, visit);
  }
  ForEachExpression(*query, [&](const sql::Expression& e) { VisitSubqueries(e, visit); });
}

void ForEachColumn(const sql::Query& query,
                   const std::function<void(const sql::ColumnReference&, sql::Position)>& visit) {
  const auto look = [&](const sql::Expression& expression) {
    sql::Visit(expression, [&](const sql::Expression& node) {
      if (const auto* column = sql::As<sql::ColumnReference>(node)) visit(*column, node->position);
      if (const auto* exists = sql::As<sql::Exists>(node)) ForEachColumn(exists->query, visit);
      if (const auto* in = sql::As<sql::InQuery>(node)) ForEachColumn(in->query, visit);
      if (const auto* scalar = sql::As<sql::ScalarQuery>(node)) ForEachColumn(scalar->query, visit);
      return true;
    });
  };
  ForEachExpression(*query, look);
  for (const sql::CommonTable& table : query->with) ForEachColumn(table.query, visit);
  if (const auto* operation = sql::As<sql::SetOperation>(query)) {
    ForEachColumn(operation->left, visit);
    ForEachColumn(operation->right, visit);
  }
  if (const auto* select = sql::As<sql::Select>(query)) {
    const std::function<void(const sql::Relation&)> enter = [&](const sql::Relation& relation) {
      if (const auto* derived = sql::As<sql::DerivedTable>(relation)) {
        ForEachColumn(derived->query, visit);
      }
      if (const auto* join = sql::As<sql::Join>(relation)) {
        enter(join->left);
        enter(join->right);
        if (join->on) look(join->on);
      }
    };
    for (const sql::Relation& relation : select->from) enter(relation);
  }
}

std::set<std::string> TableNamesIn(const sql::Query& query) {
  std::set<std::string> names;
  ForEachRelation(query, [&](const sql::Relation& relation) {
    if (const auto* table = sql::As<sql::TableReference>(relation)) names.insert(table->name);
  });
  return names;
}

std::set<std::string> CommonTableNamesIn(const sql::Query& query) {
  std::set<std::string> names;
  ForEachRelation(query, [&](const sql::Relation& relation) {
    if (const auto* table = sql::As<sql::CommonTableReference>(relation)) names.insert(table->name);
  });
  return names;
}

}  // namespace tacit::analysis
