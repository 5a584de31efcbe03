#include "catalog/translate/translating.h"
#include "engine/duckdb/database/database.h"

namespace tacit::catalog {
namespace {

using engine::duckdb::QuoteName;

void Rename(std::vector<RangeColumn>& columns, const PgQuery__Alias* alias) {
  if (alias == nullptr) return;
  for (size_t i = 0; i < alias->n_colnames && i < columns.size(); ++i) {
    columns[i].name = WordOf(alias->colnames[i]);
  }
}

std::string AliasSql(const Range& range) {
  std::string sql = " AS " + QuoteName(range.alias) + "(";
  for (size_t i = 0; i < range.columns.size(); ++i) {
    sql += (i == 0 ? "" : ", ") + QuoteName(range.columns[i].name);
  }
  return sql + ")";
}

// Functions in FROM that give rows of several columns. Nothing that they would list is here.
struct RowFunction {
  const char* name;
  std::vector<RangeColumn> columns;
};

const RowFunction* FindRowFunction(const std::string& name) {
  static const std::vector<RowFunction> functions = {
      {"pg_partition_ancestors", {{"relid", oid::kRegclass}}},
      {"pg_partition_tree",
       {{"relid", oid::kRegclass},
        {"parentrelid", oid::kRegclass},
        {"isleaf", oid::kBool},
        {"level", oid::kInt4}}},
      {"pg_options_to_table", {{"option_name", oid::kText}, {"option_value", oid::kText}}},
      {"pg_get_keywords",
       {{"word", oid::kText},
        {"catcode", oid::kChar},
        {"barelabel", oid::kBool},
        {"catdesc", oid::kText},
        {"baredesc", oid::kText}}},
  };
  for (const RowFunction& function : functions) {
    if (name == function.name) return &function;
  }
  return nullptr;
}

std::string KeywordsSql() {
  std::string sql = "(VALUES ";
  for (size_t i = 0; i < Keywords().size(); ++i) {
    const Row& row = Keywords()[i];
    const bool bare = *row[2] == "t";
    const std::string kind = *row[1] == "U"   ? "unreserved"
                             : *row[1] == "C" ? "unreserved (cannot be function or type name)"
                             : *row[1] == "T" ? "reserved (can be function or type name)"
                                              : "reserved";
    sql += (i == 0 ? "(" : ", (") + Quoted(*row[0]) + ", " + Quoted(*row[1]) +
           (bare ? ", true, " : ", false, ") + Quoted(kind) + ", " +
           Quoted(bare ? "can be bare label" : "requires AS") + ")";
  }
  return sql + ")";
}

std::string EmptySql(const std::vector<RangeColumn>& columns) {
  std::string sql = "(SELECT ";
  for (size_t i = 0; i < columns.size(); ++i) {
    sql += (i == 0 ? "" : ", ") + ("CAST(NULL AS " + StoredAs(columns[i].type) + ")");
  }
  return sql + " WHERE false)";
}

Result<std::string> RelationSql(Translating& in, const Relation& relation);

std::vector<RangeColumn> RangeColumnsOf(const Relation& relation) {
  std::vector<RangeColumn> columns;
  for (const RelationColumn& column : relation.columns) {
    columns.push_back({column.name, column.base_type, column.base_modifier, false});
  }
  return columns;
}

Result<std::string> TranslateTable(Translating& in, const PgQuery__RangeVar& table, Scope& scope) {
  const std::string name = table.relname;
  Range range{.alias = table.alias != nullptr ? table.alias->aliasname : name,
              .schema = table.schemaname,
              .relation = name,
              .oid = 0,
              .columns = {}};
  if (range.schema.empty()) {
    for (auto common = in.common_tables.rbegin(); common != in.common_tables.rend(); ++common) {
      if (common->name != name) continue;
      range.columns = common->columns;
      Rename(range.columns, table.alias);
      scope.ranges.push_back(range);
      return QuoteName(name) + AliasSql(range);
    }
    range.schema = in.around.objects.SchemaOf(name, in.path).value_or("pg_catalog");
  }
  const Relation* relation = in.around.objects.Find(range.schema, name);
  // The policy's tables have names here, and no rows.
  if (relation == nullptr || relation->schema == "public") {
    return UndefinedError("relation \"" + range.schema + "." + name + "\" does not exist",
                          "undefined_table", table.location);
  }
  range.oid = relation->oid;
  range.columns = RangeColumnsOf(*relation);
  Rename(range.columns, table.alias);
  scope.ranges.push_back(range);
  TACIT_TRY(const std::string sql, RelationSql(in, *relation));
  return sql + AliasSql(range);
}

Result<std::string> RelationSql(Translating& in, const Relation& relation) {
  TACIT_TRY(const std::optional<std::vector<Row>> rows, SessionRows(in, relation));
  std::vector<RangeColumn> columns;
  for (const RelationColumn& column : relation.columns) {
    columns.push_back({column.name, column.base_type, column.base_modifier, false});
  }
  if (rows && !rows->empty()) {
    std::string sql = "(VALUES ";
    for (size_t r = 0; r < rows->size(); ++r) {
      sql += r == 0 ? "(" : ", (";
      for (size_t i = 0; i < columns.size(); ++i) {
        const Cell& cell = (*rows)[r][i];
        sql += (i == 0 ? "CAST(" : ", CAST(") + (cell ? Quoted(*cell) : std::string("NULL")) +
               " AS " + StoredAs(columns[i].type) + ")";
      }
      sql += ")";
    }
    return sql + ")";
  }
  const std::string name = relation.schema + "." + relation.name;
  if (rows || !in.around.store.Holds(name)) return EmptySql(columns);
  const std::string replaced = Replacements(in, relation);
  if (replaced.empty()) return QuoteName(name);
  return "(SELECT * REPLACE (" + replaced + ") FROM " + QuoteName(name) + ")";
}

Result<std::string> TranslateJoin(Translating& in, const PgQuery__JoinExpr& join, Scope& scope) {
  if (join.alias != nullptr || join.join_using_alias != nullptr) {
    return UnsupportedError("an alias of a join", -1);
  }
  TACIT_TRY(const std::string left, TranslateFrom(in, join.larg, scope));
  const size_t first_right = scope.ranges.size();
  TACIT_TRY(const std::string right, TranslateFrom(in, join.rarg, scope));
  std::string word = "JOIN";
  if (join.jointype == PG_QUERY__JOIN_TYPE__JOIN_LEFT) word = "LEFT JOIN";
  if (join.jointype == PG_QUERY__JOIN_TYPE__JOIN_RIGHT) word = "RIGHT JOIN";
  if (join.jointype == PG_QUERY__JOIN_TYPE__JOIN_FULL) word = "FULL JOIN";
  if (join.is_natural) return UnsupportedError("NATURAL JOIN", -1);
  if (join.n_using_clause > 0) {
    std::string names;
    for (size_t i = 0; i < join.n_using_clause; ++i) {
      const std::string name = WordOf(join.using_clause[i]);
      names += (i == 0 ? "" : ", ") + QuoteName(name);
      for (size_t r = first_right; r < scope.ranges.size(); ++r) {
        for (RangeColumn& column : scope.ranges[r].columns) {
          if (column.name == name) column.merged = true;
        }
      }
    }
    return "(" + left + " " + word + " " + right + " USING (" + names + "))";
  }
  if (join.quals == nullptr) return "(" + left + " CROSS JOIN " + right + ")";
  TACIT_TRY(Expression on, TranslateExpression(in, join.quals, scope));
  TACIT_TRY(const Expression settled, Settle(in, std::move(on), oid::kBool));
  return "(" + left + " " + word + " " + right + " ON " + settled.sql + ")";
}

Result<std::string> TranslateSubquery(Translating& in, const PgQuery__RangeSubselect& subquery,
                                      Scope& scope) {
  if (subquery.alias == nullptr) {
    return UndefinedError("a subquery in FROM must have an alias", "syntax_error", -1);
  }
  TACIT_TRY(Plan plan, TranslateSelect(in, *subquery.subquery->select_stmt,
                                       subquery.lateral ? &scope : scope.outer));
  Range range{.alias = subquery.alias->aliasname,
              .schema = "",
              .relation = "",
              .oid = 0,
              .columns = ColumnsOf(plan)};
  Rename(range.columns, subquery.alias);
  TACIT_TRY(const std::string sql, Print(in, std::move(plan)));
  scope.ranges.push_back(range);
  return (subquery.lateral ? "LATERAL (" : "(") + sql + ")" + AliasSql(range);
}

Result<std::string> TranslateFunction(Translating& in, const PgQuery__RangeFunction& function,
                                      Scope& scope) {
  if (function.is_rowsfrom || function.n_coldeflist > 0 || function.n_functions != 1) {
    return UnsupportedError("ROWS FROM", -1);
  }
  const PgQuery__List& parts = *function.functions[0]->list;
  const Node* call = parts.items[0];
  const std::string name = OutputName(call);
  Range range{.alias = function.alias != nullptr ? function.alias->aliasname : name,
              .schema = "",
              .relation = "",
              .oid = 0,
              .columns = {}};
  std::string rows;
  const RowFunction* known = FindRowFunction(name);
  if (name == "pg_show_all_settings") {
    const Relation& settings = *in.around.objects.Find("pg_catalog", "pg_settings");
    range.columns = RangeColumnsOf(settings);
    TACIT_TRY(rows, RelationSql(in, settings));
  } else if (known != nullptr) {
    range.columns = known->columns;
    rows = name == "pg_get_keywords" ? KeywordsSql() : EmptySql(known->columns);
  } else {
    std::vector<const Node*> calls = {call};
    const bool several = call->node_case == PG_QUERY__NODE__NODE_FUNC_CALL && name == "unnest" &&
                         call->func_call->n_args > 1;
    std::vector<Expression> expressions;
    if (several) {
      TACIT_TRY(const Expressions arrays,
                TranslateList(in, call->func_call->n_args, call->func_call->args, scope));
      for (const Expression& array : arrays) {
        expressions.push_back({.sql = "unnest(" + array.sql + ")", .type = ElementOf(array.type)});
      }
    } else {
      TACIT_TRY(Expression expression, TranslateExpression(in, call, scope));
      TACIT_TRY(Expression settled, Settle(in, std::move(expression), oid::kText));
      expressions.push_back(std::move(settled));
    }
    if (name == "aclexplode") {
      range.columns = PrivilegeColumns();
      rows =
          "LATERAL (SELECT s.grantor, s.grantee, s.privilege_type, s.is_grantable FROM (SELECT " +
          expressions[0].sql + " AS s))";
    } else if (expressions.size() == 1 && expressions[0].type == oid::kRecord) {
      range.columns = {{"x", oid::kInt2}, {"n", oid::kInt4}};
      rows = "LATERAL (SELECT s.x, s.n FROM (SELECT " + expressions[0].sql + " AS s))";
    } else {
      for (size_t i = 0; i < expressions.size(); ++i) {
        rows +=
            (i == 0 ? "LATERAL (SELECT " : ", ") + expressions[i].sql + " AS c" + std::to_string(i);
        range.columns.push_back({expressions.size() == 1 ? range.alias : name, expressions[i].type,
                                 expressions[i].modifier, false});
      }
      rows += ")";
    }
  }
  if (function.ordinality) {
    // The rows are numbered in the order in which the function gives them.
    std::string inner = rows.starts_with("LATERAL ") ? rows.substr(8) : rows;
    rows = "LATERAL (SELECT *, row_number() OVER () FROM " + inner + ")";
    range.columns.push_back({"ordinality", oid::kInt8});
  }
  Rename(range.columns, function.alias);
  scope.ranges.push_back(range);
  return rows + AliasSql(range);
}

}  // namespace

Result<std::string> TranslateFrom(Translating& in, const Node* node, Scope& scope) {
  switch (node->node_case) {
    case PG_QUERY__NODE__NODE_RANGE_VAR:
      return TranslateTable(in, *node->range_var, scope);
    case PG_QUERY__NODE__NODE_JOIN_EXPR:
      return TranslateJoin(in, *node->join_expr, scope);
    case PG_QUERY__NODE__NODE_RANGE_SUBSELECT:
      return TranslateSubquery(in, *node->range_subselect, scope);
    case PG_QUERY__NODE__NODE_RANGE_FUNCTION:
      return TranslateFunction(in, *node->range_function, scope);
    default:
      return UnsupportedError("this kind of table", -1);
  }
}

}  // namespace tacit::catalog
