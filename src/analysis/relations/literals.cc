#include "analysis/relations/literals.h"

#include <algorithm>
#include <map>

#include "analysis/rules.h"
#include "analysis/tables_above.h"
#include "analysis/types.h"
#include "sql/print/query.h"

namespace tacit::analysis {
namespace {

std::optional<policy::KeyValue> KeyOf(const Expression& value, const sql::Type& type) {
  const auto* literal = sql::As<sql::Literal>(value);
  if (literal == nullptr || literal->kind == sql::LiteralKind::kNull) return std::nullopt;
  policy::KeyValue key;
  key.text = literal->text;
  if (type.IsNumber()) {
    const Result<Rational> number = ParseRational(literal->text);
    if (!number.ok()) return std::nullopt;
    key.kind = policy::KeyValue::Kind::kNumber;
    key.number = *number;
    key.text = ToString(*number);
  } else if (type.kind == sql::TypeKind::kBoolean) {
    key.kind = policy::KeyValue::Kind::kBoolean;
    key.truth = literal->text == "true";
  }
  return key;
}

policy::KeyValue NullKey() {
  policy::KeyValue null;
  null.kind = policy::KeyValue::Kind::kNull;
  null.text = "NULL";
  return null;
}

// The column's values as public keys, NULL among them, and where numbers lie.
void Describe(const LiteralRows& literals, size_t i, RowColumn& column) {
  std::map<std::string, policy::KeyValue> keys;
  bool has_null = false;
  for (const auto& row : literals.rows) {
    const auto* literal = sql::As<sql::Literal>(row[i]);
    has_null = has_null || (literal != nullptr && literal->kind == sql::LiteralKind::kNull);
    const std::optional<policy::KeyValue> key = KeyOf(row[i], column.type);
    if (!key) continue;
    keys.emplace(key->text, *key);
    if (!column.type.IsNumber()) continue;
    if (!column.range.low || key->number < *column.range.low) column.range.low = key->number;
    if (!column.range.high || key->number > *column.range.high) column.range.high = key->number;
  }
  if (keys.empty()) return;
  policy::ListedKeys listed;
  for (const auto& [text, key] : keys) listed.values.push_back(key);
  if (has_null) listed.values.push_back(NullKey());
  column.keys = std::move(listed);
}

// Whether equal values of the column are written in one way: not so a date among texts.
bool HasOneText(const LiteralRows& literals, size_t i) {
  const sql::Type& type = literals.types[i];
  if (type.IsInteger() || type.kind == sql::TypeKind::kText) return true;
  const auto kind = type.kind == sql::TypeKind::kDate          ? sql::LiteralKind::kDate
                    : type.kind == sql::TypeKind::kTimestamp   ? sql::LiteralKind::kTimestamp
                    : type.kind == sql::TypeKind::kTimestampTz ? sql::LiteralKind::kTimestampTz
                                                               : sql::LiteralKind::kNull;
  return std::all_of(literals.rows.begin(), literals.rows.end(), [&](const auto& row) {
    const auto* literal = sql::As<sql::Literal>(row[i]);
    return literal != nullptr && kind != sql::LiteralKind::kNull && literal->kind == kind;
  });
}

}  // namespace

std::optional<sql::DerivedTable> LiteralsOf(const PublicItem& item,
                                            const Environment& environment) {
  const auto plain = [](const sql::Query& query) {
    return sql::As<sql::Values>(query) != nullptr && query->with.empty() && !query->limit &&
           !query->offset;
  };
  if (const auto* derived = sql::As<sql::DerivedTable>(item.relation)) {
    if (plain(derived->query)) return *derived;
  }
  if (const auto* common = sql::As<sql::CommonTableReference>(item.relation)) {
    const Environment* at = nullptr;
    const CommonTable* table = environment.FindCommonTable(common->name, &at);
    if (table == nullptr || !table->rewritten || !plain(table->rewritten->query)) return {};
    sql::Alias alias{common->alias.name.empty() ? common->name : common->alias.name,
                     table->rewritten->columns};
    for (size_t i = 0; i < common->alias.columns.size(); ++i) {
      if (i < alias.columns.size()) alias.columns[i] = common->alias.columns[i];
      if (i >= alias.columns.size()) alias.columns.push_back(common->alias.columns[i]);
    }
    return sql::DerivedTable{table->rewritten->query, std::move(alias)};
  }
  return std::nullopt;
}

// proof: analysis/relations/literals.md#claim
Result<ProtectedRows> ScanLiterals(Known& known, const sql::DerivedTable& table,
                                   sql::Position position) {
  const auto& values = *sql::As<sql::Values>(table.query);
  TACIT_TRY(const std::vector<sql::TypedColumn> columns,
            sql::ColumnsOf(table.query, TablesAbove(known.facts)));
  LiteralRows literals{.alias = NextAlias(known), .types = {}, .rows = values.rows};
  for (const auto& row : values.rows) {
    for (const Expression& value : row) {
      if (sql::As<sql::Literal>(value)) continue;
      return Refuse(rules::kComputedTableJoin, value->position,
                    "VALUES beside protected rows takes literals only",
                    "write the value itself: (VALUES (1), (2)) AS v(x)");
    }
  }
  if (table.alias.columns.size() > columns.size()) {
    return Refuse(rules::kWrongShape, position, "the alias of VALUES names too many columns",
                  "name at most as many columns as there are");
  }
  ProtectedRows result;
  for (size_t i = 0; i < columns.size(); ++i) {
    literals.types.push_back(columns[i].type.kind == sql::TypeKind::kUnknown
                                 ? sql::Type{sql::TypeKind::kText, 0, 0}
                                 : columns[i].type);
    const std::string name =
        i < table.alias.columns.size() ? table.alias.columns[i] : columns[i].name;
    RowColumn column;
    column.table = "VALUES";
    column.column = name;
    column.type = literals.types.back();
    column.stored_type = ValueTypeOf(column.type);
    Describe(literals, i, column);
    const sql::ColumnReference reference{literals.alias, "c" + std::to_string(i + 1)};
    result.columns.push_back(
        {table.alias.name, name, AddColumn(known, reference, std::move(column)), false});
  }
  result.rows.rows_per_unit = Integer(static_cast<unsigned long>(literals.rows.size()));
  result.rows.source = RowSource(RowSourceNode{std::move(literals)});
  return result;
}

void ForgetNull(Known& known, const sql::ColumnReference& column) {
  RowColumn& facts = known.columns.at({column.table, column.column});
  auto* listed = facts.keys ? std::get_if<policy::ListedKeys>(&*facts.keys) : nullptr;
  if (listed == nullptr) return;
  std::erase_if(listed->values, [](const policy::KeyValue& value) {
    return value.kind == policy::KeyValue::Kind::kNull;
  });
}

// Texts, whole numbers, and dates and times that are written as such: of others two that are
// written differently may be equal.
// proof: analysis/relations/literals.md#claim
size_t MostEqual(const LiteralRows& literals, const std::string& column) {
  const size_t i = std::stoul(column.substr(1)) - 1;
  const sql::Type& type = literals.types[i];
  if (!HasOneText(literals, i)) return literals.rows.size();
  std::map<std::string, size_t> counts;
  size_t most = 1;
  for (const auto& row : literals.rows) {
    const std::optional<policy::KeyValue> key = KeyOf(row[i], type);
    if (key) most = std::max(most, ++counts[key->text]);
  }
  return most;
}

}  // namespace tacit::analysis
