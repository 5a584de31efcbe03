#include "plan/people_words.h"

#include <algorithm>

#include "sql/change.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::plan {
namespace {

using analysis::RowSource;

// The tables and queries that a row is made of, in order.
void Gather(const RowSource& source, std::vector<RowSource>& parts) {
  if (const auto* join = analysis::As<analysis::RowJoin>(source)) {
    Gather(join->left, parts);
    Gather(join->right, parts);
  } else if (source) {
    parts.push_back(source);
  }
}

// What stands behind c1, c2, ... of a query; nothing for another column.
sql::Expression ItemOf(const std::vector<sql::Expression>& items, const std::string& column) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (column == "c" + std::to_string(i + 1)) return items[i];
  }
  return {};
}

sql::Expression ForPeople(const sql::Expression& expression, const RowSource& source);

// The column as it would be written where `parts` are in FROM.
sql::Expression ForPeople(const sql::ColumnReference& reference,
                          const std::vector<RowSource>& parts) {
  const auto tables_named = [&](const std::string& table) {
    return std::count_if(parts.begin(), parts.end(), [&](const RowSource& part) {
      const auto* scan = analysis::As<analysis::TableScan>(part);
      return scan != nullptr && scan->table == table;
    });
  };
  sql::ColumnReference shown = reference;
  for (const RowSource& part : parts) {
    if (const auto* scan = analysis::As<analysis::TableScan>(part)) {
      if (scan->alias != reference.table) continue;
      // Two rows of one table are told apart by nothing but our names.
      if (tables_named(scan->table) == 1) shown.table = parts.size() == 1 ? "" : scan->table;
    } else if (const auto* query = analysis::As<analysis::UnitQuery>(part)) {
      const sql::Expression item = ItemOf(query->items, reference.column);
      if (query->alias == reference.table && item) return ForPeople(item, query->inner.source);
    } else if (const auto* all = analysis::As<analysis::RowUnion>(part)) {
      if (all->alias != reference.table || all->parts.empty()) continue;
      const sql::Expression item = ItemOf(all->parts[0].items, reference.column);
      if (item) return ForPeople(item, all->parts[0].inner.source);
    }
  }
  return sql::MakeExpression(std::move(shown));
}

sql::Expression ForPeople(const sql::Expression& expression, const RowSource& source) {
  std::vector<RowSource> parts;
  Gather(source, parts);
  sql::Select select;
  select.items = {{expression, ""}};
  sql::QueryNode node;
  node.body = std::move(select);
  const sql::Query changed =
      sql::ChangeExpressions(sql::Query(std::move(node)), [&](const sql::Expression& part) {
        const auto* reference = sql::As<sql::ColumnReference>(part);
        return reference == nullptr ? part : ForPeople(*reference, parts);
      });
  return sql::As<sql::Select>(changed)->items[0].expression;
}

}  // namespace

std::string WordsOf(const sql::Expression& expression, const analysis::Block& block) {
  return sql::PrintCanonical(ForPeople(expression, block.rows.source));
}

}  // namespace tacit::plan
