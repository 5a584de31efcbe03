#include <cstdio>

#include "plan/duckdb/exact_sql.h"
#include "sql/bind.h"
#include "sql/print/query.h"

namespace tacit::plan::duckdb {

std::string Quote(const std::string& identifier) {
  return sql::DuckDbDialect().Identifier(identifier);
}

std::string QuoteText(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

std::string TypeText(const sql::Type& type) { return sql::DuckDbDialect().TypeName(type); }

std::string DoubleText(const Rational& value) {
  // Numbers of up to 17 digits are exact quotients of integers; longer ones are doubles anyway.
  constexpr size_t kDigits = 17;
  if (mpz_sizeinbase(value.get_num_mpz_t(), 10) > kDigits ||
      mpz_sizeinbase(value.get_den_mpz_t(), 10) > kDigits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", ToDoubleDown(value));
    return "CAST('" + std::string(text) + "' AS DOUBLE)";
  }
  const std::string whole = "CAST((" + value.get_num().get_str() + ") AS DOUBLE)";
  if (value.get_den() == 1) return whole;
  return whole + " / CAST(" + value.get_den().get_str() + " AS DOUBLE)";
}

namespace {

Result<sql::Bound> BindBelow(const sql::Expression& expression, const analysis::Block& block) {
  sql::Scope scope;
  for (const auto& [reference, column] : block.columns) {
    scope.columns.push_back({.table = reference.table,
                             .column = {reference.column, column.type},
                             .merged = false,
                             .shared = false});
  }
  for (size_t i = 0; i < block.constants.size(); ++i) {
    scope.columns.push_back({.table = "tacit_constant",
                             .column = {"v" + std::to_string(i + 1), block.constants[i].type},
                             .merged = false,
                             .shared = false});
  }
  return sql::Bind(expression, scope);
}

}  // namespace

Result<std::string> PrintBelow(const sql::Expression& expression, const analysis::Block& block) {
  TACIT_TRY(const sql::Bound bound, BindBelow(expression, block));
  return sql::PrintExpression(bound, sql::DuckDbDialect());
}

namespace {

// Why 16: a summand is seldom deeper, and every level is bound once more.
constexpr int kLevelsMax = 16;

// Whole numbers stay what they are, so that an overflow is NULL as before.
sql::Expression InDoubles(const sql::Expression& number, const analysis::Block& block, int levels) {
  const Result<sql::Bound> bound = BindBelow(number, block);
  if (!bound.ok()) return number;  // printing it will say why
  const sql::TypeKind kind = (*bound)->type.kind;
  const bool descends =
      levels > 0 && (kind == sql::TypeKind::kNumeric || kind == sql::TypeKind::kDouble);
  const auto* call = sql::As<sql::Operator>(number);
  const auto* choice = sql::As<sql::Case>(number);
  if (descends && call != nullptr &&
      (call->symbol == "+" || call->symbol == "-" || call->symbol == "*")) {
    sql::Operator changed = *call;
    for (sql::Expression& part : changed.arguments) part = InDoubles(part, block, levels - 1);
    return sql::MakeExpression(std::move(changed), number->position);
  }
  if (descends && choice != nullptr) {
    sql::Case changed = *choice;
    for (sql::CaseBranch& branch : changed.branches) {
      branch.then = InDoubles(branch.then, block, levels - 1);
    }
    if (changed.otherwise) changed.otherwise = InDoubles(changed.otherwise, block, levels - 1);
    return sql::MakeExpression(std::move(changed), number->position);
  }
  if (kind == sql::TypeKind::kDouble) return number;
  const sql::Type real{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  return sql::MakeExpression(sql::Cast{number, real}, number->position);
}

}  // namespace

sql::Expression InDoubles(const sql::Expression& number, const analysis::Block& block) {
  return InDoubles(number, block, kLevelsMax);
}

std::string PrintConstants(const analysis::Block& block) {
  if (block.constants.empty()) return "";
  std::string list;
  for (size_t i = 0; i < block.constants.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    list += (i == 0 ? "" : ", ") + ("CAST($" + number + " AS ") +
            TypeText(block.constants[i].type) + ") AS " + Quote("v" + number);
  }
  return "(SELECT " + list + ") AS " + Quote("tacit_constant");
}

}  // namespace tacit::plan::duckdb
