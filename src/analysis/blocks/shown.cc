#include "analysis/blocks/shown.h"

#include <map>

#include "analysis/tables_above.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

struct Named {
  std::string table;
  std::string name;
  Shown shown;
};
using Columns = std::vector<Named>;
using CommonTables = std::map<std::string, Columns>;

class Finder {
 public:
  explicit Finder(const Facts& facts) : facts_(facts), tables_(facts) {}

  Columns OfQuery(const sql::Query& query, CommonTables common) const {
    for (const sql::CommonTable& table : query->with) {
      Columns columns = OfQuery(table.query, common);
      Rename(columns, {table.name, table.columns});
      common[table.name] = std::move(columns);
    }
    if (const auto* select = sql::As<sql::Select>(query)) return OfSelect(*select, common);
    if (const auto* operation = sql::As<sql::SetOperation>(query)) {
      Columns columns = OfQuery(operation->left, common);
      for (Named& column : columns) column.shown.reset();
      return columns;
    }
    const size_t width = sql::As<sql::Values>(query)->rows.front().size();
    return Columns(width, Named{});
  }

 private:
  static void Rename(Columns& columns, const sql::Alias& alias) {
    for (Named& column : columns) {
      if (!alias.name.empty()) column.table = alias.name;
    }
    for (size_t i = 0; i < alias.columns.size() && i < columns.size(); ++i) {
      columns[i].name = alias.columns[i];
    }
  }

  Columns OfSelect(const sql::Select& select, const CommonTables& common) const {
    Columns input;
    for (const sql::Relation& relation : select.from) {
      for (Named& column : OfRelation(relation, common)) input.push_back(std::move(column));
    }
    Columns output;
    for (const sql::SelectItem& item : select.items) {
      if (const auto* star = sql::As<sql::Star>(item.expression)) {
        for (const Named& column : input) {
          if (star->table.empty() || star->table == column.table) output.push_back(column);
        }
        continue;
      }
      output.push_back({"", sql::OutputName(item), Meaning(item.expression, input)});
    }
    return output;
  }

  static Shown Meaning(const Expression& expression, const Columns& input) {
    const auto* reference = sql::As<sql::ColumnReference>(expression);
    if (reference == nullptr) return std::nullopt;
    Shown shown;
    int found = 0;
    for (const Named& column : input) {
      if (column.name != reference->column) continue;
      if (!reference->table.empty() && reference->table != column.table) continue;
      shown = column.shown;
      ++found;
    }
    return found == 1 ? shown : std::nullopt;
  }

  Columns OfRelation(const sql::Relation& relation, const CommonTables& common) const {
    if (const auto* table = sql::As<sql::TableReference>(relation)) {
      Columns columns = OfTable(table->name);
      Rename(columns,
             {table->alias.name.empty() ? table->name : table->alias.name, table->alias.columns});
      return columns;
    }
    if (const auto* reference = sql::As<sql::CommonTableReference>(relation)) {
      const auto found = common.find(reference->name);
      Columns columns = found == common.end() ? Columns{} : found->second;
      Rename(columns, reference->alias);
      return columns;
    }
    if (const auto* derived = sql::As<sql::DerivedTable>(relation)) {
      Columns columns = OfQuery(derived->query, common);
      Rename(columns, derived->alias);
      return columns;
    }
    const auto* join = sql::As<sql::Join>(relation);
    Columns columns = OfRelation(join->left, common);
    for (Named& column : OfRelation(join->right, common)) {
      bool merged = false;
      for (const std::string& name : join->using_columns) merged = merged || name == column.name;
      if (!merged) columns.push_back(std::move(column));
    }
    return columns;
  }

  Columns OfTable(const std::string& name) const {
    Columns columns;
    const std::vector<sql::TypedColumn>* known = tables_.Find("", name);
    if (known == nullptr) return columns;
    for (const sql::TypedColumn& column : *known)
      columns.push_back({name, column.name, std::nullopt});
    for (size_t block = 0; block < facts_.blocks.size(); ++block) {
      if (facts_.blocks[block].name != name) continue;
      const std::vector<ReleasedColumn>& released = facts_.blocks[block].released;
      for (size_t i = 0; i < released.size(); ++i) {
        for (Named& column : columns) {
          if (column.name == released[i].name) column.shown = std::pair(block, i);
        }
      }
    }
    return columns;
  }

  const Facts& facts_;
  TablesAbove tables_;
};

}  // namespace

std::vector<Shown> ShownColumns(const sql::Query& post, const Facts& facts) {
  std::vector<Shown> shown;
  for (const Named& column : Finder(facts).OfQuery(post, {})) shown.push_back(column.shown);
  return shown;
}

}  // namespace tacit::analysis
