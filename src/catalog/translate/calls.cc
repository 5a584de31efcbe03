#include <cstring>

#include "catalog/functions.h"
#include "catalog/translate/function_rules.h"
#include "catalog/translate/translating.h"

namespace tacit::catalog {
namespace {

Oid ArgumentType(char letter) {
  switch (letter) {
    case 'o':
      return oid::kOid;
    case 'c':
      return oid::kRegclass;
    case 'i':
      return oid::kInt4;
    case 'l':
      return oid::kInt8;
    case 'b':
      return oid::kBool;
    case 'f':
      return oid::kFloat8;
    default:
      return oid::kText;
  }
}

std::string Fill(const char* pattern, const std::vector<Expression>& arguments) {
  std::string sql;
  for (const char* c = pattern; *c != '\0'; ++c) {
    if (*c == '#') {
      sql += arguments[static_cast<size_t>(*++c - '1')].sql;
    } else {
      sql += *c;
    }
  }
  return "(" + sql + ")";
}

Error NoFunction(const std::string& name, int position) {
  return UndefinedError("the catalog has no function " + name + " with these arguments",
                        "undefined_function", position);
}

bool IsAggregate(const std::string& name, const PgQuery__FuncCall& call) {
  static constexpr const char* kNames[] = {"count",   "min",       "max",        "sum",
                                           "avg",     "array_agg", "string_agg", "bool_and",
                                           "bool_or", "every"};
  if (call.over != nullptr || call.agg_star) return true;
  for (const char* known : kNames) {
    if (name == known) return true;
  }
  return false;
}

Oid SumType(Oid type) {
  if (type == oid::kInt2 || type == oid::kInt4) return oid::kInt8;
  return type == oid::kInt8 ? oid::kNumeric : type;
}

Result<std::string> TranslateWindow(Translating& in, const PgQuery__WindowDef& window,
                                    const Scope& scope);

// A text where substring() may have a number too is a pattern.
const char* PatternRule(const std::string& name, const Expressions& arguments) {
  if (name != "substring" || arguments.size() != 2) return nullptr;
  const std::optional<std::string>& pattern = arguments[1].literal;
  if (!arguments[1].untyped || !pattern) return nullptr;
  if (pattern->find_first_not_of("-0123456789") == std::string::npos) return nullptr;
  for (size_t i = pattern->find('('); i != std::string::npos; i = pattern->find('(', i + 1)) {
    const bool escaped = i > 0 && (*pattern)[i - 1] == '\\';
    if (!escaped && pattern->compare(i, 2, "(?") != 0) return kSubstringOfGroup;
  }
  return kSubstringMatching;
}

Result<Expression> CallRule(Translating& in, const std::string& written, Expressions arguments,
                            int position) {
  const char* pattern = PatternRule(written, arguments);
  const std::string name = pattern != nullptr ? pattern : written;
  for (const FunctionRule& rule : FunctionRules()) {
    if (name != rule.name || std::strlen(rule.arguments) != arguments.size()) continue;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const char letter = rule.arguments[i];
      if (letter == 't') {
        TACIT_TRY(arguments[i], CastTo(in, std::move(arguments[i]), oid::kText, -1));
      } else {
        TACIT_TRY(arguments[i], Settle(in, std::move(arguments[i]), ArgumentType(letter)));
      }
    }
    return Expression{.sql = Fill(rule.sql, arguments), .type = rule.result};
  }
  return NoFunction(written, position);
}

Result<std::optional<Expression>> CallArray(Translating& in, const std::string& name,
                                            Expressions& arguments) {
  using Found = std::optional<Expression>;
  if (name == "concat") {
    std::string sql = "''";
    for (Expression& argument : arguments) {
      TACIT_TRY(const std::string text, AsText(in, std::move(argument)));
      sql = BoundedText("concat(" + sql + ", " + text + ")");
    }
    return Found(Expression{.sql = sql, .type = oid::kText});
  }
  if (name == "json_build_object" && arguments.size() % 2 == 0) {
    std::string sql = "'{'";
    for (size_t i = 0; i < arguments.size(); i += 2) {
      TACIT_TRY(const std::string key, AsText(in, std::move(arguments[i])));
      TACIT_TRY(Expression value, Settle(in, std::move(arguments[i + 1]), oid::kText));
      const bool bare = IsNumber(value.type) || value.type == oid::kBool;
      TACIT_TRY(const std::string text, AsText(in, std::move(value)));
      sql += std::string(i == 0 ? "" : " || ', '") + " || tacit_json_text(" + key +
             ") || ' : ' || coalesce(" + (bare ? text : "tacit_json_text(" + text + ")") +
             ", 'null')";
    }
    return Found(Expression{.sql = BoundedText(sql + " || '}'"), .type = oid::kJson});
  }
  if (arguments.empty()) return Found();
  if (name == "aclexplode" && arguments.size() == 1) {
    TACIT_TRY(Expression rows, ExplodePrivileges(in, std::move(arguments[0])));
    return Found(std::move(rows));
  }
  if (name == "pg_typeof" && arguments.size() == 1) {
    const Oid type = arguments[0].untyped ? oid::kUnknown : arguments[0].type;
    return Found(
        Expression{.sql = "CAST(" + std::to_string(type) + " AS BIGINT)", .type = oid::kRegtype});
  }
  if (arguments[0].untyped && (name == "unnest" || name.starts_with("array_"))) {
    TACIT_TRY(arguments[0], Settle(in, std::move(arguments[0]), oid::kTextArray));
  }
  if (!IsArray(arguments[0].type) || arguments[0].untyped) return Found();
  const Oid type = arguments[0].type;
  const std::string& list = arguments[0].sql;
  const bool one = arguments.size() == 1;
  const bool two = arguments.size() == 2;
  const auto whole = [](std::string sql) {
    return Found(Expression{.sql = "CAST(" + sql + " AS INTEGER)", .type = oid::kInt4});
  };
  // An array without elements has no bounds; a vector counts from 0.
  const std::string first = IsVector(type) ? "0" : "1";
  const std::string last = IsVector(type) ? "len(" + list + ") - 1" : "len(" + list + ")";
  if (name == "unnest" && one) {
    return Found(Expression{.sql = "unnest(" + list + ")", .type = ElementOf(type)});
  }
  if (name == "_pg_expandarray" && one) {
    return Found(Expression{.sql = "unnest(list_transform(generate_series(1, len(" + list +
                                   ")), lambda tacit_n: {'x': list_extract(" + list +
                                   ", tacit_n), 'n': tacit_n}))",
                            .type = oid::kRecord});
  }
  if (name == "generate_subscripts" && two) {
    return Found(Expression{.sql = "unnest(generate_series(" + first + ", " + last + "))",
                            .type = oid::kInt4});
  }
  if (name == "array_lower" && two) {
    return whole("CASE WHEN len(" + list + ") > 0 THEN " + first + " END");
  }
  if (name == "array_upper" && two) {
    return whole("CASE WHEN len(" + list + ") > 0 THEN " + last + " END");
  }
  if (name == "array_length" && two) return whole("nullif(len(" + list + "), 0)");
  if (name == "cardinality" && one) return whole("len(" + list + ")");
  if (two && (name == "array_append" || name == "array_remove" || name == "array_position")) {
    TACIT_TRY(const Expression element, Settle(in, arguments[1], ElementOf(type)));
    if (name == "array_append") {
      return Found(Expression{.sql = BoundedConcat(list, "[" + element.sql + "]"), .type = type});
    }
    if (name == "array_position") {
      return whole("nullif(list_position(" + list + ", " + element.sql + "), 0)");
    }
    return Found(Expression{.sql = "list_filter(" + list + ", lambda tacit_element: " +
                                   "tacit_element IS DISTINCT FROM " + element.sql + ")",
                            .type = type});
  }
  if (name == "array_cat" && two) {
    TACIT_TRY(const Expression other, Settle(in, arguments[1], type));
    return Found(Expression{.sql = BoundedConcat(list, other.sql), .type = type});
  }
  return Found();
}

Result<Expression> TranslateAggregate(Translating& in, const std::string& name,
                                      const PgQuery__FuncCall& call, const Scope& scope) {
  if (call.agg_within_group || call.func_variadic) return NoFunction(name, call.location);
  TACIT_TRY(Expressions arguments, TranslateList(in, call.n_args, call.args, scope));
  for (Expression& argument : arguments) {
    TACIT_TRY(argument, Settle(in, std::move(argument), oid::kText));
  }
  const size_t count = arguments.size();
  const Oid first = count > 0 ? arguments[0].type : 0;
  std::string function = name;
  Oid type = first;
  if (name == "count" && (call.agg_star || count == 1)) {
    type = oid::kInt8;
  } else if ((name == "row_number" || name == "rank" || name == "dense_rank") && count == 0 &&
             call.over != nullptr) {
    type = oid::kInt8;
  } else if ((name == "lag" || name == "lead" || name == "first_value" || name == "last_value") &&
             count >= 1 && count <= 2 && call.over != nullptr) {
    type = first;
  } else if (name == "string_agg" && count == 2) {
    TACIT_TRY(arguments[0], CastTo(in, std::move(arguments[0]), oid::kText, -1));
    type = oid::kText;
  } else if (name == "array_agg" && count == 1) {
    type = ArrayOf(first);
  } else if ((name == "bool_and" || name == "bool_or" || name == "every") && count == 1) {
    function = name == "every" ? "bool_and" : name;
    type = oid::kBool;
  } else if (name == "sum" && count == 1 && IsNumber(first)) {
    type = SumType(first);
  } else if (name == "avg" && count == 1 && IsNumber(first)) {
    type = oid::kFloat8;
  } else if ((name != "min" && name != "max") || count != 1) {
    return NoFunction(name, call.location);
  }
  std::string inner = call.agg_star ? "*" : call.agg_distinct ? "DISTINCT " : "";
  for (size_t i = 0; i < count; ++i) inner += (i == 0 ? "" : ", ") + arguments[i].sql;
  TACIT_TRY(const std::string order,
            TranslateOrder(in, call.n_agg_order, call.agg_order, {}, &scope));
  std::string sql = function + "(" + inner + order + ")";
  if (call.agg_filter != nullptr) {
    TACIT_TRY(const Expression filter, TranslateExpression(in, call.agg_filter, scope));
    sql += " FILTER (WHERE " + filter.sql + ")";
  }
  if (call.over != nullptr) {
    TACIT_TRY(const std::string window, TranslateWindow(in, *call.over, scope));
    sql += " OVER (" + window + ")";
  }
  if (name == "string_agg") sql = BoundedText(sql);
  if (name == "sum" && type == oid::kInt8) sql = "CAST(" + sql + " AS BIGINT)";
  return Expression{.sql = sql, .type = type};
}

Result<std::string> TranslateWindow(Translating& in, const PgQuery__WindowDef& window,
                                    const Scope& scope) {
  if (*window.name != '\0' || *window.refname != '\0') {
    return UnsupportedError("a named window", window.location);
  }
  // FRAMEOPTION_NONDEFAULT of PostgreSQL's parsenodes.h. The default frame is DuckDB's as well.
  constexpr int kFrameGiven = 0x1;
  if ((window.frame_options & kFrameGiven) != 0) {
    return UnsupportedError("a window frame", window.location);
  }
  std::string sql;
  for (size_t i = 0; i < window.n_partition_clause; ++i) {
    TACIT_TRY(const Expression part, TranslateExpression(in, window.partition_clause[i], scope));
    sql += (i == 0 ? "PARTITION BY " : ", ") + part.sql;
  }
  TACIT_TRY(const std::string order,
            TranslateOrder(in, window.n_order_clause, window.order_clause, {}, &scope));
  return sql + order;
}

}  // namespace

std::string BoundedText(const std::string& sql) {
  return "tacit_within(" + sql + ", " + std::to_string(kTextBytesMax) + ")";
}

// The two are named once: written twice, their texts would double with every nesting.
std::string BoundedConcat(const std::string& left, const std::string& right) {
  return "list_transform([{'a': " + left + ", 'b': " + right +
         "}], lambda tacit_pair: CASE WHEN coalesce(len(tacit_pair.a), 0) + "
         "coalesce(len(tacit_pair.b), 0) > " +
         std::to_string(kArrayLengthMax) + " THEN error(" +
         engine::duckdb::QuoteLiteral(kLimitText) +
         ") ELSE list_concat(tacit_pair.a, tacit_pair.b) END)[1]";
}

Result<Expression> TranslateCall(Translating& in, const PgQuery__FuncCall& call,
                                 const Scope& scope) {
  const std::string name = WordOf(call.funcname[call.n_funcname - 1]);
  const std::string schema = call.n_funcname > 1 ? WordOf(call.funcname[call.n_funcname - 2]) : "";
  const bool known_schema = schema.empty() || schema == "pg_catalog" ||
                            (schema == "information_schema" && name == "_pg_expandarray");
  if (!known_schema) return NoFunction(schema + "." + name, call.location);
  if (IsAggregate(name, call)) return TranslateAggregate(in, name, call, scope);
  if (call.n_agg_order > 0 || call.agg_filter != nullptr || call.agg_distinct ||
      call.func_variadic) {
    return NoFunction(name, call.location);
  }
  TACIT_TRY(Expressions arguments, TranslateList(in, call.n_args, call.args, scope));
  // Some rules name an argument twice, so that nesting them doubles the text.
  constexpr size_t kArgumentsBytesMax = size_t{1} << 20;
  size_t bytes = 0;
  for (const Expression& argument : arguments) bytes += argument.sql.size();
  if (bytes > kArgumentsBytesMax) return UnsupportedError("nesting as deep as this", call.location);
  TACIT_TRY(std::optional<Expression> session, CallSession(in, name, arguments, call.location));
  if (session) return std::move(*session);
  TACIT_TRY(std::optional<Expression> array, CallArray(in, name, arguments));
  if (array) return std::move(*array);
  return CallRule(in, name, std::move(arguments), call.location);
}

}  // namespace tacit::catalog
