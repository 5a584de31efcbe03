#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "catalog/functions.h"
#include "catalog/translate/translating.h"
#include "sql/parse/literal.h"

namespace tacit::catalog {
namespace {

// How far a number type reaches: the wider of two holds both.
int Rank(Oid type) {
  switch (type) {
    case oid::kInt2:
      return 1;
    case oid::kInt4:
      return 2;
    case oid::kInt8:
      return 4;
    case oid::kNumeric:
      return 5;
    case oid::kFloat4:
      return 6;
    case oid::kFloat8:
      return 7;
    default:
      return IsWhole(type) ? 3 : 0;
  }
}

Oid Wider(Oid a, Oid b) {
  if (a == b) return a;
  if (IsNumber(a) && IsNumber(b)) return Rank(a) >= Rank(b) ? a : b;
  if (IsText(a) && IsText(b)) return oid::kText;
  return a;
}

std::optional<std::string> TruthOf(const std::string& text) {
  const std::string folded = policy::FoldedName(text);
  for (const char* yes : {"t", "true", "y", "yes", "on", "1"}) {
    if (folded == yes) return "true";
  }
  for (const char* no : {"f", "false", "n", "no", "off", "0"}) {
    if (folded == no) return "false";
  }
  return std::nullopt;
}

std::optional<int64_t> WholeOf(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool IsReal(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

const char* MissingObject(Oid type) {
  return type == oid::kRegclass  ? "undefined_table"
         : type == oid::kRegproc ? "undefined_function"
                                 : "undefined_object";
}

// The elements of an array, or of a vector that separates them by spaces.
std::optional<std::vector<Cell>> ElementsOf(const std::string& text, Oid type) {
  if (!IsVector(type)) return ParseArray(text);
  std::vector<Cell> elements;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      elements.emplace_back(word);
      word.clear();
    }
  }
  return elements;
}

Result<Expression> SettleLiteral(Translating& in, const std::string& text, Oid type) {
  const auto typed = [type](std::string sql) {
    return Expression{.sql = std::move(sql), .type = type};
  };
  if (IsRegistry(type)) {
    if (type == oid::kRegrole && text == in.around.asker.analyst) {
      return typed(std::to_string(Objects::NumberOf("role " + text)));
    }
    const std::optional<Oid> found = ParseRegistry(in.around.objects, type, text);
    if (found) return typed("CAST(" + std::to_string(*found) + " AS BIGINT)");
    const std::string kind = type == oid::kRegclass ? "relation" : "object";
    return UndefinedError(kind + " \"" + text + "\" does not exist", MissingObject(type), -1);
  }
  if (type == oid::kBool) {
    const std::optional<std::string> truth = TruthOf(text);
    return truth ? Result<Expression>(typed(*truth)) : BadTextError(text, type);
  }
  if (IsWhole(type)) {
    const std::optional<int64_t> value = WholeOf(text);
    if (!value) return BadTextError(text, type);
    return typed("CAST(" + std::to_string(*value) + " AS BIGINT)");
  }
  if (type == oid::kFloat4 || type == oid::kFloat8 || type == oid::kNumeric) {
    if (!IsReal(text)) return BadTextError(text, type);
    return typed("CAST(" + Quoted(text) + " AS " + StoredAs(type) + ")");
  }
  if (type == oid::kTimestampTz) {
    const std::optional<std::string> utc = sql::CanonicalTimestampTz(text, ZoneOf(in).get());
    if (utc) return typed("CAST(" + Quoted(*utc) + " AS TIMESTAMP)");
  }
  if (IsArray(type)) {
    const std::optional<std::vector<Cell>> elements = ElementsOf(text, type);
    if (!elements) return BadTextError(text, type);
    std::string sql;
    for (const Cell& element : *elements) {
      std::string one = "NULL";
      if (element) {
        TACIT_TRY(const Expression settled, SettleLiteral(in, *element, ElementOf(type)));
        one = settled.sql;
      }
      sql += (sql.empty() ? "" : ", ") + one;
    }
    return typed("CAST([" + sql + "] AS " + StoredAs(type) + ")");
  }
  if (IsText(type)) return typed(type == oid::kChar ? Quoted(text.substr(0, 1)) : Quoted(text));
  return typed("CAST(" + Quoted(text) + " AS " + StoredAs(type) + ")");
}

struct CastTarget {
  Oid type = 0;
  int32_t modifier = -1;
};
Result<CastTarget> ReadTypeName(const PgQuery__TypeName& name) {
  if (name.setof || name.pct_type || name.n_names == 0) {
    return UnsupportedError("this type", name.location);
  }
  const std::string word = WordOf(name.names[name.n_names - 1]);
  const TypeFacts* facts = FindTypeNamed(word);
  const std::string schema = name.n_names > 1 ? WordOf(name.names[name.n_names - 2]) : "";
  if (facts == nullptr || (!schema.empty() && schema != facts->schema) ||
      (schema.empty() && facts->schema != "pg_catalog")) {
    return UndefinedError("type \"" + word + "\" does not exist", "undefined_object",
                          name.location);
  }
  CastTarget target{.type = facts->oid, .modifier = -1};
  if (facts->schema == "information_schema") {
    // Of a domain only the type under it is left in an answer.
    const bool number = word == "cardinal_number";
    target.type = number ? oid::kInt4 : word == "sql_identifier" ? oid::kName : oid::kVarchar;
  }
  std::vector<int32_t> numbers;
  for (size_t i = 0; i < name.n_typmods; ++i) {
    const Node* node = name.typmods[i];
    const bool whole = node->node_case == PG_QUERY__NODE__NODE_A_CONST &&
                       node->a_const->val_case == PG_QUERY__A__CONST__VAL_IVAL;
    if (whole) numbers.push_back(node->a_const->ival->ival);
  }
  // Why 10485760: PostgreSQL's longest varchar.
  const bool length = numbers.size() == 1 && numbers[0] > 0 && numbers[0] <= 10'485'760;
  if (length && (target.type == oid::kVarchar || target.type == oid::kBpchar)) {
    target.modifier = numbers[0] + 4;
  }
  if (name.n_array_bounds > 0) target.type = ArrayOf(target.type);
  return target;
}

}  // namespace

Result<Expression> Settle(Translating& in, Expression expression, Oid type) {
  if (!expression.untyped) return expression;
  const Oid to = type == 0 || type == oid::kUnknown || type == oid::kRecord ? oid::kText : type;
  if (expression.parameter != 0) return BindParameter(in, expression.parameter, to);
  if (expression.literal) return SettleLiteral(in, *expression.literal, to);
  return Expression{.sql = "CAST(NULL AS " + StoredAs(to) + ")", .type = to};
}

Result<Oid> Unify(Translating& in, Expressions& expressions) {
  Oid type = 0;
  for (const Expression& expression : expressions) {
    if (expression.untyped) continue;
    type = type == 0 ? expression.type : Wider(type, expression.type);
  }
  if (type == 0) type = oid::kText;
  for (Expression& expression : expressions) {
    TACIT_TRY(expression, Settle(in, std::move(expression), type));
  }
  return type;
}

Result<std::string> AsText(Translating& in, Expression expression) {
  TACIT_TRY(const Expression text, CastTo(in, std::move(expression), oid::kText, -1));
  return text.sql;
}

Result<Expression> TranslateCast(Translating& in, const PgQuery__TypeCast& cast,
                                 const Scope& scope) {
  TACIT_TRY(const CastTarget target, ReadTypeName(*cast.type_name));
  TACIT_TRY(Expression argument, TranslateExpression(in, cast.arg, scope));
  return CastTo(in, std::move(argument), target.type, target.modifier);
}

Result<Expression> CastTo(Translating& in, Expression expression, Oid type, int32_t modifier) {
  const auto typed = [&](std::string sql) {
    return Expression{.sql = std::move(sql), .type = type, .modifier = modifier};
  };
  const bool shortened = modifier > 4 && (type == oid::kVarchar || type == oid::kBpchar);
  if (expression.untyped) {
    TACIT_TRY(expression, Settle(in, std::move(expression), type));
  }
  const Oid from = expression.type;
  const std::string& sql = expression.sql;
  if (IsText(type)) {
    std::string text = "CAST(" + sql + " AS VARCHAR)";
    if (from == oid::kRegrole) {
      text = "CASE " + sql + " WHEN " +
             std::to_string(Objects::NumberOf("role " + in.around.asker.analyst)) + " THEN " +
             Quoted(in.around.asker.analyst) + " ELSE tacit_registry_text(4096, " + sql +
             ", 1) END";
    } else if (IsRegistry(from)) {
      const bool searched = std::find(in.path.begin(), in.path.end(), "public") != in.path.end();
      text =
          "tacit_registry_text(" + std::to_string(from) + ", " + sql + (searched ? ", 1)" : ", 0)");
    } else if (IsVector(from)) {
      text = "array_to_string(" + sql + ", ' ')";
    } else if (IsArray(from)) {
      text = "('{' || array_to_string(" + sql + ", ',') || '}')";
    } else if (IsText(from)) {
      text = sql;
    }
    if (type == oid::kChar && from != oid::kChar) text = "left(" + text + ", 1)";
    if (shortened) text = "left(" + text + ", " + std::to_string(modifier - 4) + ")";
    return typed("(" + text + ")");
  }
  if (from == type) return typed(sql);
  if (IsRegistry(type) && IsText(from)) {
    if (type == oid::kRegrole) return UnsupportedError("this cast to regrole", -1);
    return typed("tacit_registry_number(" + std::to_string(type) + ", " + sql + ")");
  }
  if (IsWhole(type) && from == oid::kChar) return typed("ascii(" + sql + ")");
  if (IsArray(type) && IsArray(from)) {
    if (IsText(ElementOf(type)) && IsRegistry(ElementOf(from))) {
      return typed("list_transform(" + sql + ", lambda tacit_element: tacit_registry_text(" +
                   std::to_string(ElementOf(from)) + ", tacit_element, 1))");
    }
  }
  return typed("CAST(" + sql + " AS " + StoredAs(type) + ")");
}

Result<Expression> BindParameter(Translating& in, int number, Oid type) {
  Oid& decided = in.parameters[static_cast<size_t>(number - 1)];
  if (decided == 0) decided = type;
  return Expression{.sql = "CAST($" + std::to_string(number) + " AS " + StoredAs(decided) + ")",
                    .type = decided,
                    .parameter = number};
}

}  // namespace tacit::catalog
