#include "engine/trino/statement/dialect.h"

#include "engine/statement/printer.h"
#include "plan/above/post_text.h"
#include "sql/print/quote.h"

namespace tacit::engine::trino {
namespace {

// Why so: Trino takes a million characters (query.max-length) unless its operator says otherwise;
// values that are bound later make a text a little longer.
constexpr size_t kTextBytesMax = 950'000;

// Between keys that are sent as one text: a control character that no list has.
constexpr char kSeparator = '\x1f';

Result<std::string> WithinLimit(Result<std::string> text) {
  if (!text.ok() || text->size() <= kTextBytesMax) return text;
  return statement::WithoutWords("Trino",
                                 "room for a statement as long as this needs, with keys "
                                 "that are listed one by one, and");
}

// As Trino reads what ToText writes: zones in letters.
std::string ValueText(const Value& value) {
  std::string text = ToText(value);
  const auto* instant = std::get_if<Timestamp>(&value);
  if (instant != nullptr && instant->with_zone && text.ends_with("+00")) {
    text.replace(text.size() - 3, 3, " UTC");
  }
  return text;
}

}  // namespace

std::string TrinoStatement::Parameter(size_t number, const std::string& type) const {
  const bool is_known = number <= bound_.values.size() && !IsNull(bound_.values[number - 1]);
  const std::string value =
      is_known ? sql::QuoteString(ValueText(bound_.values[number - 1])) : "NULL";
  return "CAST(" + value + " AS " + type + ")";
}

std::string TrinoStatement::KeyValue(const policy::KeyValue& value) const {
  // Numbers in quotes: one that is written out is read as the type that its size has.
  const std::string text = plan::KeyValueText(value);
  return value.kind == policy::KeyValue::Kind::kNumber && text[0] != '\'' ? "'" + text + "'" : text;
}

std::string TrinoStatement::Values(const std::vector<std::string>& values) const {
  return "SELECT v FROM (VALUES " + statement::ListOf(values, ", ") + ") AS listed(v)";
}

// Many values as one text that is split: shorter, and the cluster plans it in a moment where it
// needs seconds for as many rows that are written out.
std::string TrinoStatement::KeyValues(const std::vector<policy::KeyValue>& keys,
                                      const std::string& type) const {
  using Kind = policy::KeyValue::Kind;
  constexpr size_t kFew = 50;
  std::string joined;
  bool with_null = false;
  bool is_first = true;
  for (const policy::KeyValue& key : keys) {
    if (key.kind == Kind::kNull) {
      with_null = true;
      continue;
    }
    std::string text = key.kind == Kind::kText ? key.text : plan::KeyValueText(key);
    if (key.kind != Kind::kText) std::erase(text, '\'');
    // What the separator stands in is written out, as is what is short.
    if (text.find(kSeparator) != std::string::npos) return Dialect::KeyValues(keys, type);
    joined += (is_first ? "" : std::string(1, kSeparator)) + text;
    is_first = false;
  }
  if (keys.size() <= kFew) return Dialect::KeyValues(keys, type);
  const std::string rows = "SELECT CAST(one AS " + type + ") AS v FROM UNNEST(split(" +
                           sql::QuoteString(joined) + ", '" + kSeparator + "')) AS listed(one)";
  return with_null ? rows + " UNION ALL SELECT CAST(NULL AS " + type + ") AS v" : rows;
}

// Why two: a sequence holds 10,000 numbers.
std::string TrinoStatement::WholeNumbers(const Integer& low, const Integer& end,
                                         const Integer& step, const std::string& type) const {
  constexpr int64_t kPart = 10'000;
  const Integer count = end > low ? Integer((end - low + step - 1) / step) : Integer(0);
  const Integer parts = (count + kPart - 1) / kPart;
  if (count == 0) return "SELECT CAST(NULL AS " + type + ") AS v WHERE FALSE";
  if (parts > kPart) return words_.Missing("list of more than 100,000,000 numbers");
  const std::string place = "(CAST(part AS bigint) * 10000 + one)";
  return "SELECT CAST(CAST('" + low.get_str() + "' AS bigint) + " + place + " * CAST('" +
         step.get_str() + "' AS bigint) AS " + type + ") AS v FROM UNNEST(sequence(0, " +
         Integer(parts - 1).get_str() + ")) AS parts(part) CROSS JOIN UNNEST(sequence(0, " +
         Integer(std::min<Integer>(count, kPart) - 1).get_str() + ")) AS ones(one) WHERE " + place +
         " < " + count.get_str();
}

// The keys are distinct: no row is doubled.
std::string TrinoStatement::SemiJoin(const std::string& rows, const std::string& keys,
                                     const std::string& on) const {
  return "(SELECT rows.* FROM (" + rows + ") AS rows JOIN (" + keys + ") AS keys ON " + on +
         ") AS rows";
}

std::string TrinoStatement::StoredTable(const CatalogTable& table) const {
  return sql::QuoteIdentifier(database_) + "." + sql::QuoteIdentifier(catalog().schema) + "." +
         sql::QuoteIdentifier(table.name);
}

std::string TrinoStatement::RowNumber(const CatalogTable&) const { return "row_number() OVER ()"; }

std::string TrinoStatement::Bytes(const std::string& value, Stored stored,
                                  const ValueType& type) const {
  return PrintBytes(value, stored, type);
}

std::string TrinoStatement::BytesOf(const std::string& text) const {
  return "X'" + server::MarkedHex(text) + "'";
}

std::string TrinoStatement::BytesOfKey(size_t) const { return BytesOf(bound_.row_key); }

std::string TrinoStatement::Digest(const std::string& bytes) const {
  return "substr(sha256(" + bytes + "), 1, 8)";
}

Result<std::string> StatementOf(const plan::Release& release, const Catalog& tables,
                                const std::string& database, Bound bound) {
  return WithinLimit(server::PrintRelease(
      release,
      TrinoStatement(tables, database, std::move(bound), server::InDoubles(*release.exact))));
}

Result<std::string> StatementOf(const plan::PublicTable& table, const Catalog& tables,
                                const std::string& database) {
  return WithinLimit(server::PrintPublic(table, TrinoStatement(tables, database)));
}

}  // namespace tacit::engine::trino
