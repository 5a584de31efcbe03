#include <algorithm>

#include "sql/print/canonical/canonical.h"
#include "sql/walk.h"

namespace tacit::sql {
namespace {

void SortByText(std::vector<Expression>& expressions) {
  std::vector<std::pair<std::string, Expression>> keyed;
  for (Expression& expression : expressions) {
    keyed.emplace_back(PrintCanonical(expression), std::move(expression));
  }
  std::sort(keyed.begin(), keyed.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto end = std::unique(keyed.begin(), keyed.end(),
                               [](const auto& a, const auto& b) { return a.first == b.first; });
  expressions.clear();
  for (auto it = keyed.begin(); it != end; ++it) expressions.push_back(std::move(it->second));
}

// a AND (b AND c) as one list, sorted, each once.
Expression NormalizeLogical(const Expression& expression, const Logical& logical) {
  if (logical.connective == Connective::kNot) {
    const auto* inner = As<Logical>(logical.arguments[0]);
    const bool twice = inner != nullptr && inner->connective == Connective::kNot;
    return twice ? inner->arguments[0] : expression;
  }
  std::vector<Expression> flat;
  for (const Expression& argument : logical.arguments) {
    const auto* inner = As<Logical>(argument);
    if (inner != nullptr && inner->connective == logical.connective) {
      flat.insert(flat.end(), inner->arguments.begin(), inner->arguments.end());
    } else {
      flat.push_back(argument);
    }
  }
  SortByText(flat);
  if (flat.size() == 1) return flat.front();
  return MakeExpression(Logical{logical.connective, std::move(flat)}, expression->position);
}

Expression NormalizeOperator(const Expression& expression, const Operator& node) {
  if (node.arguments.size() != 2) return expression;
  const bool turned = node.symbol == ">" || node.symbol == ">=";
  const bool symmetric = node.symbol == "=" || node.symbol == "<>";
  const bool out_of_order =
      symmetric && PrintCanonical(node.arguments[1]) < PrintCanonical(node.arguments[0]);
  if (!turned && !out_of_order) return expression;
  const std::string symbol = node.symbol == ">" ? "<" : node.symbol == ">=" ? "<=" : node.symbol;
  return MakeExpression(Operator{symbol, {node.arguments[1], node.arguments[0]}},
                        expression->position);
}

Expression NormalizeNode(const Expression& expression) {
  if (const auto* logical = As<Logical>(expression)) return NormalizeLogical(expression, *logical);
  if (const auto* node = As<Operator>(expression)) return NormalizeOperator(expression, *node);
  if (const auto* in = As<InList>(expression)) {
    InList sorted = *in;
    SortByText(sorted.list);
    return MakeExpression(std::move(sorted), expression->position);
  }
  if (const auto* exists = As<Exists>(expression)) {
    return MakeExpression(Exists{Normalize(exists->query)}, expression->position);
  }
  if (const auto* in = As<InQuery>(expression)) {
    return MakeExpression(InQuery{in->operand, Normalize(in->query), in->negated},
                          expression->position);
  }
  if (const auto* scalar = As<ScalarQuery>(expression)) {
    return MakeExpression(ScalarQuery{Normalize(scalar->query)}, expression->position);
  }
  return expression;
}

Relation NormalizeRelation(const Relation& relation) {
  if (const auto* derived = As<DerivedTable>(relation)) {
    return MakeRelation(DerivedTable{Normalize(derived->query), derived->alias},
                        relation->position);
  }
  if (const auto* join = As<Join>(relation)) {
    Join normalized = *join;
    normalized.left = NormalizeRelation(join->left);
    normalized.right = NormalizeRelation(join->right);
    normalized.on = Normalize(join->on);
    return MakeRelation(std::move(normalized), relation->position);
  }
  return relation;
}

void NormalizeOrder(std::vector<OrderItem>& items) {
  for (OrderItem& item : items) item.expression = Normalize(item.expression);
}

Select NormalizeSelect(Select select) {
  for (Expression& expression : select.distinct_on) expression = Normalize(expression);
  for (SelectItem& item : select.items) item.expression = Normalize(item.expression);
  for (Relation& relation : select.from) relation = NormalizeRelation(relation);
  select.where = Normalize(select.where);
  for (Expression& key : select.group_by) key = Normalize(key);
  select.having = Normalize(select.having);
  for (NamedWindow& named : select.windows) {
    for (Expression& key : named.window.partition_by) key = Normalize(key);
    NormalizeOrder(named.window.order_by);
  }
  return select;
}

}  // namespace

Expression Normalize(const Expression& expression) { return Transform(expression, NormalizeNode); }

Query Normalize(const Query& query) {
  QueryNode normalized = *query;
  for (CommonTable& table : normalized.with) table.query = Normalize(table.query);
  if (const auto* select = As<Select>(query)) {
    normalized.body = NormalizeSelect(*select);
  } else if (const auto* operation = As<SetOperation>(query)) {
    SetOperation body = *operation;
    body.left = Normalize(operation->left);
    body.right = Normalize(operation->right);
    normalized.body = std::move(body);
  } else {
    Values values = *As<Values>(query);
    for (auto& row : values.rows) {
      for (Expression& value : row) value = Normalize(value);
    }
    normalized.body = std::move(values);
  }
  NormalizeOrder(normalized.order_by);
  return Query(std::move(normalized));
}

std::string FingerprintText(const Query& query) { return PrintCanonical(Normalize(query)); }

}  // namespace tacit::sql
