#include <algorithm>
#include <map>

#include "analysis/types.h"
#include "plan/duckdb/exact_sql.h"

// The declared keys as a table, narrowed by the filters on key columns alone.
namespace tacit::plan::duckdb {
namespace {

using analysis::Key;
using analysis::KeySource;

// As an engine reads it: digits and an exponent where a plain decimal would be too long. Keys are
// written as decimals, so their denominators divide a power of ten.
std::string NumberText(const Rational& number) {
  const std::string plain = ToString(number);
  if (plain.find('/') == std::string::npos) return plain;
  Integer power = 1;
  unsigned long digits = 0;
  // Why 400: no double is written with more digits behind its point than that, to its leading one.
  while (digits < 400 && power % number.get_den() != 0) {
    power *= 10;
    ++digits;
  }
  return Integer(number.get_num() * power / number.get_den()).get_str() + "e-" +
         std::to_string(digits);
}

std::string PrintKeyValue(const policy::KeyValue& value) {
  using Kind = policy::KeyValue::Kind;
  if (value.kind == Kind::kBoolean) return value.truth ? "true" : "false";
  if (value.kind == Kind::kNumber && value.number.get_den() == 1) {
    return value.number.get_num().get_str();
  }
  return QuoteText(value.kind == Kind::kNumber ? NumberText(value.number) : value.text);
}

// One column, "v", of the column's own type.
std::string PrintValues(const KeySource& source) {
  const std::string type = TypeText(analysis::QueryTypeOf(source.type));
  if (const auto* table = std::get_if<policy::KeysOfTable>(&source.keys)) {
    return "SELECT DISTINCT CAST(" + Quote(table->column) + " AS " + type + ") AS v FROM " +
           Quote(table->table) + " WHERE " + Quote(table->column) + " IS NOT NULL";
  }
  if (const auto* range = std::get_if<policy::KeyRange>(&source.keys)) {
    if (range->from.get_den() == 1 && range->step.get_den() == 1) {
      const Integer end = FloorOf(range->to) + 1;
      return "SELECT CAST(unnest(range(" + range->from.get_num().get_str() + ", " + end.get_str() +
             ", " + range->step.get_num().get_str() + ")) AS " + type + ") AS v";
    }
  }
  std::string list;
  for (const policy::KeyValue& value : policy::ExpandKeys(source.keys)) {
    list += (list.empty() ? "CAST(" : ", CAST(") + PrintKeyValue(value) + " AS " + type + ")";
  }
  return "SELECT unnest([" + list + "]) AS v";
}

std::string OutcomesTable(size_t i) { return Quote("tacit_key_" + std::to_string(i + 1)); }

// What the query lists itself, as a table of its own.
Result<std::string> PrintOutcomes(const analysis::Block& block, size_t i) {
  const Key& key = block.keys[i];
  std::string list;
  for (const sql::Expression& outcome : key.outcomes) {
    const sql::Expression typed =
        sql::MakeExpression(sql::Cast{outcome, key.type}, outcome->position);
    TACIT_TRY(const std::string text, PrintBelow(typed, block));
    list += (list.empty() ? "" : ", ") + text;
  }
  return "(SELECT unnest([" + list + "]) AS v) AS " + OutcomesTable(i);
}

// Every scan's key columns under the scan's own name, so that keys and filters read them as they
// are written.
Result<std::string> PrintKeyTables(const analysis::Block& block) {
  std::map<std::string, std::map<std::string, const KeySource*>> tables;
  for (const Key& key : block.keys) {
    for (const KeySource& source : key.sources) {
      tables[source.column.table].emplace(source.column.column, &source);
    }
  }
  std::string text;
  for (const auto& [table, columns] : tables) {
    std::string items;
    std::string from;
    for (const auto& [column, source] : columns) {
      const std::string name = "tacit_" + column;
      items += (items.empty() ? "" : ", ") + Quote(name) + ".v AS " + Quote(column);
      from += (from.empty() ? "(" : " CROSS JOIN (") + PrintValues(*source) + ") AS " + Quote(name);
    }
    text += (text.empty() ? "(SELECT " : " CROSS JOIN (SELECT ") + items + " FROM " + from +
            ") AS " + Quote(table);
  }
  for (size_t i = 0; i < block.keys.size(); ++i) {
    if (block.keys[i].outcomes.empty()) continue;
    TACIT_TRY(const std::string outcomes, PrintOutcomes(block, i));
    text += (text.empty() ? "" : " CROSS JOIN ") + outcomes;
  }
  return text;
}

// Whether no value comes twice. A policy names no key twice, but two names may be one value, as
// dates, fractions or numbers in quotes.
bool IsDistinct(const KeySource& source) {
  const auto is_whole = [](const Rational& number) { return number.get_den() == 1; };
  const ValueKind kind = source.type.kind;
  if (const auto* range = std::get_if<policy::KeyRange>(&source.keys)) {
    return kind == ValueKind::kInteger && is_whole(range->from) && is_whole(range->step);
  }
  if (const auto* listed = std::get_if<policy::ListedKeys>(&source.keys)) {
    using Kind = policy::KeyValue::Kind;
    return std::all_of(listed->values.begin(), listed->values.end(), [&](const auto& value) {
      if (kind == ValueKind::kText) return value.kind == Kind::kText;
      return kind == ValueKind::kInteger && value.kind == Kind::kNumber && is_whole(value.number);
    });
  }
  return std::holds_alternative<policy::KeysOfTable>(source.keys);
}

// Whether the combinations of the declared keys are the keys, each once.
bool AreKeysThemselves(const analysis::Block& block) {
  return std::all_of(block.keys.begin(), block.keys.end(), [](const Key& key) {
    return !key.IsPublic() || !key.outcomes.empty() ||
           (sql::As<sql::ColumnReference>(key.expression) != nullptr &&
            std::all_of(key.sources.begin(), key.sources.end(), IsDistinct));
  });
}

}  // namespace

std::string PrintModeValues(const analysis::Measure& measure) {
  std::string list;
  for (const policy::KeyValue& value : measure.values) {
    list += (list.empty() ? "CAST(" : ", CAST(") + PrintKeyValue(value) + " AS " +
            TypeText(measure.type) + ")";
  }
  return "[" + list + "]";
}

Result<std::string> KeyListSql(const analysis::Block& block) {
  std::string items;
  std::string conditions;
  const auto require = [&](const std::string& condition) {
    conditions += (conditions.empty() ? " WHERE " : " AND ") + condition;
  };
  for (size_t i = 0; i < block.keys.size(); ++i) {
    if (!block.keys[i].IsPublic()) continue;
    std::string key = OutcomesTable(i) + ".v";
    if (block.keys[i].outcomes.empty()) {
      TACIT_TRY(key, PrintKey(block.keys[i], block));
    }
    items += (items.empty() ? "" : ", ") + key + " AS k" + std::to_string(i + 1);
    require("(" + key + ") IS NOT NULL");
  }
  for (const sql::Expression& filter : block.key_filters) {
    TACIT_TRY(const std::string condition, PrintBelow(filter, block));
    require("(" + condition + ")");
  }
  TACIT_ASSERT(!items.empty());
  TACIT_TRY(const std::string tables, PrintKeyTables(block));
  return (AreKeysThemselves(block) ? "SELECT " : "SELECT DISTINCT ") + items + " FROM " + tables +
         conditions;
}

}  // namespace tacit::plan::duckdb
