#include <cstdio>
#include <set>

#include "analysis/blocks/block_map.h"
#include "plan/duckdb/exact_sql.h"
#include "plan/duckdb/functions.h"
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

std::optional<std::string> LongDoubleText(const Rational& value) {
  constexpr size_t kDigits = 17;
  if (mpz_sizeinbase(value.get_num_mpz_t(), 10) <= kDigits &&
      mpz_sizeinbase(value.get_den_mpz_t(), 10) <= kDigits) {
    return std::nullopt;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", ToDoubleDown(value));
  return text;
}

std::string DoubleText(const Rational& value) {
  if (const auto text = LongDoubleText(value)) return "CAST('" + *text + "' AS DOUBLE)";
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
    scope.columns.push_back({.table = analysis::kConstantTable,
                             .column = {"v" + std::to_string(i + 1), block.constants[i].type},
                             .merged = false,
                             .shared = false});
  }
  return sql::Bind(expression, scope);
}

std::string PrintConstant(const analysis::Block& block, size_t i) {
  return "CAST($" + std::to_string(i + 1) + " AS " + TypeText(block.constants.at(i).type) + ")";
}

// The stored columns that tacit_from_decimal reads, as they are printed. What is computed may be of
// another type in the engine than it is in the query.
std::set<std::string> StoredDecimals(const analysis::Block& block) {
  std::set<std::string> scans;
  analysis::ForEachScan(block.rows.source,
                        [&](const analysis::TableScan& scan) { scans.insert(scan.alias); });
  std::set<std::string> decimals;
  for (const auto& [reference, column] : block.columns) {
    const ValueType& type = column.stored_type;
    if (type.kind != ValueKind::kNumeric || type.precision > kFromDecimalDigitsMax) continue;
    if (!scans.contains(reference.table)) continue;
    decimals.insert(Quote(reference.table) + "." + Quote(reference.column));
  }
  return decimals;
}

// DuckDB's words, but for two. A released value stands where it is used, as a parameter: there is
// no table that every ON of every join could see. And the cast from a stored decimal, which took a
// quarter of TPC-H's Q1, is a function of ours.
class BelowDialect final : public sql::Dialect {
 public:
  BelowDialect(const analysis::Block& block, std::set<std::string> decimals)
      : block_(block), decimals_(std::move(decimals)) {}

  std::string Identifier(const std::string& name) const override {
    return engine_.Identifier(name);
  }
  std::string Column(const std::string& table, const std::string& column) const override {
    if (table != analysis::kConstantTable) return engine_.Column(table, column);
    return PrintConstant(block_, std::stoul(column.substr(1)) - 1);
  }
  std::string Constant(const sql::Literal& literal, const sql::Type& type) const override {
    return engine_.Constant(literal, type);
  }
  std::string TypeName(const sql::Type& type) const override { return engine_.TypeName(type); }
  std::string Read(const std::string& column, const sql::Type& type) const override {
    return engine_.Read(column, type);
  }
  std::string CanonicalKey(const std::string& key, const sql::Type& type) const override {
    return engine_.CanonicalKey(key, type);
  }
  bool Knows(const sql::Function& function) const override { return engine_.Knows(function); }
  std::string Apply(const sql::BoundApply& apply, const sql::Type& result,
                    const std::vector<std::string>& arguments) const override {
    return engine_.Apply(apply, result, arguments);
  }
  std::string Aggregate(const sql::BoundAggregate& call, const sql::Type& result,
                        const std::vector<std::string>& arguments, const std::string& order_by,
                        const std::string& tail) const override {
    return engine_.Aggregate(call, result, arguments, order_by, tail);
  }
  std::string Cast(const std::string& operand, const sql::Type& from,
                   const sql::Type& to) const override {
    const bool quick = to.kind == sql::TypeKind::kDouble && decimals_.contains(operand);
    return quick ? std::string(kFromDecimalFunction) + "(" + operand + ")"
                 : engine_.Cast(operand, from, to);
  }

 private:
  const sql::Dialect& engine_ = sql::DuckDbDialect();
  const analysis::Block& block_;
  std::set<std::string> decimals_;
};

}  // namespace

Result<std::string> PrintBelow(const sql::Expression& expression, const analysis::Block& block) {
  TACIT_TRY(const sql::Bound bound, BindBelow(expression, block));
  return sql::PrintExpression(bound, BelowDialect(block, {}));
}

Result<std::string> PrintKey(const analysis::Key& key, const analysis::Block& block) {
  TACIT_TRY(const std::string text, PrintBelow(key.expression, block));
  return sql::DuckDbDialect().CanonicalKey(text, key.type);
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

Result<std::string> PrintInDoubles(const sql::Expression& number, const analysis::Block& block) {
  TACIT_TRY(const sql::Bound bound, BindBelow(InDoubles(number, block, kLevelsMax), block));
  return sql::PrintExpression(bound, BelowDialect(block, StoredDecimals(block)));
}

std::string PrintConstants(const analysis::Block& block) {
  if (block.constants.empty()) return "";
  std::string list;
  for (size_t i = 0; i < block.constants.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    list += (i == 0 ? "" : ", ") + PrintConstant(block, i) + " AS " + Quote("v" + number);
  }
  return "(SELECT " + list + ") AS " + Quote(analysis::kConstantTable);
}

}  // namespace tacit::plan::duckdb
