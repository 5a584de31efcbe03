#include "plan/fingerprint/texts.h"

#include <algorithm>

#include "base/mutant.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::plan {

void Line(std::string& text, const std::string& word, const std::string& value) {
  text += word + " " + std::to_string(value.size()) + ":" + value + "\n";
}

std::string CanonicalText(const sql::Expression& expression) {
  return expression ? sql::PrintCanonical(expression) : "";
}

std::string CapText(const std::optional<analysis::GroupCap>& cap) {
  return cap ? cap->groups.get_str() + " " + cap->rows.get_str() : "none";
}

namespace {

std::string KeyValueText(const policy::KeyValue& value) {
  using Kind = policy::KeyValue::Kind;
  if (value.kind == Kind::kNumber) return "number " + ToString(value.number);
  if (value.kind == Kind::kBoolean) return value.truth ? "true" : "false";
  if (value.kind == Kind::kNull) return "null";
  return "text " + value.text;
}

// The groups of a public key are the list's: another list, another released table. What a public
// table holds is data, and another data_version is another question already.
void AddKeyList(std::string& text, const policy::KeyList& keys) {
  if (TACIT_MUTANT("fingerprint_without_key_list")) return;
  if (const auto* listed = std::get_if<policy::ListedKeys>(&keys)) {
    std::vector<std::string> values;
    for (const policy::KeyValue& value : listed->values) values.push_back(KeyValueText(value));
    std::sort(values.begin(), values.end());  // in whatever order they are listed
    for (const std::string& value : values) Line(text, "key", value);
  } else if (const auto* range = std::get_if<policy::KeyRange>(&keys)) {
    Line(text, "key range",
         ToString(range->from) + " " + ToString(range->to) + " " + ToString(range->step));
  } else if (const auto* calendar = std::get_if<policy::KeyCalendar>(&keys)) {
    Line(text, "key calendar",
         std::string(policy::WordOf(calendar->step)) + " " + policy::InstantText(calendar->first) +
             " " + policy::InstantText(calendar->last));
  } else {
    const auto& table = std::get<policy::KeysOfTable>(keys);
    Line(text, "key table", policy::FoldedName(table.table));
    Line(text, "key column", policy::FoldedName(table.column));
    if (table.rows_max > 0) Line(text, "keys at most", std::to_string(table.rows_max));
  }
}

}  // namespace

void AddKey(std::string& text, const analysis::Key& key) {
  Line(text, key.IsPublic() ? "public key" : "private key", CanonicalText(key.expression));
  for (const analysis::KeySource& source : key.sources) {
    Line(text, "listed", source.column.table + " " + policy::FoldedName(source.column.column));
    AddKeyList(text, source.keys);
    if (source.with_null) Line(text, "listed", "null");
  }
  for (const sql::Expression& outcome : key.outcomes) Line(text, "outcome", CanonicalText(outcome));
}

namespace {

// Whose a row is, and under other caps other rows are kept: another question.
void AddScan(std::string& text, const analysis::TableScan& scan) {
  Line(text, scan.is_public ? "public scan" : "scan",
       policy::FoldedName(scan.table) + " " + scan.alias + " " + scan.rows_per_unit.get_str() +
           " " + scan.groups_per_unit.get_str() + " " + scan.rows_per_group.get_str());
  for (const policy::UnitHop& hop : scan.hops) {
    Line(text, "via", policy::FoldedName(hop.via));
    Line(text, "to table", policy::FoldedName(hop.to_table));
    Line(text, "to column", policy::FoldedName(hop.to_column));
  }
  Line(text, "unit", policy::FoldedName(scan.unit_column));
  for (const std::string& column : scan.unique_on) {
    Line(text, "one each", policy::FoldedName(column));
  }
}

void AddUnitQuery(std::string& text, const analysis::UnitQuery& query) {
  Line(text, query.grouped ? "unit groups" : "unit rows", query.alias);
  AddSource(text, query.inner.source);
  for (const sql::Expression& filter : query.inner.filters) {
    Line(text, "where", CanonicalText(sql::Normalize(filter)));
  }
  for (const sql::Expression& item : query.items) Line(text, "item", CanonicalText(item));
  for (const sql::Expression& key : query.group_by) Line(text, "by", CanonicalText(key));
}

}  // namespace

void AddSource(std::string& text, const analysis::RowSource& source) {
  if (const auto* scan = analysis::As<analysis::TableScan>(source)) {
    return AddScan(text, *scan);
  }
  if (const auto* query = analysis::As<analysis::UnitQuery>(source)) {
    return AddUnitQuery(text, *query);
  }
  if (const auto* united = analysis::As<analysis::RowUnion>(source)) {
    Line(text, "union", united->alias + " " + std::to_string(united->parts.size()));
    for (const analysis::UnitQuery& part : united->parts) AddUnitQuery(text, part);
    return;
  }
  if (const auto* literals = analysis::As<analysis::LiteralRows>(source)) {
    Line(text, "values", literals->alias + " " + std::to_string(literals->types.size()));
    for (const sql::Type& type : literals->types) Line(text, "type", sql::ToString(type));
    for (const auto& row : literals->rows) {
      for (const sql::Expression& value : row) Line(text, "value", CanonicalText(value));
    }
    return;
  }
  const auto& join = *analysis::As<analysis::RowJoin>(source);
  Line(text, "join",
       std::to_string(static_cast<int>(join.kind)) + " " +
           CanonicalText(join.on ? sql::Normalize(join.on) : join.on));
  AddSource(text, join.left);
  AddSource(text, join.right);
}

void AddMeasure(std::string& text, const analysis::ExactMeasure& measure, bool with_ends,
                bool with_cap) {
  const bool is_quantile = measure.kind == analysis::MeasureKind::kQuantile;
  Line(text, "measure", std::to_string(static_cast<int>(measure.kind)));
  Line(text, "of", CanonicalText(measure.argument));
  Line(text, "filter", CanonicalText(measure.filter));
  Line(text, "grid",
       ToString(measure.grid.step) + " " + ToString(measure.grid.low_steps) + " " +
           ToString(measure.grid.high_steps) + " " + ToString(measure.centre) + " " +
           ToString(measure.quantile) + " " + ToString(measure.cell_steps) +
           (measure.extreme ? " extreme" : "") + (is_quantile && with_ends ? " interval" : ""));
  if (measure.factor) {
    Line(text, "times", CanonicalText(measure.factor));
    Line(text, "grid",
         ToString(measure.factor_grid.step) + " " + ToString(measure.factor_grid.low_steps) + " " +
             ToString(measure.factor_grid.high_steps) + " " + ToString(measure.factor_centre));
  }
  if (with_cap) Line(text, "cap", CapText(measure.cap));
  if (measure.own_sum) Line(text, "own sum", measure.own_sum->get_str());
  // Another list of keys in the policy is another question.
  for (const policy::KeyValue& value : measure.values) Line(text, "value", KeyValueText(value));
}

}  // namespace tacit::plan
