#include "plan/cut_off.h"

#include <algorithm>

#include "analysis/blocks/block_map.h"
#include "plan/people_words.h"
#include "plan/price/sensitivity.h"

namespace tacit::plan {
namespace {

using analysis::Block;
using analysis::ExactMeasure;
using analysis::MeasureKind;

std::string Several(const Integer& number, const std::string& noun) {
  return number.get_str() + " " + noun + (number == 1 ? "" : "s");
}

// The cap of people counted, or of rows: all measures of one sort have the same.
MaybeCap CapOf(const Block& block, bool of_people) {
  for (const ExactMeasure& measure : block.measures) {
    if ((measure.kind == MeasureKind::kUnits) == of_people && measure.cap) return measure.cap;
  }
  return std::nullopt;
}

// "at most 20 rows of visits"
std::vector<std::string> RowCaps(const Block& block) {
  std::vector<std::string> caps;
  analysis::ForEachScan(block.rows.source, [&](const analysis::TableScan& scan) {
    if (scan.is_public || scan.unit_is_unique || scan.rows_per_unit == 1) return;
    std::string cap = Several(scan.rows_per_unit, "row") + " of " + scan.table;
    if (std::find(caps.begin(), caps.end(), cap) == caps.end()) caps.push_back(std::move(cap));
  });
  return caps;
}

// "a sum of 200000 of cost"
std::vector<std::string> OwnSums(const Block& block) {
  std::vector<std::string> sums;
  for (const ExactMeasure& measure : block.measures) {
    if (!measure.own_sum) continue;
    std::string sum = "a sum of " +
                      ToString(Rational(Rational(*measure.own_sum) * measure.grid.step)) + " of " +
                      WordsOf(measure.argument, block);
    if (std::find(sums.begin(), sums.end(), sum) == sums.end()) sums.push_back(std::move(sum));
  }
  return sums;
}

}  // namespace

std::vector<std::string> CapSentences(const Block& block) {
  std::vector<std::string> sentences;
  const Integer& rows = block.rows.rows_per_unit;
  const Integer groups = GroupsPerUnit(block, std::nullopt);
  if (!block.keys.empty() && groups < rows) {
    sentences.push_back("one person is in at most " + Several(groups, "group"));
  }
  if (const MaybeCap cap = CapOf(block, true)) {
    sentences.push_back("where people are counted, each counts in at most " +
                        Several(cap->groups, "group") + ": that needs less noise than " +
                        groups.get_str());
  }
  if (const MaybeCap cap = CapOf(block, false)) {
    sentences.push_back("where rows are counted, a person has at most " +
                        Several(cap->rows, "row") + " in each of at most " +
                        Several(cap->groups, "group") + ": that needs less noise than " +
                        rows.get_str() + " rows anywhere");
  }
  if (block.group_cap) {
    sentences.push_back("private keys are shown by people in at most " +
                        Several(block.group_cap->groups, "group") + " each");
  }
  return sentences;
}

std::string CapNotice(const Block& block) {
  std::string caps;
  for (const std::string& cap : RowCaps(block)) caps += (caps.empty() ? "" : ", ") + cap;
  Integer groups = 0;
  bool all = true;
  for (const ExactMeasure& measure : block.measures) {
    if (measure.own_sum) continue;
    all = all && measure.cap;
    if (measure.cap) groups = std::max(groups, measure.cap->groups);
  }
  for (const std::string& sum : OwnSums(block)) {
    caps += (caps.empty() ? "" : groups == 0 ? " and " : ", ") + sum;
  }
  if (caps.empty() && groups == 0) return "";
  if (groups > 0) {
    const std::string some = all ? "" : caps.empty() ? "for some numbers " : ", for some numbers, ";
    caps += (caps.empty() ? "" : all ? " and " : " and") + some + Several(groups, "group");
  }
  return "margins hold for the capped table, with at most " + caps +
         " a person: what a cap cuts off is not in them";
}

}  // namespace tacit::plan
