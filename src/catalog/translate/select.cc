#include "catalog/translate/translating.h"
#include "engine/duckdb/database/database.h"

// Longer than most: the clauses of one SELECT, a short function each, which share what it has
// found.
namespace tacit::catalog {
namespace {

using engine::duckdb::QuoteName;

// The position of ORDER BY 2 or GROUP BY 2; 0 for anything else.
size_t PositionOf(const PgQuery__Node* node) {
  if (node == nullptr || node->node_case != PG_QUERY__NODE__NODE_A_CONST) return 0;
  const PgQuery__AConst& constant = *node->a_const;
  if (constant.isnull || constant.val_case != PG_QUERY__A__CONST__VAL_IVAL) return 0;
  return constant.ival->ival > 0 ? static_cast<size_t>(constant.ival->ival) : 0;
}

// The single name of `ORDER BY name`; empty for anything else.
std::string BareName(const PgQuery__Node* node) {
  if (node == nullptr || node->node_case != PG_QUERY__NODE__NODE_COLUMN_REF) return "";
  const PgQuery__ColumnRef& column = *node->column_ref;
  return column.n_fields == 1 ? WordOf(column.fields[0]) : "";
}

size_t FindTarget(const std::vector<Target>& targets, const std::string& name) {
  if (name.empty()) return 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].name == name) return i + 1;
  }
  return 0;
}

std::string Direction(const PgQuery__SortBy& sort) {
  const bool down = sort.sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_DESC;
  // Said outright: where NULLs stand by default is not the same everywhere.
  const bool first = sort.sortby_nulls == PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_FIRST ||
                     (sort.sortby_nulls != PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_LAST && down);
  return std::string(down ? " DESC" : " ASC") + (first ? " NULLS FIRST" : " NULLS LAST");
}

std::string SetOperatorName(const PgQuery__SelectStmt& select) {
  const std::string all = select.all ? " ALL" : "";
  if (select.op == PG_QUERY__SET_OPERATION__SETOP_UNION) return "UNION" + all;
  if (select.op == PG_QUERY__SET_OPERATION__SETOP_INTERSECT) return "INTERSECT" + all;
  return "EXCEPT" + all;
}

Result<Plan> TranslateSimple(Translating& in, const PgQuery__SelectStmt& select,
                             const Scope* outer);
Result<Done> AddTargets(Translating& in, const PgQuery__ResTarget& target, const Scope& scope,
                        std::vector<Target>& targets);
Result<Plan> TranslateValues(Translating& in, const PgQuery__SelectStmt& select,
                             const Scope* outer);
Result<Plan> TranslateSetOperation(Translating& in, const PgQuery__SelectStmt& select,
                                   const Scope* outer);
Result<std::string> TranslateDistinct(Translating& in, const PgQuery__SelectStmt& select,
                                      const std::vector<Target>& targets, const Scope& scope);
Result<std::string> TranslateGroup(Translating& in, const PgQuery__SelectStmt& select,
                                   const std::vector<Target>& targets, const Scope& scope);

Result<Plan> TranslateBody(Translating& in, const PgQuery__SelectStmt& select, const Scope* outer) {
  if (select.op != PG_QUERY__SET_OPERATION__SETOP_NONE) {
    return TranslateSetOperation(in, select, outer);
  }
  return select.n_values_lists > 0 ? TranslateValues(in, select, outer)
                                   : TranslateSimple(in, select, outer);
}

Result<Plan> TranslateSimple(Translating& in, const PgQuery__SelectStmt& select,
                             const Scope* outer) {
  Scope scope{.ranges = {}, .outer = outer};
  Plan plan;
  for (size_t i = 0; i < select.n_from_clause; ++i) {
    TACIT_TRY(const std::string item, TranslateFrom(in, select.from_clause[i], scope));
    plan.rest += (i == 0 ? " FROM " : ", ") + item;
  }
  for (size_t i = 0; i < select.n_target_list; ++i) {
    TACIT_CHECK(AddTargets(in, *select.target_list[i]->res_target, scope, plan.targets));
  }
  if (select.where_clause != nullptr) {
    TACIT_TRY(Expression where, TranslateExpression(in, select.where_clause, scope));
    TACIT_TRY(const Expression settled, Settle(in, std::move(where), oid::kBool));
    plan.rest += " WHERE " + settled.sql;
  }
  TACIT_TRY(const std::string group, TranslateGroup(in, select, plan.targets, scope));
  plan.rest += group;
  if (select.having_clause != nullptr) {
    TACIT_TRY(const Expression having, TranslateExpression(in, select.having_clause, scope));
    plan.rest += " HAVING " + having.sql;
  }
  if (select.n_window_clause > 0) return UnsupportedError("a WINDOW clause", -1);
  TACIT_TRY(plan.distinct, TranslateDistinct(in, select, plan.targets, scope));
  TACIT_TRY(plan.tail,
            TranslateOrder(in, select.n_sort_clause, select.sort_clause, plan.targets, &scope));
  return plan;
}

Result<Done> AddTargets(Translating& in, const PgQuery__ResTarget& target, const Scope& scope,
                        std::vector<Target>& targets) {
  const PgQuery__Node* value = target.val;
  if (value != nullptr && value->node_case == PG_QUERY__NODE__NODE_COLUMN_REF) {
    const PgQuery__ColumnRef& column = *value->column_ref;
    const PgQuery__Node& last = *column.fields[column.n_fields - 1];
    if (last.node_case == PG_QUERY__NODE__NODE_A_STAR) {
      const std::string alias =
          column.n_fields > 1 ? WordOf(column.fields[column.n_fields - 2]) : "";
      bool found = false;
      for (const Range& range : scope.ranges) {
        if (!alias.empty() && range.alias != alias) continue;
        found = true;
        for (const RangeColumn& each : range.columns) {
          if (alias.empty() && each.merged) continue;
          targets.push_back(
              Target{.expression = {.sql = QuoteName(range.alias) + "." + QuoteName(each.name),
                                    .type = each.type,
                                    .modifier = each.modifier,
                                    .untyped = false,
                                    .literal = {},
                                    .parameter = 0},
                     .name = each.name});
        }
      }
      if (found) return Done{};
      return UndefinedError(
          alias.empty() ? "SELECT * without tables" : "there is no table " + alias,
          alias.empty() ? "syntax_error" : "undefined_table", column.location);
    }
  }
  TACIT_TRY(Expression expression, TranslateExpression(in, value, scope));
  targets.push_back(Target{.expression = std::move(expression),
                           .name = *target.name != '\0' ? target.name : OutputName(value)});
  return Done{};
}

Result<Plan> TranslateValues(Translating& in, const PgQuery__SelectStmt& select,
                             const Scope* outer) {
  const Scope scope{.ranges = {}, .outer = outer};
  Plan plan;
  for (size_t r = 0; r < select.n_values_lists; ++r) {
    const PgQuery__List& list = *select.values_lists[r]->list;
    TACIT_TRY(Expressions row, TranslateList(in, list.n_items, list.items, scope));
    if (!plan.rows.empty() && plan.rows[0].size() != row.size()) {
      return UndefinedError("VALUES lists must all be the same length", "syntax_error", -1);
    }
    plan.rows.push_back(std::move(row));
  }
  for (size_t i = 0; i < plan.rows[0].size(); ++i) {
    Expressions column;
    for (const Expressions& row : plan.rows) column.push_back(row[i]);
    TACIT_TRY(const Oid type, Unify(in, column));
    for (size_t r = 0; r < plan.rows.size(); ++r) plan.rows[r][i] = column[r];
    plan.targets.push_back(
        Target{.expression = {.sql = "", .type = type}, .name = "column" + std::to_string(i + 1)});
  }
  TACIT_TRY(plan.tail,
            TranslateOrder(in, select.n_sort_clause, select.sort_clause, plan.targets, nullptr));
  return plan;
}

Result<Plan> TranslateSetOperation(Translating& in, const PgQuery__SelectStmt& select,
                                   const Scope* outer) {
  TACIT_TRY(Plan left, TranslateSelect(in, *select.larg, outer));
  TACIT_TRY(Plan right, TranslateSelect(in, *select.rarg, outer));
  if (left.targets.size() != right.targets.size()) {
    return UndefinedError("both sides of a set operation must have the same number of columns",
                          "syntax_error", -1);
  }
  Plan plan;
  for (size_t i = 0; i < left.targets.size(); ++i) {
    Expressions both = {left.targets[i].expression, right.targets[i].expression};
    const bool untyped = both[0].untyped && both[1].untyped;
    Oid type = oid::kText;
    if (!untyped) {
      TACIT_TRY(type, Unify(in, both));
    }
    plan.targets.push_back(Target{.expression = {.sql = "", .type = type, .untyped = untyped},
                                  .name = left.targets[i].name});
  }
  plan.operation = SetOperatorName(select);
  plan.left = std::make_unique<Plan>(std::move(left));
  plan.right = std::make_unique<Plan>(std::move(right));
  TACIT_TRY(plan.tail,
            TranslateOrder(in, select.n_sort_clause, select.sort_clause, plan.targets, nullptr));
  return plan;
}

Result<std::string> TranslateWith(Translating& in, const PgQuery__WithClause& with,
                                  const Scope* outer) {
  std::string sql = with.recursive ? "WITH RECURSIVE " : "WITH ";
  for (size_t i = 0; i < with.n_ctes; ++i) {
    const PgQuery__CommonTableExpr& common = *with.ctes[i]->common_table_expr;
    const PgQuery__SelectStmt& query = *common.ctequery->select_stmt;
    const auto columns_of = [&](const Plan& plan) {
      std::vector<RangeColumn> columns = ColumnsOf(plan);
      for (size_t c = 0; c < common.n_aliascolnames && c < columns.size(); ++c) {
        columns[c].name = WordOf(common.aliascolnames[c]);
      }
      return columns;
    };
    const bool recursive = with.recursive && query.op != PG_QUERY__SET_OPERATION__SETOP_NONE;
    if (recursive) {
      // The second half reads the table itself, whose columns are those of the first half.
      TACIT_TRY(const Plan first, TranslateSelect(in, *query.larg, outer));
      in.common_tables.push_back({common.ctename, columns_of(first)});
    }
    TACIT_TRY(Plan plan, TranslateSelect(in, query, outer));
    std::vector<RangeColumn> columns = columns_of(plan);
    sql += (i == 0 ? "" : ", ") + QuoteName(common.ctename) + "(";
    for (size_t c = 0; c < columns.size(); ++c) {
      sql += (c == 0 ? "" : ", ") + QuoteName(columns[c].name);
    }
    TACIT_TRY(const std::string body, Print(in, std::move(plan)));
    sql += ") AS (" + body + ")";
    if (recursive) in.common_tables.pop_back();
    in.common_tables.push_back({common.ctename, std::move(columns)});
  }
  return sql + " ";
}

Result<std::string> TranslateDistinct(Translating& in, const PgQuery__SelectStmt& select,
                                      const std::vector<Target>& targets, const Scope& scope) {
  if (select.n_distinct_clause == 0) return std::string();
  // A plain DISTINCT is a list of one empty node.
  if (select.distinct_clause[0]->node_case == PG_QUERY__NODE__NODE__NOT_SET) {
    return std::string("DISTINCT ");
  }
  std::string sql;
  for (size_t i = 0; i < select.n_distinct_clause; ++i) {
    const PgQuery__Node* node = select.distinct_clause[i];
    size_t position = PositionOf(node);
    if (position == 0) position = FindTarget(targets, BareName(node));
    std::string item;
    if (position > 0 && position <= targets.size()) {
      item = targets[position - 1].expression.sql;
    } else {
      TACIT_TRY(const Expression expression, TranslateExpression(in, node, scope));
      item = expression.sql;
    }
    sql += (i == 0 ? "" : ", ") + item;
  }
  return "DISTINCT ON (" + sql + ") ";
}

Result<std::string> TranslateGroup(Translating& in, const PgQuery__SelectStmt& select,
                                   const std::vector<Target>& targets, const Scope& scope) {
  std::string sql;
  for (size_t i = 0; i < select.n_group_clause; ++i) {
    const PgQuery__Node* node = select.group_clause[i];
    size_t position = PositionOf(node);
    std::string item;
    if (position == 0) {
      const Result<Expression> expression = TranslateExpression(in, node, scope);
      if (expression.ok()) {
        item = expression->sql;
      } else {
        position = FindTarget(targets, BareName(node));
        if (position == 0) return expression.error();
      }
    }
    if (item.empty()) item = std::to_string(position);
    sql += (i == 0 ? " GROUP BY " : ", ") + item;
  }
  return sql;
}

Result<std::string> TranslateLimit(Translating& in, const PgQuery__SelectStmt& select) {
  const Scope none;
  std::string sql;
  const auto add = [&](const char* word, const Node* node) -> Result<Done> {
    if (node == nullptr) return Done{};
    if (node->node_case == PG_QUERY__NODE__NODE_A_CONST && node->a_const->isnull) return Done{};
    TACIT_TRY(Expression expression, TranslateExpression(in, node, none));
    TACIT_TRY(const Expression settled, Settle(in, std::move(expression), oid::kInt8));
    sql += word + settled.sql;
    return Done{};
  };
  if (select.limit_option == PG_QUERY__LIMIT_OPTION__LIMIT_OPTION_WITH_TIES) {
    return UnsupportedError("WITH TIES", -1);
  }
  TACIT_CHECK(add(" LIMIT ", select.limit_count));
  TACIT_CHECK(add(" OFFSET ", select.limit_offset));
  return sql;
}

}  // namespace

std::vector<RangeColumn> ColumnsOf(const Plan& plan) {
  std::vector<RangeColumn> columns;
  for (const Target& target : plan.targets) {
    const Expression& expression = target.expression;
    columns.push_back(RangeColumn{.name = target.name,
                                  .type = expression.untyped ? oid::kText : expression.type,
                                  .modifier = expression.modifier});
  }
  return columns;
}

Result<std::string> Print(Translating& in, Plan plan, const std::vector<Oid>& wanted) {
  std::string sql = plan.with;
  const auto type_of = [&](size_t i) {
    const Expression& agreed = plan.targets[i].expression;
    return i < wanted.size() ? wanted[i] : agreed.untyped ? oid::kText : agreed.type;
  };
  if (plan.left != nullptr) {
    std::vector<Oid> types;
    for (size_t i = 0; i < plan.targets.size(); ++i) types.push_back(type_of(i));
    const auto side = [&](Plan& part) -> Result<std::string> {
      const bool bare = part.left == nullptr && part.with.empty() && part.tail.empty();
      TACIT_TRY(std::string text, Print(in, std::move(part), types));
      return bare ? text : "(" + text + ")";
    };
    TACIT_TRY(const std::string left, side(*plan.left));
    TACIT_TRY(const std::string right, side(*plan.right));
    return sql + left + " " + plan.operation + " " + right + plan.tail;
  }
  const auto print = [&](Expression expression, size_t i) -> Result<std::string> {
    const Oid type = type_of(i);
    const bool other =
        !expression.untyped && StoredAs(expression.type) != StoredAs(type) && type != oid::kNumeric;
    TACIT_TRY(const Expression settled, Settle(in, std::move(expression), type));
    return other ? "CAST(" + settled.sql + " AS " + StoredAs(type) + ")" : settled.sql;
  };
  if (!plan.rows.empty()) {
    sql += "SELECT * FROM (VALUES ";
    for (size_t r = 0; r < plan.rows.size(); ++r) {
      sql += r == 0 ? "(" : ", (";
      for (size_t i = 0; i < plan.targets.size(); ++i) {
        TACIT_TRY(const std::string cell, print(plan.rows[r][i], i));
        sql += (i == 0 ? "" : ", ") + cell;
      }
      sql += ")";
    }
    sql += ") AS v(";
    for (size_t i = 0; i < plan.targets.size(); ++i) {
      sql += (i == 0 ? "" : ", ") + QuoteName(plan.targets[i].name);
    }
    return sql + ")" + plan.tail;
  }
  sql += "SELECT " + plan.distinct;
  // Rows without columns are counted by one that nobody reads.
  if (plan.targets.empty()) sql += "true AS tacit_row";
  for (size_t i = 0; i < plan.targets.size(); ++i) {
    TACIT_TRY(const std::string target, print(plan.targets[i].expression, i));
    sql += (i == 0 ? "" : ", ") + target + " AS " + QuoteName(plan.targets[i].name);
  }
  return sql + plan.rest + plan.tail;
}

Result<Translation> Translate(const PgQuery__SelectStmt& select, const Surroundings& surroundings) {
  Translating in = BeginTranslating(surroundings);
  TACIT_TRY(Plan plan, TranslateSelect(in, select, nullptr));
  Translation translation;
  for (const RangeColumn& column : ColumnsOf(plan)) {
    if (column.type == oid::kRecord) return UnsupportedError("a row as a value", -1);
    translation.columns.push_back(
        OidColumn{.name = column.name, .type = column.type, .modifier = column.modifier});
  }
  TACIT_TRY(const std::string sql, Print(in, std::move(plan)));
  translation.sql = NumberParameters(sql, translation.used_parameters);
  for (Oid& type : in.parameters) {
    if (type == 0) type = oid::kText;
  }
  translation.parameters = in.parameters;
  translation.changes = in.changes;
  for (const std::string& schema : in.path) {
    translation.public_is_searched = schema == "public";
    if (translation.public_is_searched) break;
  }
  if (in.path.empty()) translation.public_is_searched = false;
  return translation;
}

Result<Plan> TranslateSelect(Translating& in, const PgQuery__SelectStmt& select,
                             const Scope* outer) {
  const size_t tables_before = in.common_tables.size();
  std::string with;
  if (select.with_clause != nullptr) {
    TACIT_TRY(with, TranslateWith(in, *select.with_clause, outer));
  }
  Result<Plan> plan = TranslateBody(in, select, outer);
  in.common_tables.resize(tables_before);
  if (!plan.ok()) return plan;
  Plan complete = std::move(plan).value();
  complete.with = with;
  TACIT_TRY(const std::string limit, TranslateLimit(in, select));
  complete.tail += limit;
  return complete;
}

Result<std::string> TranslateOrder(Translating& in, size_t count, Node* const* items,
                                   const std::vector<Target>& targets, const Scope* scope) {
  std::string sql;
  for (size_t i = 0; i < count; ++i) {
    const PgQuery__SortBy& sort = *items[i]->sort_by;
    if (sort.n_use_op > 0) return UnsupportedError("ORDER BY USING", sort.location);
    size_t position = PositionOf(sort.node);
    if (position > targets.size()) {
      return UndefinedError(
          "ORDER BY position " + std::to_string(position) + " is not in the select list",
          "invalid_column_reference", sort.location);
    }
    if (position == 0) position = FindTarget(targets, BareName(sort.node));
    std::string item = std::to_string(position);
    if (position == 0) {
      if (scope == nullptr) {
        return UnsupportedError("ORDER BY an expression over a set operation", sort.location);
      }
      TACIT_TRY(const Expression expression, TranslateExpression(in, sort.node, *scope));
      item = expression.sql;
      for (size_t t = 0; t < targets.size(); ++t) {
        if (targets[t].expression.sql == item) item = std::to_string(t + 1);
      }
    }
    sql += (i == 0 ? " ORDER BY " : ", ") + item + Direction(sort);
  }
  return sql;
}

}  // namespace tacit::catalog
