#include "analysis/blocks/frontier.h"

#include <algorithm>

#include "analysis/blocks/keys/keys.h"
#include "analysis/blocks/levels.h"
#include "analysis/blocks/over_released.h"
#include "analysis/query/stars.h"
#include "analysis/subqueries/public_expression.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

bool HasAnyAggregate(const sql::Select& select) {
  for (const sql::SelectItem& item : select.items) {
    if (sql::HasAggregate(item.expression)) return true;
  }
  return false;
}

Result<Done> AddKeys(GroupedQuery& grouped, const sql::Select& written) {
  const bool keys_only =
      written.distinct && written.group_by.empty() && !written.having && !HasAnyAggregate(written);
  if (keys_only) {
    for (const sql::SelectItem& item : written.items) {
      TACIT_CHECK(AddKey(grouped, item.expression));
    }
  }
  const sql::InputColumnTest test{[&](const std::string& name) {
    for (const NamedColumn& column : grouped.input.columns) {
      if (column.name == name) return true;
    }
    return false;
  }};
  TACIT_TRY(const std::vector<Expression> keys, sql::ResolveGroupBy(written, test));
  for (const Expression& key : keys) TACIT_CHECK(AddKey(grouped, key));
  TACIT_CHECK(FinishKeys(grouped));
  return SetLevels(grouped, keys, written.grouping_sets);
}

// The SELECT over the released table: HAVING is its WHERE.
Result<sql::Select> PostSelect(GroupedQuery& grouped, const sql::Select& written) {
  sql::Select post;
  post.distinct = written.distinct;
  for (const sql::SelectItem& item : written.items) {
    TACIT_TRY(Expression expression, OverReleased(grouped, item.expression));
    post.items.push_back({std::move(expression), sql::OutputName(item)});
  }
  for (const Expression& expression : written.distinct_on) {
    TACIT_TRY(Expression rewritten, OverReleased(grouped, expression));
    post.distinct_on.push_back(std::move(rewritten));
  }
  if (written.having) {
    TACIT_TRY(post.where, OverReleased(grouped, written.having));
  }
  post.windows = written.windows;
  for (sql::NamedWindow& named : post.windows) {
    for (Expression& key : named.window.partition_by) {
      TACIT_TRY(key, OverReleased(grouped, key));
    }
    for (sql::OrderItem& item : named.window.order_by) {
      TACIT_TRY(item.expression, OverReleased(grouped, item.expression));
    }
  }
  return post;
}

// A public key shows its whole list; of rows that were joined with the keys of a result, groups by
// that key are among them. Both are known, and levels have totals that must stay.
void LeaveOutStrangers(const GroupedQuery& grouped, sql::Select& post) {
  if (!grouped.levels.empty()) return;
  const std::vector<Expression>& filters = grouped.input.rows.filters;
  for (const Membership& membership : grouped.known.memberships) {
    if (std::find(filters.begin(), filters.end(), membership.condition) == filters.end()) continue;
    const auto key_of = [&](const Expression& operand) -> Expression {
      for (const auto& [pattern, column] : grouped.key_patterns) {
        if (pattern == operand) return column;
      }
      return {};
    };
    const std::vector<Expression>& operands = membership.operands;
    const bool all_keys =
        std::all_of(operands.begin(), operands.end(),
                    [&](const Expression& operand) { return static_cast<bool>(key_of(operand)); });
    if (!all_keys) continue;
    const Expression joined = sql::Transform(membership.joined, [&](const Expression& node) {
      const bool operand = std::find(operands.begin(), operands.end(), node) != operands.end();
      return operand ? key_of(node) : node;
    });
    const Expression among = MakeExpression(sql::InQuery{joined, membership.values, false});
    post.where = post.where ? sql::JoinConjuncts({among, post.where}) : among;
  }
}

// Every expression over the released table.
std::vector<Expression*> PlacesIn(sql::Select& post, std::vector<sql::OrderItem>& order) {
  std::vector<Expression*> places;
  for (sql::SelectItem& item : post.items) places.push_back(&item.expression);
  for (Expression& expression : post.distinct_on) places.push_back(&expression);
  if (post.where) places.push_back(&post.where);
  for (sql::NamedWindow& named : post.windows) {
    for (Expression& key : named.window.partition_by) places.push_back(&key);
    for (sql::OrderItem& item : named.window.order_by) places.push_back(&item.expression);
  }
  for (sql::OrderItem& item : order) places.push_back(&item.expression);
  return places;
}

}  // namespace

Result<sql::Query> AnalyzeFrontier(Known& known, const sql::QueryNode& node,
                                   const sql::Select& select, const ProtectedRows& input,
                                   const Environment& environment) {
  const Environment inside{.outer = &environment, .with = {}, .rows = &input.columns};
  GroupedQuery grouped = Group(known, input, inside);
  sql::Select written = select;
  written.items = ExpandStars(select, input);
  TACIT_CHECK(AddKeys(grouped, written));
  TACIT_TRY(sql::Select post, PostSelect(grouped, written));
  LeaveOutStrangers(grouped, post);
  TACIT_TRY(std::vector<sql::OrderItem> order, sql::ResolveOrderBy(node.order_by, written.items));
  for (sql::OrderItem& item : order) {
    TACIT_TRY(item.expression, OverReleased(grouped, item.expression));
  }
  // Levels that stand one under the other have no order of their own: it settles what the query's
  // order leaves open. Asked again an answer is the same.
  const bool is_first_of_some = order.empty() && !post.distinct_on.empty();
  if (!grouped.levels.empty() && !post.distinct && !is_first_of_some) {
    order.push_back({MakeExpression(sql::ColumnReference{kReleasedMarker, kLevelColumn})});
    for (const auto& [pattern, column] : grouped.key_patterns) order.push_back({column});
  }
  TACIT_TRY(sql::Relation released, AddReleases(grouped, PlacesIn(post, order), node.position));
  post.from.push_back(std::move(released));
  sql::QueryNode rewritten = node;
  rewritten.order_by = std::move(order);
  rewritten.body = std::move(post);
  TACIT_TRY(rewritten.limit, RewritePublic(known, node.limit, inside));
  TACIT_TRY(rewritten.offset, RewritePublic(known, node.offset, inside));
  return sql::Query(std::move(rewritten));
}

}  // namespace tacit::analysis
