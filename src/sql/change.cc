#include "sql/change.h"

#include "sql/walk.h"

namespace tacit::sql {
namespace {

using Change = std::function<Expression(const Expression&)>;

// The type whose cast writes the literal as an expression.
TypeKind CastOf(LiteralKind kind) {
  switch (kind) {
    case LiteralKind::kInteger:
      return TypeKind::kBigint;
    case LiteralKind::kBoolean:
      return TypeKind::kBoolean;
    case LiteralKind::kNumeric:
      return TypeKind::kNumeric;
    case LiteralKind::kDate:
      return TypeKind::kDate;
    case LiteralKind::kTimestamp:
      return TypeKind::kTimestamp;
    case LiteralKind::kTimestampTz:
      return TypeKind::kTimestampTz;
    case LiteralKind::kInterval:
      return TypeKind::kInterval;
    case LiteralKind::kNull:
    case LiteralKind::kString:
      break;
  }
  return TypeKind::kText;
}

class QueryChange {
 public:
  QueryChange(const Change& change, const ChangeTable& table) : change_(change), table_(table) {}

  Query Apply(const Query& query) {
    QueryNode node = *query;
    for (CommonTable& table : node.with) {
      table.query = Apply(table.query);
      if (table_) table_(table.query, table.columns, table.recursive ? &table : nullptr);
    }
    if (auto* select = std::get_if<Select>(&node.body)) ApplyTo(*select);
    if (auto* operation = std::get_if<SetOperation>(&node.body)) {
      operation->left = Apply(operation->left);
      operation->right = Apply(operation->right);
    }
    if (auto* values = std::get_if<Values>(&node.body)) {
      for (std::vector<Expression>& row : values->rows) ApplyTo(row);
    }
    ApplyTo(node.order_by);
    ApplyTo(node.limit);
    ApplyTo(node.offset);
    return Query(std::move(node));
  }

 private:
  void ApplyTo(Expression& expression) {
    if (!expression) return;
    expression = Transform(expression, [this](const Expression& node) {
      ExpressionNode copy = *node;
      if (auto* exists = std::get_if<Exists>(&copy.kind)) {
        exists->query = Apply(exists->query);
      } else if (auto* in = std::get_if<InQuery>(&copy.kind)) {
        in->query = Apply(in->query);
      } else if (auto* scalar = std::get_if<ScalarQuery>(&copy.kind)) {
        scalar->query = Apply(scalar->query);
      } else {
        return change_(node);
      }
      return change_(Expression(std::move(copy)));
    });
  }
  void ApplyTo(std::vector<Expression>& list) {
    for (Expression& expression : list) ApplyTo(expression);
  }
  void ApplyTo(std::vector<OrderItem>& order) {
    for (OrderItem& item : order) ApplyToItem(item.expression);
  }
  // GROUP BY $1 is a constant, not the number of a column as GROUP BY 1 is.
  void ApplyToItem(Expression& expression) {
    const bool literal_before = As<Literal>(expression) != nullptr;
    ApplyTo(expression);
    const auto* literal = As<Literal>(expression);
    if (literal_before || literal == nullptr) return;
    const Type type{.kind = CastOf(literal->kind)};
    const Position position = expression->position;
    expression = MakeExpression(Cast{expression, type}, position);
  }
  void ApplyToOutput(SelectItem& item) {
    const std::string name = OutputName(item);
    ApplyTo(item.expression);
    if (item.alias.empty() && OutputName(item) != name) item.alias = name;
  }
  void ApplyTo(Select& select) {
    ApplyTo(select.distinct_on);
    for (SelectItem& item : select.items) ApplyToOutput(item);
    for (Relation& relation : select.from) relation = Apply(relation);
    ApplyTo(select.where);
    for (Expression& item : select.group_by) ApplyToItem(item);
    ApplyTo(select.having);
    for (NamedWindow& named : select.windows) {
      ApplyTo(named.window.partition_by);
      ApplyTo(named.window.order_by);
    }
  }
  Relation Apply(const Relation& relation) {
    RelationNode node = *relation;
    if (auto* derived = std::get_if<DerivedTable>(&node.kind)) {
      derived->query = Apply(derived->query);
      if (table_) table_(derived->query, derived->alias.columns, nullptr);
    } else if (auto* join = std::get_if<Join>(&node.kind)) {
      join->left = Apply(join->left);
      join->right = Apply(join->right);
      ApplyTo(join->on);
    } else {
      return relation;
    }
    return Relation(std::move(node));
  }

  const Change& change_;
  const ChangeTable& table_;
};

}  // namespace

Query ChangeExpressions(const Query& query, const Change& change) {
  return ChangeExpressions(query, change, {});
}

Query ChangeExpressions(const Query& query, const Change& change, const ChangeTable& table) {
  return QueryChange(change, table).Apply(query);
}

}  // namespace tacit::sql
