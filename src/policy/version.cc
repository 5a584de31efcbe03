#include <algorithm>

#include "base/secrets/digest.h"
#include "policy/policy.h"
#include "policy/schema.h"

namespace tacit::policy {
namespace {

// Fields with their lengths in front: no two policies write the same bytes.
class Canonical {
 public:
  Canonical& Field(std::string_view text) {
    bytes_ += std::to_string(text.size());
    bytes_ += ':';
    bytes_ += text;
    return *this;
  }
  Canonical& Field(const Rational& value) { return Field(std::string_view(value.get_str())); }
  Canonical& Field(int64_t value) { return Field(std::string_view(std::to_string(value))); }
  Canonical& Field(const char* text) { return Field(std::string_view(text)); }

  std::string Digest() const { return Sha256Hex(bytes_); }

 private:
  std::string bytes_;
};

void Write(Canonical& out, const ListedKeys& keys) {
  out.Field("listed").Field(static_cast<int64_t>(keys.values.size()));
  std::vector<std::pair<int64_t, std::string>> values;
  for (const KeyValue& value : keys.values) {
    // 1.0 and 1 are one key; "1" is another until the column's type is known.
    values.emplace_back(static_cast<int64_t>(value.kind), value.kind == KeyValue::Kind::kNumber
                                                              ? value.number.get_str()
                                                              : value.text);
  }
  std::sort(values.begin(), values.end());
  for (const auto& [kind, text] : values) out.Field(kind).Field(std::string_view(text));
}
void Write(Canonical& out, const KeyRange& range) {
  out.Field("range").Field(range.from).Field(range.to).Field(range.step);
}
void Write(Canonical& out, const KeyCalendar& calendar) {
  out.Field("calendar").Field(WordOf(calendar.step)).Field(calendar.first).Field(calendar.last);
}
void Write(Canonical& out, const KeysOfTable& keys) {
  out.Field("table").Field(FoldedName(keys.table)).Field(FoldedName(keys.column));
}

void Write(Canonical& out, const Column& column) {
  out.Field("column").Field(FoldedName(column.name)).Field(int64_t{column.hidden});
  if (column.bounds) out.Field("bounds").Field(column.bounds->low).Field(column.bounds->high);
  if (column.span) out.Field("span").Field(column.span->low).Field(column.span->high);
  if (column.step) out.Field("step").Field(*column.step);
  if (column.sum_per_unit) out.Field("sum_per_unit").Field(*column.sum_per_unit);
  if (column.required) out.Field("required");
  if (column.keys) std::visit([&out](const auto& keys) { Write(out, keys); }, *column.keys);
}

std::string UnitText(const Unit& unit) {
  if (const auto* column = std::get_if<UnitIsColumn>(&unit)) return FoldedName(column->column);
  if (const auto* reached = std::get_if<UnitIsReached>(&unit)) {
    return FoldedName(reached->via) + " -> " + FoldedName(reached->to_table) + "." +
           FoldedName(reached->to_column);
  }
  return "(row)";
}

void Write(Canonical& out, const Table& table) {
  out.Field("table").Field(FoldedName(table.name));
  if (table.is_public) {
    out.Field("public");
    return;
  }
  out.Field(UnitText(table.unit)).Field(table.rows_per_unit);
  out.Field(table.groups_per_unit).Field(table.rows_per_group);
  std::vector<const Column*> columns;
  for (const Column& column : table.columns) columns.push_back(&column);
  std::sort(columns.begin(), columns.end(), [](const Column* a, const Column* b) {
    return FoldedName(a->name) < FoldedName(b->name);
  });
  for (const Column* column : columns) Write(out, *column);
}

std::string Terms(const Privacy& privacy) {
  return std::string(privacy.neighbours == Neighbours::kAddRemove ? "add_remove" : "replace_one") +
         " protects=" + std::to_string(privacy.protects) +
         (privacy.accounting == Accounting::kPure ? " pure" : " zcdp");
}

}  // namespace

std::string PolicyVersion(const Policy& policy) {
  Canonical out;
  out.Field("tacit policy 1").Field(Terms(policy.privacy));
  std::vector<const Table*> tables;
  for (const Table& table : policy.tables) tables.push_back(&table);
  std::sort(tables.begin(), tables.end(), [](const Table* a, const Table* b) {
    return FoldedName(a->name) < FoldedName(b->name);
  });
  for (const Table* table : tables) Write(out, *table);
  return out.Digest();
}

Promise PromiseOf(const Policy& policy) {
  Promise promise;
  promise.terms = Terms(policy.privacy);
  for (const Table& table : policy.tables) {
    if (table.is_public) continue;
    promise.units.push_back(FoldedName(table.name) + ": " + UnitText(table.unit));
  }
  std::sort(promise.units.begin(), promise.units.end());
  return promise;
}

}  // namespace tacit::policy
