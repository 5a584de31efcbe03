#include "analysis/tables_above.h"

#include "analysis/types.h"

namespace tacit::analysis {

std::string ErrorColumnName(const std::string& column) { return column + "_error"; }
std::string MarginColumnName(const std::string& column) { return column + "_margin"; }

TablesAbove::TablesAbove(const Facts& facts, bool with_margins) : zone_(facts.zone) {
  const sql::Type error{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  for (const Block& block : facts.blocks) {
    std::vector<sql::TypedColumn>& columns = tables_[block.name];
    for (size_t i = 0; i < block.keys.size(); ++i) {
      columns.push_back({"k" + std::to_string(i + 1), block.keys[i].type});
    }
    for (const ReleasedColumn& column : block.released) {
      columns.push_back({column.name, column.type});
      columns.push_back({ErrorColumnName(column.name), error});
      if (with_margins && std::holds_alternative<AverageColumn>(column.value)) {
        columns.push_back({MarginColumnName(column.name), error});
      }
    }
  }
  for (const LevelTable& levels : facts.levels) {
    const Block& block = facts.blocks[levels.block];
    std::vector<sql::TypedColumn>& columns = tables_[levels.name];
    for (size_t i = 0; i < block.keys.size(); ++i) {
      columns.push_back({"k" + std::to_string(i + 1), block.keys[i].type});
    }
    for (const ReleasedColumn& column : block.released) {
      if (AddsUp(block, column)) columns.push_back({column.name, column.type});
    }
    columns.push_back({kLevelColumn, kIntegerType});
  }
  for (const PublicRead& read : facts.public_reads) {
    std::vector<sql::TypedColumn>& columns = tables_[read.name];
    for (const policy::SchemaColumn& column : read.columns) {
      columns.push_back({column.name, QueryTypeAbove(column.type)});
    }
  }
}

const std::vector<sql::TypedColumn>* TablesAbove::Find(const std::string& schema,
                                                       const std::string& name) const {
  if (!schema.empty()) return nullptr;
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : &found->second;
}

}  // namespace tacit::analysis
