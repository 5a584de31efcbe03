#include "plan/release_facts.h"

#include "analysis/blocks/block_map.h"
#include "plan/cut_off.h"
#include "plan/people_words.h"
#include "plan/price/sensitivity.h"

namespace tacit::plan {
namespace {

std::string UnitSentence(const analysis::TableScan& scan) {
  if (scan.is_public) return scan.table + " is public";
  std::string unit = "one person is one row of " + scan.table;
  if (!scan.unit_column.empty()) {
    const std::string root = scan.hops.empty() ? scan.table : scan.hops.back().to_table;
    unit = "one person is one value of the unit of " + root;
  }
  const std::string rows = scan.rows_per_unit.get_str();
  return unit + ", with at most " + rows + (rows == "1" ? " row of " : " rows of ") + scan.table;
}

std::string OneMatchSentence(const analysis::TableScan& scan) {
  std::string columns;
  for (const std::string& column : scan.unique_on) {
    columns += (columns.empty() ? "" : ", ") + column;
  }
  return "each row meets at most one match in " + scan.table + ": of several with the same " +
         columns + " the first in order is taken";
}

std::string ClampSentence(const analysis::ExactMeasure& measure, const analysis::Block& block) {
  const Rational low = Rational(MakeRational(measure.grid.low_steps) * measure.grid.step);
  const Rational high = Rational(MakeRational(measure.grid.high_steps) * measure.grid.step);
  return WordsOf(measure.argument, block) + " is clamped to [" + ToString(low) + ", " +
         ToString(high) + "] and summed in steps of " + ToString(measure.grid.step);
}

std::string OwnSumSentence(const analysis::ExactMeasure& measure, const analysis::Block& block) {
  analysis::ExactMeasure by_rows = measure;
  by_rows.own_sum.reset();
  const Rational without = SensitivityOf(by_rows, block, {}).l1;
  return "of " + WordsOf(measure.argument, block) + " at most " +
         ToString(Rational(Rational(*measure.own_sum) * measure.grid.step)) +
         " is added of one person, all groups together: that needs less noise than " +
         ToString(Rational(without * measure.grid.step));
}

// (sex, active)
std::string LevelText(const analysis::Block& block, const std::vector<size_t>& keys) {
  std::string list;
  for (const size_t key : keys) {
    list += (list.empty() ? "" : ", ") + WordsOf(block.keys[key].expression, block);
  }
  return "(" + list + ")";
}

}  // namespace

std::vector<std::string> LevelSentences(const analysis::Facts& facts, size_t index) {
  const analysis::Block& block = facts.blocks[index];
  if (block.totals) {
    return {"these are the totals " + LevelText(block, block.totals->keys) + " of the groups " +
            LevelText(block, facts.blocks[block.totals->of].ShownKeys()) + ", of the same rows"};
  }
  std::vector<std::string> sentences;
  for (const analysis::LevelTable& levels : facts.levels) {
    if (levels.block != index) continue;
    std::string sentence = "the levels of GROUPING SETS are sums of these groups";
    if (levels.own.empty()) {
      sentences.push_back(sentence + ": releasing totals too would make the error larger");
      continue;
    }
    std::string totals;
    for (const size_t own : levels.own) {
      totals += (totals.empty() ? "" : ", ") + LevelText(block, facts.blocks[own].totals->keys);
    }
    sentences.push_back(sentence + ", moved by the totals " + totals +
                        ", which are released too: that has less error than sums alone");
  }
  return sentences;
}

std::vector<std::string> FactSentences(const analysis::Block& block,
                                       const policy::Privacy& privacy) {
  std::vector<std::string> sentences;
  analysis::ForEachScan(block.rows.source, [&](const analysis::TableScan& scan) {
    sentences.push_back(UnitSentence(scan));
    if (!scan.unique_on.empty()) sentences.push_back(OneMatchSentence(scan));
  });
  const std::string rows = block.rows.rows_per_unit.get_str();
  sentences.push_back("one person is in at most " + rows + " of the rows aggregated");
  for (std::string& sentence : CapSentences(block)) sentences.push_back(std::move(sentence));
  if (UnitsMoved(privacy) > 1) {
    sentences.push_back("neighbours differ in " + UnitsMoved(privacy).get_str() +
                        " people: sensitivities are multiplied by it");
  }
  for (const analysis::ExactMeasure& measure : block.measures) {
    if (measure.kind == analysis::MeasureKind::kSum)
      sentences.push_back(ClampSentence(measure, block));
    if (measure.own_sum) sentences.push_back(OwnSumSentence(measure, block));
    if (measure.extreme) {
      sentences.push_back(WordsOf(measure.argument, block) +
                          ": its extreme is looked for some ranks inside the data, so that the "
                          "answer is neither one person's value nor the bound");
    }
  }
  for (const analysis::Key& key : block.keys) {
    const std::string text = WordsOf(key.expression, block);
    sentences.push_back(key.IsPublic() ? text + " has public keys: all of the list are shown"
                                       : text + " has private keys: shown by a threshold");
  }
  return sentences;
}

}  // namespace tacit::plan
