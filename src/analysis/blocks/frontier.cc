#include "analysis/blocks/block_builder.h"
#include "sql/print/canonical.h"
#include "sql/walk.h"

// The frontier: a grouped query over protected rows becomes a block, and what the query makes of
// its aggregates becomes a query over the released table.
namespace tacit::analysis {
namespace {

bool HasAnyAggregate(const sql::Select& select) {
  for (const sql::SelectItem& item : select.items) {
    if (sql::HasAggregate(item.expression)) return true;
  }
  return false;
}

}  // namespace

std::vector<sql::SelectItem> ExpandStars(const sql::Select& select, const ProtectedRows& input) {
  std::vector<sql::SelectItem> items;
  for (const sql::SelectItem& item : select.items) {
    const auto* star = sql::As<sql::Star>(item.expression);
    if (star == nullptr) {
      items.push_back(item);
      continue;
    }
    for (const NamedColumn& column : input.columns) {
      if (column.merged || (!star->table.empty() && column.table != star->table)) continue;
      items.push_back({MakeExpression(sql::ColumnReference{column.table, column.name},
                                      item.expression->position),
                       column.name});
    }
  }
  return items;
}

Result<sql::Query> Analyzer::AnalyzeFrontier(const sql::QueryNode& node, const sql::Select& select,
                                             const ProtectedRows& input,
                                             const Environment& environment) {
  Environment inside{.outer = &environment, .with = {}, .rows = &input.columns};
  BlockBuilder builder(*this, input, inside);
  sql::Select written = select;
  written.items = ExpandStars(select, input);
  const bool keys_only =
      select.distinct && select.group_by.empty() && !select.having && !HasAnyAggregate(written);
  if (keys_only) {
    for (const sql::SelectItem& item : written.items) {
      TACIT_CHECK(builder.AddKey(item.expression));
    }
  }
  const sql::InputColumnTest test{[&](const std::string& name) {
    for (const NamedColumn& column : input.columns) {
      if (column.name == name) return true;
    }
    return false;
  }};
  TACIT_TRY(const std::vector<Expression> keys, sql::ResolveGroupBy(written, test));
  for (const Expression& key : keys) TACIT_CHECK(builder.AddKey(key));
  TACIT_CHECK(builder.FinishKeys());

  sql::Select post;
  post.distinct = select.distinct;
  std::vector<Expression*> places;
  for (const sql::SelectItem& item : written.items) {
    TACIT_TRY(Expression expression, builder.OverReleased(item.expression));
    post.items.push_back({std::move(expression), sql::OutputName(item)});
  }
  for (const Expression& expression : select.distinct_on) {
    TACIT_TRY(Expression rewritten, builder.OverReleased(expression));
    post.distinct_on.push_back(std::move(rewritten));
  }
  if (select.having) {
    TACIT_TRY(post.where, builder.OverReleased(select.having));
  }
  post.windows = select.windows;
  for (sql::NamedWindow& named : post.windows) {
    for (Expression& key : named.window.partition_by) {
      TACIT_TRY(key, builder.OverReleased(key));
    }
    for (sql::OrderItem& item : named.window.order_by) {
      TACIT_TRY(item.expression, builder.OverReleased(item.expression));
    }
  }
  TACIT_TRY(std::vector<sql::OrderItem> order, sql::ResolveOrderBy(node.order_by, written.items));
  for (sql::OrderItem& item : order) {
    TACIT_TRY(item.expression, builder.OverReleased(item.expression));
  }

  for (sql::SelectItem& item : post.items) places.push_back(&item.expression);
  for (Expression& expression : post.distinct_on) places.push_back(&expression);
  if (post.where) places.push_back(&post.where);
  for (sql::NamedWindow& named : post.windows) {
    for (Expression& key : named.window.partition_by) places.push_back(&key);
    for (sql::OrderItem& item : named.window.order_by) places.push_back(&item.expression);
  }
  for (sql::OrderItem& item : order) places.push_back(&item.expression);
  const size_t index = AddBlock(std::move(builder).Take(), places);

  post.from.push_back(
      MakeRelation(sql::TableReference{"", facts_.blocks[index].name, {}}, node.position));
  sql::QueryNode rewritten = node;
  rewritten.order_by = std::move(order);
  rewritten.body = std::move(post);
  TACIT_TRY(rewritten.limit, RewritePublic(node.limit, inside));
  TACIT_TRY(rewritten.offset, RewritePublic(node.offset, inside));
  return sql::Query(std::move(rewritten));
}

}  // namespace tacit::analysis
