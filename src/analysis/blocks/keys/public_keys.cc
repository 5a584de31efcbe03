#include "analysis/blocks/keys/public_keys.h"

#include <algorithm>

#include "analysis/blocks/keys/cells.h"
#include "analysis/expressions/columns.h"
#include "analysis/rules.h"
#include "policy/keys/fit.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// Whether the key says what becomes of a row without a value of the column: it is then one more
// value of the list.
bool AsksForNull(const Expression& key, const sql::ColumnReference& column) {
  const Expression bare = sql::MakeExpression(column);
  bool asks = false;
  sql::Visit(key, [&](const Expression& node) {
    if (const auto* call = sql::As<sql::Call>(node); call != nullptr && call->name == "coalesce") {
      const std::vector<sql::ColumnReference> named = sql::ColumnsIn(call->arguments.front());
      asks = asks || std::find(named.begin(), named.end(), column) != named.end();
    }
    if (const auto* null = sql::As<sql::IsNull>(node)) asks = asks || null->operand == bare;
    if (const auto* distinct = sql::As<sql::IsDistinct>(node)) {
      asks = asks || distinct->left == bare || distinct->right == bare;
    }
    return true;
  });
  return asks;
}

// Whether the key's value follows from which of the column's listed cells a row is in. Other lists
// are of single values, of which everything follows.
bool FollowsFromCells(const Expression& key, const sql::ColumnReference& column,
                      const RowColumn& facts) {
  const auto* calendar = std::get_if<policy::KeyCalendar>(&*facts.keys);
  return calendar == nullptr || IsConstantWithin(key, column, facts.stored_type, calendar->step);
}

// 03000000000 is not: the parser keeps long numbers as they are written.
bool IsPlainInteger(const std::string& text) {
  const std::optional<Int128> number = ParseInt128(text);
  return number && ToString(*number) == text;
}

// Literals that are equal in the engine exactly if they are equal here. NULL is no group of a list.
bool IsOutcome(const sql::Literal& literal) {
  using Kind = sql::LiteralKind;
  if (literal.kind == Kind::kInteger) return IsPlainInteger(literal.text);
  return literal.kind == Kind::kString || literal.kind == Kind::kBoolean ||
         literal.kind == Kind::kDate;
}

// Adds what the expression can give, all of one kind; false when that is not known.
bool AddOutcomes(const Expression& expression, std::vector<Expression>* outcomes) {
  if (const auto* literal = sql::As<sql::Literal>(expression)) {
    if (!IsOutcome(*literal)) return false;
    for (const Expression& known : *outcomes) {
      if (known == expression) return true;
      if (sql::As<sql::Literal>(known)->kind != literal->kind) return false;
    }
    outcomes->push_back(expression);
    return true;
  }
  const auto* choice = sql::As<sql::Case>(expression);
  // Without ELSE it may be NULL.
  if (choice == nullptr || !choice->otherwise) return false;
  for (const sql::CaseBranch& branch : choice->branches) {
    if (!AddOutcomes(branch.then, outcomes)) return false;
  }
  return AddOutcomes(choice->otherwise, outcomes);
}

}  // namespace

// proof: analysis/blocks/keys/keys.md#claim
std::vector<Expression> OutcomesOf(const Expression& key, const RowSource& source) {
  std::vector<Expression> outcomes;
  const auto* reference = sql::As<sql::ColumnReference>(key);
  const auto* query = As<UnitQuery>(source);
  if (reference != nullptr && query != nullptr && reference->table == query->alias) {
    for (size_t i = 0; i < query->items.size(); ++i) {
      if (reference->column != "c" + std::to_string(i + 1)) continue;
      if (AddOutcomes(query->items[i], &outcomes)) return outcomes;
    }
    return {};
  }
  if (!AddOutcomes(key, &outcomes)) return {};
  return outcomes;
}

// proof: analysis/blocks/keys/keys.md#claim
Result<std::vector<KeySource>> PublicSourcesOf(const Known& known, const Expression& key) {
  std::vector<KeySource> sources;
  std::vector<sql::ColumnReference> seen;
  for (const sql::ColumnReference& reference : sql::ColumnsIn(key)) {
    if (IsConstant(reference)) return std::vector<KeySource>{};
    if (std::find(seen.begin(), seen.end(), reference) != seen.end()) continue;
    seen.push_back(reference);
    const RowColumn& column = ColumnOf(known, reference);
    if (!column.keys) return std::vector<KeySource>{};  // one private column makes the key private
    if (!policy::KeysFit(*column.keys, column.stored_type)) {
      return Refuse(rules::kKeyType, key->position,
                    "the keys that the policy lists for " + column.table + "." + column.column +
                        " are not of type " + PostgresName(column.stored_type),
                    "the owner can run tacit check");
    }
    if (!FollowsFromCells(key, reference, column)) return std::vector<KeySource>{};
    sources.push_back(
        {.column = reference,
         .keys = *column.keys,
         .type = column.stored_type,
         .with_null = policy::ListsNull(*column.keys) || AsksForNull(key, reference)});
  }
  return sources;
}

}  // namespace tacit::analysis
