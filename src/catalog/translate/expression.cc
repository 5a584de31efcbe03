#include "catalog/translate/translating.h"
#include "engine/duckdb/database/database.h"

namespace tacit::catalog {
namespace {

using engine::duckdb::QuoteName;

std::string Joined(const std::vector<Expression>& expressions, const char* between) {
  std::string sql;
  for (const Expression& expression : expressions) {
    sql += (sql.empty() ? "" : between) + expression.sql;
  }
  return sql;
}

// Columns that every table has without naming them.
std::optional<Expression> SystemColumn(const std::string& name, const Range& range) {
  if (range.oid == 0) return std::nullopt;
  if (name == "tableoid") {
    return Expression{.sql = "CAST(" + std::to_string(range.oid) + " AS BIGINT)",
                      .type = oid::kOid};
  }
  if (name == "xmin") return Expression{.sql = "CAST(1 AS BIGINT)", .type = oid::kXid};
  return std::nullopt;
}

std::optional<Expression> FindColumn(const Range& range, const std::string& name, bool bare) {
  for (const RangeColumn& column : range.columns) {
    if (column.name != name || (bare && column.merged)) continue;
    return Expression{.sql = QuoteName(range.alias) + "." + QuoteName(column.name),
                      .type = column.type,
                      .modifier = column.modifier};
  }
  return bare ? std::nullopt : SystemColumn(name, range);
}

Result<Expression> TranslateConstant(const PgQuery__AConst& constant);
Result<Expression> TranslateColumn(const PgQuery__ColumnRef& column, const Scope& scope);
Result<Expression> TranslateLogical(Translating& in, const PgQuery__BoolExpr& logical,
                                    const Scope& scope);
Result<Expression> TranslateCase(Translating& in, const PgQuery__CaseExpr& expression,
                                 const Scope& scope);
Result<Expression> TranslateSubLink(Translating& in, const PgQuery__SubLink& link,
                                    const Scope& scope);
Result<Expression> TranslateIndirection(Translating& in, const PgQuery__AIndirection& path,
                                        const Scope& scope);
Result<Expression> TranslateArray(Translating& in, const PgQuery__AArrayExpr& array,
                                  const Scope& scope);
Result<Expression> TranslateParameter(Translating& in, const PgQuery__ParamRef& parameter);

Result<Expression> TranslateNullTest(Translating& in, const PgQuery__NullTest& test,
                                     const Scope& scope) {
  TACIT_TRY(Expression argument, TranslateExpression(in, test.arg, scope));
  TACIT_TRY(const Expression settled, Settle(in, std::move(argument), oid::kText));
  const bool is = test.nulltesttype == PG_QUERY__NULL_TEST_TYPE__IS_NULL;
  return Bool("(" + settled.sql + (is ? " IS NULL)" : " IS NOT NULL)"));
}

Result<Expression> TranslateBooleanTest(Translating& in, const PgQuery__BooleanTest& written,
                                        const Scope& scope) {
  TACIT_TRY(Expression argument, TranslateExpression(in, written.arg, scope));
  TACIT_TRY(const Expression settled, Settle(in, std::move(argument), oid::kBool));
  static constexpr const char* kTests[] = {
      "",          " IS TRUE)",    " IS NOT TRUE)", " IS FALSE)", " IS NOT FALSE)",
      " IS NULL)", " IS NOT NULL)"};
  const auto test = static_cast<size_t>(written.booltesttype);
  if (test == 0 || test > 6) return UnsupportedError("this test", -1);
  return Bool("(" + settled.sql + kTests[test]);
}

Result<Expression> TranslateByKind(Translating& in, const Node* node, const Scope& scope) {
  switch (node->node_case) {
    case PG_QUERY__NODE__NODE_A_CONST:
      return TranslateConstant(*node->a_const);
    case PG_QUERY__NODE__NODE_COLUMN_REF:
      return TranslateColumn(*node->column_ref, scope);
    case PG_QUERY__NODE__NODE_PARAM_REF:
      return TranslateParameter(in, *node->param_ref);
    case PG_QUERY__NODE__NODE_A_EXPR:
      return TranslateOperator(in, *node->a_expr, scope);
    case PG_QUERY__NODE__NODE_BOOL_EXPR:
      return TranslateLogical(in, *node->bool_expr, scope);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      return TranslateCall(in, *node->func_call, scope);
    case PG_QUERY__NODE__NODE_TYPE_CAST:
      return TranslateCast(in, *node->type_cast, scope);
    case PG_QUERY__NODE__NODE_CASE_EXPR:
      return TranslateCase(in, *node->case_expr, scope);
    case PG_QUERY__NODE__NODE_SUB_LINK:
      return TranslateSubLink(in, *node->sub_link, scope);
    case PG_QUERY__NODE__NODE_A_INDIRECTION:
      return TranslateIndirection(in, *node->a_indirection, scope);
    case PG_QUERY__NODE__NODE_A_ARRAY_EXPR:
      return TranslateArray(in, *node->a_array_expr, scope);
    case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
      return TranslateSessionValue(in, *node->sqlvalue_function);
    case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
      // Everything sorts and compares by bytes, as "C" and "default" do here.
      return TranslateExpression(in, node->collate_clause->arg, scope);
    case PG_QUERY__NODE__NODE_NULL_TEST:
      return TranslateNullTest(in, *node->null_test, scope);
    case PG_QUERY__NODE__NODE_BOOLEAN_TEST:
      return TranslateBooleanTest(in, *node->boolean_test, scope);
    case PG_QUERY__NODE__NODE_COALESCE_EXPR: {
      const PgQuery__CoalesceExpr& coalesce = *node->coalesce_expr;
      TACIT_TRY(Expressions arguments, TranslateList(in, coalesce.n_args, coalesce.args, scope));
      TACIT_TRY(const Oid type, Unify(in, arguments));
      return Expression{.sql = "coalesce(" + Joined(arguments, ", ") + ")", .type = type};
    }
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR: {
      const PgQuery__MinMaxExpr& most = *node->min_max_expr;
      TACIT_TRY(Expressions arguments, TranslateList(in, most.n_args, most.args, scope));
      TACIT_TRY(const Oid type, Unify(in, arguments));
      const bool greatest = most.op == PG_QUERY__MIN_MAX_OP__IS_GREATEST;
      return Expression{.sql = (greatest ? "greatest(" : "least(") + Joined(arguments, ", ") + ")",
                        .type = type};
    }
    case PG_QUERY__NODE__NODE_ROW_EXPR: {
      const PgQuery__RowExpr& row = *node->row_expr;
      TACIT_TRY(Expressions cells, TranslateList(in, row.n_args, row.args, scope));
      for (Expression& cell : cells) {
        TACIT_TRY(cell, Settle(in, std::move(cell), oid::kText));
      }
      return Expression{.sql = "(" + Joined(cells, ", ") + ")", .type = oid::kRecord};
    }
    default:
      return UnsupportedError("this expression", -1);
  }
}

Result<Expression> TranslateConstant(const PgQuery__AConst& constant) {
  if (constant.isnull) return Expression{.sql = "NULL", .untyped = true};
  switch (constant.val_case) {
    case PG_QUERY__A__CONST__VAL_IVAL:
      return Expression{.sql = std::to_string(constant.ival->ival), .type = oid::kInt4};
    case PG_QUERY__A__CONST__VAL_FVAL: {
      const std::string text = constant.fval->fval;
      const bool whole = text.find_first_not_of("0123456789") == std::string::npos;
      if (whole && text.size() < 19) return Expression{.sql = text, .type = oid::kInt8};
      // Digits and a point mean the same number to DuckDB; it has no more than 38 of them.
      const bool plain = text.find_first_not_of("0123456789.") == std::string::npos;
      return Expression{
          .sql = plain && text.size() < 38 ? text : "CAST(" + Quoted(text) + " AS DOUBLE)",
          .type = plain && text.size() < 38 ? oid::kNumeric : oid::kFloat8};
    }
    case PG_QUERY__A__CONST__VAL_BOOLVAL:
      return Bool(constant.boolval->boolval ? "true" : "false");
    case PG_QUERY__A__CONST__VAL_SVAL:
      return Expression{.sql = "", .untyped = true, .literal = std::string(constant.sval->sval)};
    default:
      return UnsupportedError("a bit string", constant.location);
  }
}

Result<Expression> TranslateColumn(const PgQuery__ColumnRef& column, const Scope& scope) {
  std::vector<std::string> words;
  for (size_t i = 0; i < column.n_fields; ++i) {
    if (column.fields[i]->node_case != PG_QUERY__NODE__NODE_STRING) {
      return UnsupportedError("a row as a value", column.location);
    }
    words.push_back(WordOf(column.fields[i]));
  }
  const std::string name = words.back();
  const std::string alias = words.size() > 1 ? words[words.size() - 2] : "";
  const std::string schema = words.size() > 2 ? words[words.size() - 3] : "";
  for (const Scope* level = &scope; level != nullptr; level = level->outer) {
    std::optional<Expression> found;
    for (const Range& range : level->ranges) {
      if (!alias.empty() && range.alias != alias) continue;
      if (!schema.empty() && (range.schema != schema || range.relation != alias)) continue;
      std::optional<Expression> here = FindColumn(range, name, alias.empty());
      if (!here) continue;
      if (found) {
        return UndefinedError("column reference \"" + name + "\" is ambiguous", "ambiguous_column",
                              column.location);
      }
      found = std::move(here);
      if (!alias.empty()) break;
    }
    if (found) return *found;
    if (!alias.empty()) continue;
    for (const Range& range : level->ranges) {
      if (std::optional<Expression> system = SystemColumn(name, range)) return *system;
      // The alias of a function that gives single values stands for its value.
      if (range.alias == name && range.columns.size() == 1) {
        return *FindColumn(range, range.columns[0].name, false);
      }
    }
  }
  return UndefinedError("column " + (alias.empty() ? name : alias + "." + name) + " does not exist",
                        "undefined_column", column.location);
}

Result<Expression> TranslateLogical(Translating& in, const PgQuery__BoolExpr& logical,
                                    const Scope& scope) {
  TACIT_TRY(Expressions arguments, TranslateList(in, logical.n_args, logical.args, scope));
  for (Expression& argument : arguments) {
    TACIT_TRY(argument, Settle(in, std::move(argument), oid::kBool));
  }
  if (logical.boolop == PG_QUERY__BOOL_EXPR_TYPE__NOT_EXPR) {
    return Bool("(NOT " + arguments[0].sql + ")");
  }
  const bool all = logical.boolop == PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR;
  return Bool("(" + Joined(arguments, all ? " AND " : " OR ") + ")");
}

Result<Expression> TranslateCase(Translating& in, const PgQuery__CaseExpr& expression,
                                 const Scope& scope) {
  std::optional<Expression> operand;
  if (expression.arg != nullptr) {
    TACIT_TRY(Expression argument, TranslateExpression(in, expression.arg, scope));
    TACIT_TRY(operand, Settle(in, std::move(argument), oid::kText));
  }
  std::vector<std::string> conditions;
  Expressions results;
  for (size_t i = 0; i < expression.n_args; ++i) {
    const PgQuery__CaseWhen& branch = *expression.args[i]->case_when;
    TACIT_TRY(Expression when, TranslateExpression(in, branch.expr, scope));
    if (operand) {
      TACIT_TRY(when, ApplyOperator(in, "=", *operand, std::move(when), branch.location));
    }
    TACIT_TRY(const Expression condition, Settle(in, std::move(when), oid::kBool));
    conditions.push_back(condition.sql);
    TACIT_TRY(Expression result, TranslateExpression(in, branch.result, scope));
    results.push_back(std::move(result));
  }
  if (expression.defresult != nullptr) {
    TACIT_TRY(Expression result, TranslateExpression(in, expression.defresult, scope));
    results.push_back(std::move(result));
  }
  TACIT_TRY(const Oid type, Unify(in, results));
  std::string sql = "CASE";
  for (size_t i = 0; i < conditions.size(); ++i) {
    sql += " WHEN " + conditions[i] + " THEN " + results[i].sql;
  }
  if (results.size() > conditions.size()) sql += " ELSE " + results.back().sql;
  return Expression{.sql = "(" + sql + " END)", .type = type};
}

Result<Expression> TranslateSubLink(Translating& in, const PgQuery__SubLink& link,
                                    const Scope& scope) {
  TACIT_TRY(Plan plan, TranslateSelect(in, *link.subselect->select_stmt, &scope));
  const std::vector<RangeColumn> columns = ColumnsOf(plan);
  TACIT_TRY(const std::string query, Print(in, std::move(plan)));
  if (link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK) {
    return Bool("EXISTS (" + query + ")");
  }
  // Of EXISTS (SELECT FROM t) there may be none.
  if (columns.empty()) {
    return UndefinedError("subquery must return a column", "syntax_error", link.location);
  }
  const RangeColumn& column = columns[0];
  const bool any = link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__ANY_SUBLINK;
  if (any || link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__ALL_SUBLINK) {
    TACIT_TRY(Expression test, TranslateExpression(in, link.testexpr, scope));
    TACIT_TRY(const Expression settled, Settle(in, std::move(test), column.type));
    const std::string symbol =
        link.n_oper_name == 0 ? "=" : WordOf(link.oper_name[link.n_oper_name - 1]);
    if (any && symbol == "=") return Bool("(" + settled.sql + " IN (" + query + "))");
    if (symbol != "=" && symbol != "<>" && symbol != "<" && symbol != "<=" && symbol != ">" &&
        symbol != ">=") {
      return UnsupportedError("operator " + symbol + " with a subquery", link.location);
    }
    return Bool("(" + settled.sql + " " + symbol + (any ? " ANY (" : " ALL (") + query + "))");
  }
  if (columns.size() != 1) {
    return UndefinedError("subquery must return only one column", "syntax_error", link.location);
  }
  if (link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__ARRAY_SUBLINK) {
    return Expression{.sql = "ARRAY(" + query + ")", .type = ArrayOf(column.type)};
  }
  if (link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK) {
    return Expression{.sql = "(" + query + ")", .type = column.type, .modifier = column.modifier};
  }
  return UnsupportedError("this kind of subquery", link.location);
}

// Of the rows that functions give: _pg_expandarray's and aclexplode's.
std::optional<Oid> FieldType(const std::string& field) {
  if (field == "x") return oid::kInt2;
  if (field == "n") return oid::kInt4;
  for (const RangeColumn& column : PrivilegeColumns()) {
    if (column.name == field) return column.type;
  }
  return std::nullopt;
}

Result<Expression> TranslateIndirection(Translating& in, const PgQuery__AIndirection& path,
                                        const Scope& scope) {
  TACIT_TRY(Expression value, TranslateExpression(in, path.arg, scope));
  for (size_t i = 0; i < path.n_indirection; ++i) {
    const Node* step = path.indirection[i];
    if (step->node_case == PG_QUERY__NODE__NODE_STRING) {
      const std::string field = WordOf(step);
      const std::optional<Oid> type = FieldType(field);
      if (value.type != oid::kRecord || !type) {
        return UnsupportedError("the field " + field + " of a value", -1);
      }
      value =
          Expression{.sql = "struct_extract(" + value.sql + ", '" + field + "')", .type = *type};
      continue;
    }
    if (step->node_case != PG_QUERY__NODE__NODE_A_INDICES || !IsArray(value.type)) {
      return UnsupportedError("this subscript", -1);
    }
    const PgQuery__AIndices& indices = *step->a_indices;
    const std::string shift = IsVector(value.type) ? " + 1" : "";
    std::string lower;
    if (indices.lidx != nullptr) {
      TACIT_TRY(const Expression low, TranslateExpression(in, indices.lidx, scope));
      lower = "CAST(" + low.sql + " AS BIGINT)" + shift;
    }
    std::string upper;
    if (indices.uidx != nullptr) {
      TACIT_TRY(const Expression high, TranslateExpression(in, indices.uidx, scope));
      upper = "CAST(" + high.sql + " AS BIGINT)" + shift;
    }
    if (indices.is_slice) {
      value.sql = "(" + value.sql + ")[" + lower + ":" + upper + "]";
    } else {
      value = Expression{.sql = "list_extract(" + value.sql + ", " + upper + ")",
                         .type = ElementOf(value.type)};
    }
  }
  return value;
}

Result<Expression> TranslateArray(Translating& in, const PgQuery__AArrayExpr& array,
                                  const Scope& scope) {
  TACIT_TRY(Expressions elements, TranslateList(in, array.n_elements, array.elements, scope));
  if (elements.empty()) return Expression{.sql = "[]", .untyped = true, .literal = "{}"};
  TACIT_TRY(const Oid type, Unify(in, elements));
  return Expression{.sql = "[" + Joined(elements, ", ") + "]", .type = ArrayOf(type)};
}

Result<Expression> TranslateParameter(Translating& in, const PgQuery__ParamRef& parameter) {
  // Why 1000: a client that binds more asks no catalog question.
  if (parameter.number < 1 || parameter.number > 1000) {
    return UndefinedError("there is no parameter $" + std::to_string(parameter.number),
                          "undefined_parameter", parameter.location);
  }
  const auto index = static_cast<size_t>(parameter.number);
  if (in.parameters.size() < index) in.parameters.resize(index, 0);
  if (in.parameters[index - 1] != 0) return BindParameter(in, parameter.number, oid::kText);
  return Expression{.sql = "", .untyped = true, .literal = {}, .parameter = parameter.number};
}

}  // namespace

Result<Expression> TranslateExpression(Translating& in, const Node* node, const Scope& scope) {
  if (node == nullptr) return UnsupportedError("this expression", -1);
  struct Level {
    int& depth;
    explicit Level(int& counter) : depth(counter) { ++depth; }
    ~Level() { --depth; }
  } level(in.depth);
  // The tree was measured when it was parsed; this only guards against a path that was not.
  if (in.depth > 4 * sql::kGrammarDepthMax) return UnsupportedError("nesting as deep as this", -1);
  return TranslateByKind(in, node, scope);
}

Result<Expressions> TranslateList(Translating& in, size_t count, Node* const* nodes,
                                  const Scope& scope) {
  Expressions list;
  for (size_t i = 0; i < count; ++i) {
    TACIT_TRY(Expression expression, TranslateExpression(in, nodes[i], scope));
    list.push_back(std::move(expression));
  }
  return list;
}

}  // namespace tacit::catalog
