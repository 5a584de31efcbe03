#include "plan/fingerprint/fingerprint.h"

#include "analysis/blocks/block_map.h"
#include "analysis/deep_walk.h"
#include "analysis/tables_above.h"
#include "base/mutant.h"
#include "base/secrets/digest.h"
#include "plan/above/margins.h"
#include "plan/fingerprint/texts.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::plan {
namespace {

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
  for (const sql::Expression& filter : block.rows.filters)
    Line(text, "where", CanonicalText(filter));
  for (const analysis::Key& key : block.keys) AddKey(text, key);
  const bool offers_caps = OffersCaps(block) && !TACIT_MUTANT("fingerprint_without_caps");
  if (offers_caps) Line(text, "group cap", CapText(block.group_cap));
  for (const analysis::ExactMeasure& measure : block.measures) {
    AddMeasure(text, measure, HasMargins(facts), offers_caps);
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
      Line(text, "by", CanonicalText(block.keys[key].expression));
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
