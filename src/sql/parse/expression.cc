#include <charconv>

#include "sql/error_at.h"
#include "sql/functions/own_functions.h"
#include "sql/parse.h"
#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {
namespace {

// The grammar's own name of a node, for what we have no word for.
std::string NodeName(const Node* node) {
  const ProtobufCFieldDescriptor* field = protobuf_c_message_descriptor_get_field(
      &pg_query__node__descriptor, static_cast<unsigned>(node->node_case));
  std::string name = field != nullptr ? field->name : "this construct";
  for (char& c : name) c = c == '_' ? ' ' : c;
  return name;
}

bool FitsBigint(std::string_view digits) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

bool IsRow(const Node* node) {
  return node != nullptr && node->node_case == PG_QUERY__NODE__NODE_ROW_EXPR;
}

// The grammar's own number wraps around when it is large, so a negative one is too large as well.
Result<Expression> NumberedParameter(const PgQuery__ParamRef& parameter) {
  if (parameter.number < 1 || parameter.number > kParametersMax) {
    return Invalid("parameters are numbered $1 to $" + std::to_string(kParametersMax),
                   parameter.location);
  }
  return MakeExpression(Parameter{parameter.number}, {parameter.location});
}

Result<Expression> ValueFunction(const PgQuery__SQLValueFunction& function) {
  const auto moment = [&](const char* name) {
    return MakeExpression(Call{name, {}}, {function.location});
  };
  switch (function.op) {
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_DATE:
      return moment("current_date");
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP_N:
      return moment("current_timestamp");
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP_N:
      return moment("localtimestamp");
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIME:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIME_N:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIME:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIME_N:
      return Unsupported("the time of day", function.location, "write now() or current_date");
    default:
      break;
  }
  return Unsupported("the name of the current user, role, catalog or schema", function.location);
}

Result<Expression> ConvertNullTest(const PgQuery__NullTest& test, Converter& converter) {
  TACIT_TRY(Expression operand, converter.ConvertExpression(test.arg));
  const bool negated = test.nulltesttype == PG_QUERY__NULL_TEST_TYPE__IS_NOT_NULL;
  return MakeExpression(IsNull{std::move(operand), negated}, {test.location});
}

Result<Expression> ConvertBooleanTest(const PgQuery__BooleanTest& test, Converter& converter) {
  TACIT_TRY(Expression operand, converter.ConvertExpression(test.arg));
  const auto kind = test.booltesttype;
  const bool negated = kind == PG_QUERY__BOOL_TEST_TYPE__IS_NOT_TRUE ||
                       kind == PG_QUERY__BOOL_TEST_TYPE__IS_NOT_FALSE ||
                       kind == PG_QUERY__BOOL_TEST_TYPE__IS_NOT_UNKNOWN;
  if (kind >= PG_QUERY__BOOL_TEST_TYPE__IS_UNKNOWN) {
    return MakeExpression(IsNull{std::move(operand), negated}, {test.location});
  }
  const bool truth =
      kind == PG_QUERY__BOOL_TEST_TYPE__IS_TRUE || kind == PG_QUERY__BOOL_TEST_TYPE__IS_NOT_TRUE;
  return MakeExpression(IsTruth{std::move(operand), truth, negated}, {test.location});
}

// (regexp_match(x, 'a(b)'))[1]: the first group, or all that matched where there is none.
Result<Expression> ConvertMatched(const PgQuery__AIndirection& indirection, const Call& call,
                                  const Expression& array) {
  const Node* index = indirection.n_indirection == 1 ? indirection.indirection[0] : nullptr;
  const Node* place = index != nullptr && index->node_case == PG_QUERY__NODE__NODE_A_INDICES
                          ? index->a_indices->uidx
                          : nullptr;
  const bool first = place != nullptr && place->node_case == PG_QUERY__NODE__NODE_A_CONST &&
                     place->a_const->val_case == PG_QUERY__A__CONST__VAL_IVAL &&
                     place->a_const->ival->ival == 1;
  if (!first) {
    return Unsupported("an element of regexp_match but the first", array->position.offset,
                       "write (regexp_match(x, 'a(b)'))[1]");
  }
  return MakeExpression(Call{"regexp_substr", call.arguments}, array->position);
}

// (percentile_cont(ARRAY[...]) WITHIN GROUP (...))[2]: no other array has elements.
Result<Expression> ConvertElement(const PgQuery__AIndirection& indirection, Converter& converter) {
  TACIT_TRY(const Expression array, converter.ConvertExpression(indirection.arg));
  const auto* call = As<Call>(array);
  if (call != nullptr && call->name == "regexp_match")
    return ConvertMatched(indirection, *call, array);
  const Node* index = indirection.n_indirection == 1 ? indirection.indirection[0] : nullptr;
  const bool subscript = index != nullptr && index->node_case == PG_QUERY__NODE__NODE_A_INDICES &&
                         index->a_indices->is_slice == 0;
  if (call == nullptr || call->name != kArrayFunction || !subscript) {
    return Unsupported("a subscript of anything but an array of percentiles",
                       array ? array->position.offset : -1);
  }
  TACIT_TRY(const Expression number, converter.ConvertExpression(index->a_indices->uidx));
  const auto* literal = As<Literal>(number);
  size_t place = 0;
  const bool whole =
      literal != nullptr && literal->kind == LiteralKind::kInteger &&
      std::from_chars(literal->text.data(), literal->text.data() + literal->text.size(), place)
              .ec == std::errc();
  if (!whole || place < 1 || place > call->arguments.size()) {
    return Invalid("the array has the elements 1 to " + std::to_string(call->arguments.size()),
                   array->position.offset);
  }
  return call->arguments[place - 1];
}

}  // namespace

Error Unsupported(const std::string& what, int position, std::string hint) {
  return ErrorAt(ErrorCode::kUnsupported, {position}, what + " is not supported", std::move(hint));
}

Result<Done> CheckSchema(const std::string& schema, int position) {
  if (schema.empty() || schema == "public" || schema == "main") return Done{};
  Error error =
      Invalid("there is no schema \"" + schema + "\"", position, "tables are in the schema public");
  error.rule = "unknown_table";
  return error;
}

Error Invalid(std::string message, int position, std::string hint) {
  return ErrorAt(ErrorCode::kInvalidQuery, {position}, std::move(message), std::move(hint));
}

std::vector<std::string> NameParts(size_t count, Node* const* nodes) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < count; ++i) {
    if (nodes[i]->node_case != PG_QUERY__NODE__NODE_STRING) return {};
    parts.emplace_back(nodes[i]->string->sval);
  }
  return parts;
}

Result<Expression> Converter::ConvertExpression(const Node* node) {
  if (node == nullptr) return Expression();
  if (depth_ >= kNestingDepthMax) {
    return Unsupported("nesting deeper than " + std::to_string(kNestingDepthMax) + " levels", -1);
  }
  ++depth_;
  Result<Expression> converted = ConvertByKind(node);
  --depth_;
  return converted;
}

Result<std::vector<Expression>> Converter::ConvertList(size_t count, Node* const* nodes) {
  std::vector<Expression> list;
  list.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    TACIT_TRY(list.emplace_back(), ConvertExpression(nodes[i]));
  }
  return list;
}

Result<Expression> Converter::ConvertByKind(const Node* node) {
  switch (node->node_case) {
    case PG_QUERY__NODE__NODE_A_CONST:
      return ConvertConstant(*node->a_const);
    case PG_QUERY__NODE__NODE_COLUMN_REF:
      return ConvertColumn(*node->column_ref);
    case PG_QUERY__NODE__NODE_PARAM_REF:
      return NumberedParameter(*node->param_ref);
    case PG_QUERY__NODE__NODE_A_EXPR:
      return ConvertOperator(*node->a_expr);
    case PG_QUERY__NODE__NODE_BOOL_EXPR:
      return ConvertLogical(*node->bool_expr);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      return ConvertFunction(*node->func_call);
    case PG_QUERY__NODE__NODE_GROUPING_FUNC: {
      const PgQuery__GroupingFunc& grouping = *node->grouping_func;
      AggregateCall call;
      call.name = "grouping";
      TACIT_TRY(call.arguments, ConvertList(grouping.n_args, grouping.args));
      if (call.arguments.size() > 31) {
        return Invalid("grouping takes at most 31 arguments", grouping.location);
      }
      return MakeExpression(std::move(call), {grouping.location});
    }
    case PG_QUERY__NODE__NODE_CASE_EXPR:
      return ConvertCase(*node->case_expr);
    case PG_QUERY__NODE__NODE_TYPE_CAST:
      return ConvertCast(*node->type_cast);
    case PG_QUERY__NODE__NODE_SUB_LINK:
      return ConvertSubquery(*node->sub_link);
    case PG_QUERY__NODE__NODE_COALESCE_EXPR: {
      const PgQuery__CoalesceExpr& coalesce = *node->coalesce_expr;
      TACIT_TRY(auto arguments, ConvertList(coalesce.n_args, coalesce.args));
      return MakeExpression(Call{"coalesce", std::move(arguments)}, {coalesce.location});
    }
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR: {
      const PgQuery__MinMaxExpr& extreme = *node->min_max_expr;
      const bool least = extreme.op == PG_QUERY__MIN_MAX_OP__IS_LEAST;
      TACIT_TRY(auto arguments, ConvertList(extreme.n_args, extreme.args));
      return MakeExpression(Call{least ? "least" : "greatest", std::move(arguments)},
                            {extreme.location});
    }
    case PG_QUERY__NODE__NODE_NULL_TEST:
      return ConvertNullTest(*node->null_test, *this);
    case PG_QUERY__NODE__NODE_BOOLEAN_TEST:
      return ConvertBooleanTest(*node->boolean_test, *this);
    case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
      return ValueFunction(*node->sqlvalue_function);
    case PG_QUERY__NODE__NODE_ROW_EXPR:
      return Unsupported("a row value such as (a, b)", node->row_expr->location,
                         "compare the columns one by one");
    case PG_QUERY__NODE__NODE_A_ARRAY_EXPR:
      return Unsupported("an array", node->a_array_expr->location, "use IN (...)");
    case PG_QUERY__NODE__NODE_A_INDIRECTION:
      return ConvertElement(*node->a_indirection, *this);
    case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
      return ConvertCollate(*node->collate_clause);
    default:
      return Unsupported(NodeName(node), -1);
  }
}

// Text is compared by its UTF-8 bytes: what asks for that says nothing further.
Result<Expression> Converter::ConvertCollate(const PgQuery__CollateClause& clause) {
  const std::vector<std::string> name = NameParts(clause.n_collname, clause.collname);
  const std::string last = name.empty() ? "" : name.back();
  if (last == "C" || last == "POSIX" || last == "ucs_basic") return ConvertExpression(clause.arg);
  return Unsupported("COLLATE with another order than \"C\"", clause.location,
                     "text is compared by its UTF-8 bytes: leave COLLATE out, or write COLLATE "
                     "\"C\"");
}

Result<Expression> Converter::ConvertConstant(const PgQuery__AConst& constant) {
  const Position position{constant.location};
  const auto literal = [&position](LiteralKind kind, std::string text) {
    return MakeExpression(Literal{.kind = kind, .text = std::move(text), .interval = {}}, position);
  };
  if (constant.isnull != 0) return literal(LiteralKind::kNull, "");
  switch (constant.val_case) {
    case PG_QUERY__A__CONST__VAL_IVAL:
      return literal(LiteralKind::kInteger, std::to_string(constant.ival->ival));
    case PG_QUERY__A__CONST__VAL_FVAL: {
      std::string text = constant.fval->fval;
      const bool integer = FitsBigint(text);
      return literal(integer ? LiteralKind::kInteger : LiteralKind::kNumeric, std::move(text));
    }
    case PG_QUERY__A__CONST__VAL_BOOLVAL:
      return literal(LiteralKind::kBoolean, constant.boolval->boolval != 0 ? "true" : "false");
    case PG_QUERY__A__CONST__VAL_SVAL:
      return literal(LiteralKind::kString, constant.sval->sval);
    default:
      return Unsupported("a bit string", constant.location);
  }
}

Result<Expression> Converter::ConvertColumn(const PgQuery__ColumnRef& column) {
  const Position position{column.location};
  const size_t count = column.n_fields;
  const std::vector<std::string> qualifier = NameParts(count - 1, column.fields);
  if (count > 4 || qualifier.size() + 1 != count) {
    return Unsupported("a column name of this form", column.location, "write table.column");
  }
  TACIT_CHECK(CheckSchema(count > 2 ? qualifier[count - 3] : "", column.location));
  const std::string table = qualifier.empty() ? "" : qualifier.back();
  const Node* last = column.fields[count - 1];
  if (last->node_case == PG_QUERY__NODE__NODE_A_STAR) {
    return MakeExpression(Star{table}, position);
  }
  if (last->node_case != PG_QUERY__NODE__NODE_STRING) return Unsupported(NodeName(last), -1);
  return MakeExpression(ColumnReference{table, last->string->sval}, position);
}

Result<Expression> Converter::ConvertLogical(const PgQuery__BoolExpr& expression) {
  const Position position{expression.location};
  TACIT_TRY(auto arguments, ConvertList(expression.n_args, expression.args));
  if (expression.boolop == PG_QUERY__BOOL_EXPR_TYPE__NOT_EXPR) {
    // The grammar writes x NOT IN (SELECT ...) as NOT (x IN (SELECT ...)).
    if (const auto* in = As<InQuery>(arguments.front()); in != nullptr && !in->negated) {
      return MakeExpression(InQuery{in->operand, in->query, true}, position);
    }
    return MakeExpression(Logical{Connective::kNot, std::move(arguments)}, position);
  }
  const bool both = expression.boolop == PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR;
  return MakeExpression(Logical{both ? Connective::kAnd : Connective::kOr, std::move(arguments)},
                        position);
}

Result<Expression> Converter::ConvertCase(const PgQuery__CaseExpr& expression) {
  Case converted;
  TACIT_TRY(converted.operand, ConvertExpression(expression.arg));
  for (size_t i = 0; i < expression.n_args; ++i) {
    const PgQuery__CaseWhen& branch = *expression.args[i]->case_when;
    TACIT_TRY(Expression when, ConvertExpression(branch.expr));
    TACIT_TRY(Expression then, ConvertExpression(branch.result));
    converted.branches.push_back({std::move(when), std::move(then)});
  }
  TACIT_TRY(converted.otherwise, ConvertExpression(expression.defresult));
  return MakeExpression(std::move(converted), {expression.location});
}

Result<Expression> Converter::ConvertSubquery(const PgQuery__SubLink& link) {
  const Position position{link.location};
  if (IsRow(link.testexpr)) return Unsupported("a row value such as (a, b)", link.location);
  if (subquery_depth_ >= kSubqueryExpressionDepthMax) {
    return Unsupported("a subquery inside " + std::to_string(kSubqueryExpressionDepthMax) +
                           " levels of subqueries",
                       link.location, "name the inner ones with WITH");
  }
  ++subquery_depth_;
  in_exists_ = link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK;
  Result<Query> converted = ConvertQuery(link.subselect);
  in_exists_ = false;
  --subquery_depth_;
  TACIT_TRY(Query query, std::move(converted));
  const std::vector<std::string> name = NameParts(link.n_oper_name, link.oper_name);
  switch (link.sub_link_type) {
    case PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK:
      return MakeExpression(Exists{std::move(query)}, position);
    case PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK:
      return MakeExpression(ScalarQuery{std::move(query)}, position);
    case PG_QUERY__SUB_LINK_TYPE__ANY_SUBLINK:
    case PG_QUERY__SUB_LINK_TYPE__ALL_SUBLINK: {
      const bool any = link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__ANY_SUBLINK;
      const bool equal = any && (name.empty() || name.back() == "=");
      const bool none_equal = !any && !name.empty() && name.back() == "<>";
      if (!equal && !none_equal) {
        return Unsupported("ANY or ALL with this operator", link.location,
                           "only = ANY (...) and <> ALL (...) are known, as IN and NOT IN");
      }
      TACIT_TRY(Expression operand, ConvertExpression(link.testexpr));
      return MakeExpression(InQuery{std::move(operand), std::move(query), none_equal}, position);
    }
    default:
      return Unsupported("this kind of subquery", link.location);
  }
}

}  // namespace tacit::sql::grammar
