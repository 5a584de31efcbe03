#include <algorithm>

#include "analysis/types.h"
#include "engine/statement/printer.h"

// The declared keys as a table, narrowed by the filters on key columns alone. Prints from what the
// policy and the query say: analysis/blocks/keys/keys.md.
namespace tacit::engine::statement {
namespace {

using analysis::KeySource;
using tree::PublicKey;

// Whether no value comes twice. A policy names no key twice, but two names may be one value, as
// dates, fractions or numbers in quotes.
bool IsDistinct(const KeySource& source) {
  if (std::holds_alternative<policy::KeyCalendar>(source.keys)) return !source.with_null;
  const auto is_whole = [](const Rational& number) { return number.get_den() == 1; };
  if (const auto* range = std::get_if<policy::KeyRange>(&source.keys)) {
    return source.type.IsInteger() && is_whole(range->from) && is_whole(range->step);
  }
  if (const auto* listed = std::get_if<policy::ListedKeys>(&source.keys)) {
    using Kind = policy::KeyValue::Kind;
    return std::all_of(listed->values.begin(), listed->values.end(), [&](const auto& value) {
      if (value.kind == Kind::kNull) return true;
      if (source.type.kind == TypeKind::kText) return value.kind == Kind::kText;
      return source.type.IsInteger() && value.kind == Kind::kNumber && is_whole(value.number);
    });
  }
  return std::holds_alternative<policy::KeysOfTable>(source.keys);
}

// Whether the combinations of the declared keys are the keys, each once.
bool AreKeysThemselves(const tree::KeyListNode& list) {
  return std::all_of(list.keys.begin(), list.keys.end(), [](const PublicKey& key) {
    return !key.outcomes.empty() ||
           (sql::As<sql::ColumnReference>(key.expression.expression) != nullptr &&
            std::all_of(key.sources.begin(), key.sources.end(), IsDistinct));
  });
}

std::string OutcomesTable(const PublicKey& key) {
  return "tacit_key_" + std::to_string(key.place + 1);
}

}  // namespace

// One column, "v", of the column's own type.
std::string Printer::ValuesOf(const KeySource& source) const {
  const std::string type = dialect_.Words().TypeName(analysis::QueryTypeOf(source.type));
  const std::string values = KnownValuesOf(source, type);
  if (!source.with_null || policy::ListsNull(source.keys)) return values;
  return values + " UNION ALL SELECT CAST(NULL AS " + type + ") AS v";
}

// proof: plan/price/sensitivity.md#sensitivity-of-a-measure
std::string Printer::KnownValuesOf(const KeySource& source, const std::string& type) const {
  if (const auto* table = std::get_if<policy::KeysOfTable>(&source.keys)) {
    const std::string values = "SELECT DISTINCT CAST(" + Quote(table->column) + " AS " + type +
                               ") AS v FROM " + dialect_.Table(table->table) + " AS " +
                               Quote("tacit_stored") + " WHERE " + Quote(table->column) +
                               " IS NOT NULL";
    if (table->rows_max == 0) return values;
    // Sensitivities were reckoned with no more: plan/price/sensitivity.md.
    return "SELECT v FROM (" + values + " ORDER BY v LIMIT " + std::to_string(table->rows_max) +
           ") AS listed";
  }
  if (const auto* range = std::get_if<policy::KeyRange>(&source.keys)) {
    if (range->from.get_den() == 1 && range->step.get_den() == 1) {
      return dialect_.WholeNumbers(range->from.get_num(), FloorOf(range->to) + 1,
                                   range->step.get_num(), type);
    }
  }
  return dialect_.KeyValues(policy::ExpandKeys(source.keys), type);
}

// Every scan's key columns under the scan's own name, so that keys and filters read them as they
// are written; what the query lists itself, as a table of its own.
Result<std::string> Printer::KeyTables(const tree::KeyListNode& list) const {
  std::map<std::string, std::map<std::string, const KeySource*>> tables;
  for (const PublicKey& key : list.keys) {
    for (const KeySource& source : key.sources) {
      const KeySource*& known = tables[source.column.table][source.column.column];
      if (known == nullptr || source.with_null) known = &source;
    }
  }
  std::vector<std::string> parts;
  for (const auto& [table, columns] : tables) {
    std::vector<std::string> items;
    std::vector<std::string> from;
    for (const auto& [column, source] : columns) {
      const std::string name = Quote("tacit_" + column);
      items.push_back(name + ".v AS " + Quote(column));
      from.push_back("(" + ValuesOf(*source) + ") AS " + name);
    }
    parts.push_back("(SELECT " + ListOf(items, ", ") + " FROM " + ListOf(from, " CROSS JOIN ") +
                    ") AS " + Quote(table));
  }
  for (const PublicKey& key : list.keys) {
    if (key.outcomes.empty()) continue;
    std::vector<std::string> values;
    for (const tree::Typed& outcome : key.outcomes) {
      TACIT_TRY(values.emplace_back(), Print(outcome));
    }
    parts.push_back("(" + dialect_.Values(values) + ") AS " + Quote(OutcomesTable(key)));
  }
  return ListOf(parts, " CROSS JOIN ");
}

Result<std::string> Printer::KeyList(const tree::KeyListNode& list) const {
  std::vector<std::string> items;
  std::vector<std::string> conditions;
  for (const PublicKey& key : list.keys) {
    const std::string name = "k" + std::to_string(key.place + 1);
    std::string text = Quote(OutcomesTable(key)) + ".v";
    if (key.outcomes.empty()) {
      TACIT_TRY(
          text,
          Print(tree::ProjectedColumn{
              .name = name, .form = tree::Form::kKey, .type = key.type, .value = key.expression}));
    }
    items.push_back(text + " AS " + name);
  }
  for (const tree::Typed& filter : list.filters) {
    TACIT_TRY(const std::string condition, Print(filter));
    conditions.push_back("(" + condition + ")");
  }
  TACIT_ASSERT(!items.empty());
  TACIT_TRY(const std::string tables, KeyTables(list));
  return (AreKeysThemselves(list) ? "SELECT " : "SELECT DISTINCT ") + ListOf(items, ", ") +
         " FROM " + tables + (conditions.empty() ? "" : " WHERE " + ListOf(conditions, " AND "));
}

Result<std::string> PrintKeys(const tree::AllKeys& keys, const Dialect& dialect) {
  return Printer(keys.names, dialect).KeyList(*keys.keys);
}

}  // namespace tacit::engine::statement
