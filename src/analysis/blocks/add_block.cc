#include "analysis/blocks/add_block.h"

#include <algorithm>
#include <set>

#include "analysis/blocks/block_map.h"
#include "analysis/blocks/grouped_query.h"
#include "analysis/deep_walk.h"
#include "analysis/expressions/columns.h"
#include "base/assert.h"
#include "sql/print/canonical/canonical.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// Names in one place, and what they become in another.
using Renamed = std::vector<std::pair<std::string, std::string>>;

std::string TextOf(const Expression& expression) {
  return expression ? sql::PrintCanonical(expression) : "";
}

void Normalize(std::vector<Expression>& conjuncts) {
  for (Expression& conjunct : conjuncts) conjunct = sql::Normalize(conjunct);
  std::sort(conjuncts.begin(), conjuncts.end(),
            [](const Expression& a, const Expression& b) { return TextOf(a) < TextOf(b); });
  conjuncts.erase(std::unique(conjuncts.begin(), conjuncts.end()), conjuncts.end());
}

// An average whose plain sum is asked for as well uses that one.
void ShareSums(Block& block) {
  for (ReleasedColumn& column : block.released) {
    auto* average = std::get_if<AverageColumn>(&column.value);
    if (average == nullptr) continue;
    ExactMeasure plain = block.measures[average->sum];
    plain.centre = 0;
    for (size_t i = 0; i < block.measures.size(); ++i) {
      if (SameMeasure(block.measures[i], plain)) average->sum = i;
    }
  }
}

template <class Visit>
void ForEachIndex(Block& block, Visit visit) {
  for (ReleasedColumn& column : block.released) ForEachMeasure(column, visit);
}

std::string OrderKey(const ExactMeasure& measure) {
  return std::to_string(static_cast<int>(measure.kind)) + TextOf(measure.argument) + "|" +
         TextOf(measure.factor) + "|" + TextOf(measure.filter) + "|" + ToString(measure.centre) +
         "|" + ToString(measure.quantile) + (measure.extreme ? "x" : "");
}

// Drops what no column uses and sorts the rest.
void TidyMeasures(Block& block) {
  std::set<size_t> used;
  ForEachIndex(block, [&](size_t& index) { used.insert(index); });
  std::vector<size_t> order(used.begin(), used.end());
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return OrderKey(block.measures[a]) < OrderKey(block.measures[b]);
  });
  std::vector<ExactMeasure> sorted;
  for (const size_t index : order) sorted.push_back(block.measures[index]);
  ForEachIndex(block, [&](size_t& index) {
    index = static_cast<size_t>(std::find(order.begin(), order.end(), index) - order.begin());
  });
  block.measures = std::move(sorted);
}

bool SameQuestion(const Block& a, const Block& b) {
  if (!(a.rows == b.rows) || a.keys.size() != b.keys.size()) return false;
  for (size_t i = 0; i < a.keys.size(); ++i) {
    if (!(a.keys[i].expression == b.keys[i].expression)) return false;
  }
  if (a.constants.size() != b.constants.size()) return false;
  for (size_t i = 0; i < a.constants.size(); ++i) {
    if (!(a.constants[i].query == b.constants[i].query)) return false;
  }
  return true;
}

void RenameReleased(Expression& expression, const std::string& table, const Renamed& columns) {
  expression = sql::Transform(expression, [&](const Expression& node) -> Expression {
    const auto* reference = sql::As<sql::ColumnReference>(node);
    if (reference == nullptr || reference->table != kReleasedMarker) return node;
    std::string column = reference->column;
    for (const auto& [from, to] : columns) {
      if (from == reference->column) column = to;
    }
    return MakeExpression(sql::ColumnReference{table, column}, node->position);
  });
}

// Scans become t1, t2, ... in their order, constants v1, v2, ... of the block's own list.
void Localize(const Known& known, Block& block) {
  std::vector<std::string> scans;
  ForEachAlias(block.rows.source, [&](const std::string& alias) { scans.push_back(alias); });
  for (const auto& [place, column] : known.columns) {
    if (std::find(scans.begin(), scans.end(), place.first) == scans.end()) continue;
    block.columns.emplace_back(sql::ColumnReference{place.first, place.second}, column);
  }
  std::vector<std::string> constants;
  MapColumns(block, [&](const sql::ColumnReference& reference) -> sql::ColumnReference {
    if (IsConstant(reference)) {
      auto found = std::find(constants.begin(), constants.end(), reference.column);
      if (found == constants.end()) {
        constants.push_back(reference.column);
        found = constants.end() - 1;
      }
      return {kConstantTable, "v" + std::to_string(found - constants.begin() + 1)};
    }
    const auto found = std::find(scans.begin(), scans.end(), reference.table);
    TACIT_ASSERT(found != scans.end());
    return {"t" + std::to_string(found - scans.begin() + 1), reference.column};
  });
  std::set<size_t> made_from;
  for (const std::string& name : constants) {
    const Constant& constant = known.constants.at(std::stoul(name.substr(1)) - 1);
    block.constants.push_back(constant);
    const std::set<std::string> tables = TableNamesIn(constant.query);
    for (size_t i = 0; i < known.facts.blocks.size(); ++i) {
      if (tables.contains(known.facts.blocks[i].name)) made_from.insert(i);
    }
    for (const LevelTable& levels : known.facts.levels) {
      if (tables.contains(levels.name)) made_from.insert(levels.block);
    }
  }
  block.made_from.assign(made_from.begin(), made_from.end());
}

void NormalizeAll(Block& block) {
  Normalize(block.rows.filters);
  Normalize(block.key_filters);
  for (ExactMeasure& measure : block.measures) {
    if (measure.filter) measure.filter = sql::Normalize(measure.filter);
    if (measure.argument) measure.argument = sql::Normalize(measure.argument);
    if (measure.factor) measure.factor = sql::Normalize(measure.factor);
  }
}

// Keys in the order of their texts.
Renamed SortKeys(Block& block) {
  std::vector<size_t> order(block.keys.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return TextOf(block.keys[a].expression) < TextOf(block.keys[b].expression);
  });
  Renamed renamed;
  std::vector<Key> keys;
  for (const size_t i : order) {
    keys.push_back(block.keys[i]);
    renamed.emplace_back("k" + std::to_string(i + 1), "k" + std::to_string(keys.size()));
  }
  block.keys = std::move(keys);
  return renamed;
}

void Merge(const Block& from, Block& into, Renamed& renamed) {
  const auto index_in = [&](size_t index) {
    const ExactMeasure& wanted = from.measures[index];
    for (size_t i = 0; i < into.measures.size(); ++i) {
      if (SameMeasure(into.measures[i], wanted)) return i;
    }
    into.measures.push_back(wanted);
    return into.measures.size() - 1;
  };
  for (ReleasedColumn column : from.released) {
    ForEachMeasure(column, [&](size_t& index) { index = index_in(index); });
    const std::string name = "c" + std::to_string(into.released.size() + 1);
    renamed.emplace_back(column.name, name);
    column.name = name;
    into.released.push_back(std::move(column));
  }
}

}  // namespace

size_t AddBlock(Known& known, Block block, const std::vector<Expression*>& post) {
  Localize(known, block);
  NormalizeAll(block);
  Renamed renamed = SortKeys(block);
  std::vector<Block>& blocks = known.facts.blocks;
  size_t index = 0;
  while (index < blocks.size() && !SameQuestion(blocks[index], block)) ++index;
  if (index == blocks.size()) {
    block.name = "tacit_release_" + std::to_string(index + 1);
    blocks.push_back(std::move(block));
  } else {
    Merge(block, blocks[index], renamed);
  }
  for (Expression* place : post) RenameReleased(*place, blocks[index].name, renamed);
  ShareSums(blocks[index]);
  TidyMeasures(blocks[index]);
  return index;
}

}  // namespace tacit::analysis
