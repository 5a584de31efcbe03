#include "plan/fingerprint/fingerprint.h"

#include <algorithm>

#include "analysis/blocks/block_map.h"
#include "analysis/deep_walk.h"
#include "analysis/tables_above.h"
#include "base/mutant.h"
#include "base/secrets/digest.h"
#include "plan/above/margins.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::plan {
namespace {

// Lines with their lengths, so that no text can pose as two.
void Line(std::string& text, const std::string& word, const std::string& value) {
  text += word + " " + std::to_string(value.size()) + ":" + value + "\n";
}

std::string TextOf(const sql::Expression& expression) {
  return expression ? sql::PrintCanonical(expression) : "";
}

std::string TextOf(const policy::KeyValue& value) {
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
    for (const policy::KeyValue& value : listed->values) values.push_back(TextOf(value));
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

void AddKey(std::string& text, const analysis::Key& key) {
  Line(text, key.IsPublic() ? "public key" : "private key", TextOf(key.expression));
  for (const analysis::KeySource& source : key.sources) {
    Line(text, "listed", source.column.table + " " + policy::FoldedName(source.column.column));
    AddKeyList(text, source.keys);
    if (source.with_null) Line(text, "listed", "null");
  }
  for (const sql::Expression& outcome : key.outcomes) Line(text, "outcome", TextOf(outcome));
}

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

void AddSource(std::string& text, const analysis::RowSource& source);

void AddUnitQuery(std::string& text, const analysis::UnitQuery& query) {
  Line(text, query.grouped ? "unit groups" : "unit rows", query.alias);
  AddSource(text, query.inner.source);
  for (const sql::Expression& filter : query.inner.filters) {
    Line(text, "where", TextOf(sql::Normalize(filter)));
  }
  for (const sql::Expression& item : query.items) Line(text, "item", TextOf(item));
  for (const sql::Expression& key : query.group_by) Line(text, "by", TextOf(key));
}

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
      for (const sql::Expression& value : row) Line(text, "value", TextOf(value));
    }
    return;
  }
  const auto& join = *analysis::As<analysis::RowJoin>(source);
  Line(text, "join",
       std::to_string(static_cast<int>(join.kind)) + " " +
           TextOf(join.on ? sql::Normalize(join.on) : join.on));
  AddSource(text, join.left);
  AddSource(text, join.right);
}

// What is read by the session's clocks above the frontier; below it, the zone is written out.
void AddZone(std::string& text, const sql::Query& query, const analysis::Facts& facts) {
  if (facts.zone.empty()) return;
  const sql::Type instant{.kind = sql::TypeKind::kTimestampTz, .precision = 0, .scale = 0};
  const analysis::TablesAbove tables(facts);
  bool has_instants = sql::FingerprintText(query).find(sql::ToString(instant)) != std::string::npos;
  for (const std::string& name : analysis::TableNamesIn(query)) {
    const std::vector<sql::TypedColumn>* columns = tables.Find("", name);
    if (columns == nullptr) continue;
    for (const sql::TypedColumn& column : *columns) {
      has_instants = has_instants || column.type.kind == instant.kind;
    }
  }
  if (has_instants) Line(text, "zone", facts.zone);
}

std::string TextOf(const std::optional<analysis::GroupCap>& cap) {
  return cap ? cap->groups.get_str() + " " + cap->rows.get_str() : "none";
}

// Whether the owner's caps leave the planner a choice, which is then part of what was asked.
bool OffersCaps(const analysis::Block& block) {
  bool offers = false;
  analysis::ForEachScan(block.rows.source, [&](const analysis::TableScan& scan) {
    offers = offers || scan.groups_per_unit < scan.rows_per_unit ||
             scan.rows_per_group < scan.rows_per_unit;
  });
  return offers && !block.keys.empty();
}

std::string TextOf(const analysis::Block& block, const analysis::Facts& facts,
                   const std::vector<std::string>& earlier) {
  std::string text = "tacit release 2\n";
  AddSource(text, block.rows.source);
  for (const sql::Expression& filter : block.rows.filters) Line(text, "where", TextOf(filter));
  for (const analysis::Key& key : block.keys) AddKey(text, key);
  const bool offers_caps = OffersCaps(block) && !TACIT_MUTANT("fingerprint_without_caps");
  if (offers_caps) Line(text, "group cap", TextOf(block.group_cap));
  for (const analysis::ExactMeasure& measure : block.measures) {
    Line(text, "measure", std::to_string(static_cast<int>(measure.kind)));
    Line(text, "of", TextOf(measure.argument));
    Line(text, "filter", TextOf(measure.filter));
    Line(text, "grid",
         ToString(measure.grid.step) + " " + ToString(measure.grid.low_steps) + " " +
             ToString(measure.grid.high_steps) + " " + ToString(measure.centre) + " " +
             ToString(measure.quantile) + " " + ToString(measure.cell_steps) +
             (measure.extreme ? " extreme" : "") +
             (measure.kind == analysis::MeasureKind::kQuantile && HasMargins(facts) ? " interval"
                                                                                    : ""));
    if (measure.factor) {
      Line(text, "times", TextOf(measure.factor));
      Line(text, "grid",
           ToString(measure.factor_grid.step) + " " + ToString(measure.factor_grid.low_steps) +
               " " + ToString(measure.factor_grid.high_steps) + " " +
               ToString(measure.factor_centre));
    }
    if (offers_caps) Line(text, "cap", TextOf(measure.cap));
    if (measure.own_sum) Line(text, "own sum", measure.own_sum->get_str());
    // Another list of keys in the policy is another question.
    for (const policy::KeyValue& value : measure.values) Line(text, "value", TextOf(value));
  }
  for (const analysis::Constant& constant : block.constants) {
    Line(text, "constant", sql::FingerprintText(constant.query));
    AddZone(text, constant.query, facts);
  }
  for (const size_t index : block.made_from) {
    Line(text, "made from", facts.blocks[index].name + " " + earlier[index]);
  }
  // Which rows are kept depends on all that those groups measure.
  if (block.totals) {
    Line(text, "totals of", earlier[block.totals->of]);
    for (const size_t key : block.totals->keys)
      Line(text, "by", TextOf(block.keys[key].expression));
  }
  return text;
}

}  // namespace

std::vector<std::string> FingerprintsOf(const analysis::Facts& facts) {
  std::vector<std::string> fingerprints;
  for (const analysis::Block& block : facts.blocks) {
    fingerprints.push_back(Sha256Hex(TextOf(block, facts, fingerprints)));
  }
  return fingerprints;
}

std::string FingerprintOf(const analysis::Facts& facts, const std::vector<std::string>& blocks) {
  std::string text = "tacit query 1\n";
  for (const std::string& block : blocks) Line(text, "block", block);
  for (const analysis::PublicRead& read : facts.public_reads) {
    Line(text, "public", policy::FoldedName(read.table));
  }
  Line(text, "post", sql::FingerprintText(facts.post));
  AddZone(text, facts.post, facts);
  return Sha256Hex(text);
}

}  // namespace tacit::plan
