#include <algorithm>
#include <map>

#include "analysis/analyzer.h"
#include "analysis/catalog.h"
#include "analysis/types.h"
#include "sql/print/query.h"
#include "sql/walk.h"

// VALUES beside protected rows: each row meets each of the written ones. literals.md has the claim.
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

// The column's values as public keys, and where numbers lie.
void Describe(const LiteralRows& literals, size_t i, RowColumn& column) {
  std::map<std::string, policy::KeyValue> keys;
  for (const auto& row : literals.rows) {
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
  column.keys = std::move(listed);
}

// How often the most frequent value of a column is written; texts and numbers only.
size_t MostEqual(const LiteralRows& literals, size_t i) {
  const sql::Type& type = literals.types[i];
  const bool known = type.IsInteger() || type.kind == sql::TypeKind::kText;
  if (!known) return literals.rows.size();
  std::map<std::string, size_t> counts;
  size_t most = 1;
  for (const auto& row : literals.rows) {
    const std::optional<policy::KeyValue> key = KeyOf(row[i], type);
    if (key) most = std::max(most, ++counts[key->text]);
  }
  return most;
}

}  // namespace

std::optional<sql::DerivedTable> Analyzer::LiteralsOf(const PublicItem& item,
                                                      const Environment& environment) const {
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

Result<ProtectedRows> Analyzer::ScanLiterals(const sql::DerivedTable& table,
                                             sql::Position position) {
  const auto& values = *sql::As<sql::Values>(table.query);
  TACIT_TRY(const std::vector<sql::Column> columns,
            sql::ColumnsOf(table.query, ReleasedCatalog(facts_)));
  LiteralRows literals{.alias = "t" + std::to_string(++scans_), .types = {}, .rows = values.rows};
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
    columns_.emplace(std::pair(reference.table, reference.column), std::move(column));
    result.columns.push_back({table.alias.name, name, MakeExpression(reference), false});
  }
  result.rows.rows_per_unit = Integer(static_cast<unsigned long>(literals.rows.size()));
  result.rows.source = RowSource(RowSourceNode{std::move(literals)});
  return result;
}

Result<ProtectedRows> Analyzer::JoinLiterals(const sql::Join& join, ProtectedRows rows,
                                             const sql::DerivedTable& table, bool rows_first,
                                             const std::vector<Expression>& where,
                                             const Environment& environment,
                                             sql::Position position) {
  if (join.kind == sql::JoinKind::kFull) {
    return Refuse(rules::kFullJoin, position, "a FULL join with VALUES makes rows of nobody",
                  "use an inner join, or ask without VALUES: " + ExampleCount(rows.rows));
  }
  TACIT_TRY(ProtectedRows added, ScanLiterals(table, position));
  const LiteralRows literals = *As<LiteralRows>(added.rows.source);
  const bool inner = join.kind == sql::JoinKind::kInner || join.kind == sql::JoinKind::kCross;
  const bool rows_preserved =
      join.kind == (rows_first ? sql::JoinKind::kLeft : sql::JoinKind::kRight);
  const ProtectedRows& first = rows_first ? rows : added;
  const ProtectedRows& second = rows_first ? added : rows;
  ProtectedRows combined;
  combined.columns = first.columns;
  combined.columns.insert(combined.columns.end(), second.columns.begin(), second.columns.end());
  TACIT_TRY(std::vector<Expression> conditions,
            JoinConditions(join, first, combined, environment, position));
  std::vector<Expression> equalities = conditions;
  for (const Expression& conjunct : where) {
    if (!inner) break;
    Result<Expression> resolved =
        ResolveOverRows(conjunct, combined, environment, Use::kProjection);
    if (resolved.ok()) equalities.push_back(*resolved);
  }
  // An equality with a column leaves as many matches as that column has equal values.
  size_t matches = literals.rows.size();
  for (const Expression& equality : equalities) {
    const auto* column = EquatedColumn(equality, literals.alias);
    if (column == nullptr) continue;
    matches = std::min(matches, MostEqual(literals, std::stoul(column->column.substr(1)) - 1));
  }
  combined.rows = rows.rows;
  combined.rows.rows_per_unit *= Integer(static_cast<unsigned long>(matches));
  TACIT_CHECK(CheckRowsOfOneUnit(combined.rows, rows.rows.rows_per_unit, position));
  combined.rows.public_preserved = rows.rows.public_preserved || (!inner && !rows_preserved);
  if (rows_preserved) nullable_.insert(literals.alias);
  // Without a condition a LEFT join keeps every row anyway: VALUES is never empty.
  const bool outer = rows_preserved && !conditions.empty();
  combined.rows.source =
      RowSource(RowSourceNode{RowJoin{.kind = outer                ? sql::JoinKind::kLeft
                                              : conditions.empty() ? sql::JoinKind::kCross
                                                                   : sql::JoinKind::kInner,
                                      .left = rows.rows.source,
                                      .right = added.rows.source,
                                      .left_unit = {},
                                      .right_unit = {},
                                      .on = sql::JoinConjuncts(std::move(conditions))}});
  return combined;
}

}  // namespace tacit::analysis
