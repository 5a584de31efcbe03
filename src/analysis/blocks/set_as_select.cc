#include "analysis/blocks/set_as_select.h"

namespace tacit::analysis {
namespace {

using sql::Expression;
using sql::MakeExpression;

constexpr char kSetTable[] = "tacit_set";
constexpr char kPartColumn[] = "tacit_part";

bool IsUnionAll(const sql::Query& query) {
  const auto* operation = sql::As<sql::SetOperation>(query);
  return operation != nullptr && operation->all &&
         operation->set_operator == sql::SetOperator::kUnion;
}

// With limits or tables of its own a part is one part, whatever it is made of.
bool IsBare(const sql::Query& query) {
  return query->with.empty() && query->order_by.empty() && !query->limit && !query->offset;
}

Expression Number(int number) {
  return MakeExpression(sql::Literal{sql::LiteralKind::kInteger, std::to_string(number), {}});
}

// The query with its number as one more column. Of a DISTINCT, too: the number is the same in all
// of its rows.
sql::Query Numbered(const sql::Query& query, int number) {
  sql::QueryNode node = *query;
  if (const auto* select = sql::As<sql::Select>(query)) {
    sql::Select wider = *select;
    wider.items.push_back({Number(number), kPartColumn});
    node.body = std::move(wider);
    return sql::Query(std::move(node));
  }
  if (const auto* values = sql::As<sql::Values>(query); values != nullptr && IsBare(query)) {
    sql::Values wider = *values;
    for (std::vector<Expression>& row : wider.rows) row.push_back(Number(number));
    node.body = std::move(wider);
    return sql::Query(std::move(node));
  }
  sql::Select around;
  around.items = {{MakeExpression(sql::Star{}), ""}, {Number(number), kPartColumn}};
  around.from = {sql::MakeRelation(sql::DerivedTable{query, {kPartColumn, {}}})};
  sql::QueryNode outer;
  outer.body = std::move(around);
  return sql::Query(std::move(outer));
}

sql::Query NumberParts(const sql::Query& query, bool outermost, int& parts) {
  if (!IsUnionAll(query) || (!outermost && !IsBare(query))) return Numbered(query, ++parts);
  sql::SetOperation operation = *sql::As<sql::SetOperation>(query);
  operation.left = NumberParts(operation.left, false, parts);
  operation.right = NumberParts(operation.right, false, parts);
  sql::QueryNode node = *query;
  node.body = std::move(operation);
  return sql::Query(std::move(node));
}

}  // namespace

sql::Query SetAsSelect(const sql::Query& query, const std::vector<sql::TypedColumn>& columns) {
  if (sql::As<sql::SetOperation>(query) == nullptr) return query;
  sql::QueryNode inner = *query;
  inner.order_by.clear();
  inner.limit = {};
  inner.offset = {};
  sql::Query operation(std::move(inner));
  sql::Select select;
  sql::Alias alias{.name = kSetTable, .columns = {}};
  for (const sql::TypedColumn& column : columns) {
    const std::string name = "c" + std::to_string(alias.columns.size() + 1);
    select.items.push_back({MakeExpression(sql::ColumnReference{kSetTable, name}), column.name});
    alias.columns.push_back(name);
  }
  if (IsUnionAll(operation)) {
    int parts = 0;
    operation = NumberParts(operation, true, parts);
    alias.columns.push_back(kPartColumn);
  }
  select.from = {sql::MakeRelation(sql::DerivedTable{operation, alias})};
  sql::QueryNode outer;
  outer.body = std::move(select);
  outer.order_by = query->order_by;
  // Rows that are equal in what is ordered by come in the order in which the parts are written: the
  // engine reads these side by side, and asked again an answer is the same.
  if (IsUnionAll(query)) {
    outer.order_by.push_back(
        {MakeExpression(sql::ColumnReference{kSetTable, kPartColumn}), false, false});
  }
  for (size_t i = 0; i < alias.columns.size() && !query->order_by.empty(); ++i) {
    if (alias.columns[i] == kPartColumn) continue;
    outer.order_by.push_back(
        {MakeExpression(sql::ColumnReference{kSetTable, alias.columns[i]}), false, false});
  }
  outer.limit = query->limit;
  outer.offset = query->offset;
  outer.position = query->position;
  return sql::Query(std::move(outer));
}

}  // namespace tacit::analysis
