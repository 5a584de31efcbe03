#include "generated_expressions.h"

#include <cmath>
#include <cstdlib>

#include "sql/functions/function.h"
#include "sql/parse.h"
#include "sql/testing/edge_values.h"

namespace tacit::golden {

using sql::Expression;

void GeneratedExpressions::AddToScope(const std::string& table, const std::string& name,
                                      const ValueType& type) {
  scope_.columns.push_back({.table = table, .column = {name, type}});
}

void GeneratedExpressions::AddColumn(const std::string& table, const std::string& name,
                                     const ValueType& type) {
  AddToScope(table, name, type);
  leaves_.push_back(sql::MakeExpression(sql::ColumnReference{table, name}));
}

void GeneratedExpressions::AddEdgeLiterals() {
  for (const std::string& text : sql::testing::EdgeLiterals()) {
    const Result<sql::Statement> statement = sql::Parse("SELECT " + text);
    if (!statement.ok()) continue;
    leaves_.push_back(sql::As<sql::Select>(statement->query)->items[0].expression);
  }
}

Expression GeneratedExpressions::Argument() {
  if (!made_.empty() && Below(2) == 0) return made_[Below(made_.size())];
  return leaves_[Below(leaves_.size())];
}
Expression GeneratedExpressions::CallOf(const sql::Function& function) {
  const auto least = static_cast<size_t>(function.arguments_min);
  const size_t most =
      function.arguments_max < 0 ? least + 1 : static_cast<size_t>(function.arguments_max);
  std::vector<Expression> arguments(least + Below(most - least + 1));
  for (Expression& argument : arguments) argument = Argument();
  if (function.name == "negate") {
    return sql::MakeExpression(sql::Operator{"-", std::move(arguments)});
  }
  return sql::MakeExpression(sql::Call{std::string(function.name), std::move(arguments)});
}
template <class Make>
void GeneratedExpressions::Try(int wanted, std::vector<Expression>& made, const Check& check,
                               Make make) {
  int bound = 0;
  for (int attempt = 0; attempt < wanted * 40 && bound < wanted; ++attempt) {
    const Expression expression = make();
    if (!check(expression)) continue;
    made.push_back(expression);
    ++bound;
  }
}

void GeneratedExpressions::NestTwoDeep(int each, const Check& check) {
  for (int depth = 1; depth <= 2; ++depth) {
    std::vector<Expression> made;
    for (const sql::Function* function : sql::AllFunctions()) {
      if (function->name.starts_with("tacit_")) continue;
      const bool arithmetic = function->family == "arithmetic";
      Try(arithmetic ? 6 * each : each, made, check, [&] { return CallOf(*function); });
    }
    Try(each * 12, made, check, [&] {
      const auto& columns = sql::testing::EdgeColumns();
      return sql::MakeExpression(sql::Cast{Argument(), columns[Below(columns.size())].type});
    });
    made_.insert(made_.end(), made.begin(), made.end());
  }
}

std::vector<std::string> EndsOfDoubles() {
  std::vector<std::string> ends;
  for (const char* mantissa : {"1", "1.5", "1.9999999999999998", "-1.1"}) {
    for (const int power : {-1074, -1060, -1022, -1000, -540, -500, -498, -37,  -1,   0,   1,
                            3,     50,    498,   499,   500,  512,  523,  1000, 1022, 1023}) {
      char text[40];
      std::snprintf(text, sizeof text, "'%.17g'",
                    std::ldexp(std::strtod(mantissa, nullptr), power));
      if (std::string(text).find("inf") == std::string::npos) ends.emplace_back(text);
    }
  }
  return ends;
}

bool KnowsAll(const sql::Bound& bound, const sql::Dialect& dialect) {
  if (const auto* cast = sql::As<sql::BoundCast>(bound)) return KnowsAll(cast->operand, dialect);
  const auto* apply = sql::As<sql::BoundApply>(bound);
  if (apply == nullptr) return true;
  if (!dialect.Knows(*apply->function)) return false;
  for (const sql::Bound& argument : apply->arguments) {
    if (!KnowsAll(argument, dialect)) return false;
  }
  return true;
}

std::string ComparedText(const engine::Value& value) {
  const auto* real = std::get_if<double>(&value);
  if (real != nullptr && *real == 0) return "0";
  return engine::IsNull(value) ? "NULL" : "'" + engine::ToText(value) + "'";
}

}  // namespace tacit::golden
