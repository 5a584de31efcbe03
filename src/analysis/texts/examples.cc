#include "analysis/texts/examples.h"

#include "analysis/blocks/block_map.h"
#include "analysis/expressions/columns.h"
#include "analysis/texts/hidden_names.h"
#include "policy/stored_types.h"
#include "sql/print/canonical/canonical.h"
#include "sql/print/quote.h"
#include "sql/walk.h"

namespace tacit::analysis {

std::string ExampleCount(const Rows& rows) {
  std::string table;
  ForEachScan(rows.source, [&](const TableScan& scan) {
    if (!scan.is_public && table.empty()) table = scan.table;
  });
  return "SELECT count(*) FROM " + sql::QuoteIdentifierIfNeeded(table);
}

std::string ExampleJoin(const Known& known, const ProtectedRows& left, const ProtectedRows& right) {
  const auto unit_of = [&](const ProtectedRows& side) -> const RowColumn* {
    for (const NamedColumn& column : side.columns) {
      const auto* bare = BareColumn(column.expression);
      if (bare == nullptr || IsConstant(*bare) || bare->column == kUnitColumn) continue;
      const RowColumn& facts = ColumnOf(known, *bare);
      if (facts.equals_unit && facts.stored_type.kind != TypeKind::kOpaque) return &facts;
    }
    return nullptr;
  };
  const RowColumn* a = unit_of(left);
  const RowColumn* b = unit_of(right);
  if (a == nullptr || b == nullptr || !MayName(known, *a) || !MayName(known, *b)) return "";
  if (!policy::AreSameKeys(a->stored_type, b->stored_type)) return "";
  const auto quote = sql::QuoteIdentifierIfNeeded;
  return "SELECT count(*) FROM " + quote(a->table) + " a JOIN " + quote(b->table) + " b ON a." +
         quote(a->column) + " = b." + quote(b->column);
}

namespace {

// A part without groups and limits of its own, which may be written around.
const sql::Select* PlainPart(const sql::Query& query) {
  const auto* select = sql::As<sql::Select>(query);
  const bool plain = select != nullptr && query->with.empty() && !query->limit && !query->offset &&
                     query->order_by.empty() && select->group_by.empty() && !select->having &&
                     select->distinct_on.empty() && select->windows.empty();
  if (!plain) return nullptr;
  for (const sql::SelectItem& item : select->items) {
    if (sql::As<sql::Star>(item.expression) != nullptr) return nullptr;
  }
  return select;
}

std::string PeopleByIn(const sql::SetOperation& written) {
  const sql::Select* left = PlainPart(written.left);
  if (left == nullptr || PlainPart(written.right) == nullptr) return "";
  const Expression person = left->items[0].expression;
  sql::Select select = *left;
  sql::AggregateCall count;
  count.name = "count";
  count.arguments = {person};
  count.distinct = true;
  select.items = {{MakeExpression(std::move(count)), ""}};
  select.distinct = false;
  std::vector<Expression> conditions = sql::SplitConjuncts(select.where);
  conditions.push_back(MakeExpression(
      sql::InQuery{person, written.right, written.set_operator == sql::SetOperator::kExcept}));
  select.where = sql::JoinConjuncts(std::move(conditions));
  sql::QueryNode node;
  node.body = std::move(select);
  return sql::PrintCanonical(sql::Query(std::move(node)));
}

// The part with its values as keys, in the place of its rows.
std::optional<sql::Query> Grouped(const Known& known, const sql::Query& written,
                                  const Source& source) {
  const auto* rows = std::get_if<ProtectedRows>(&source);
  if (rows == nullptr) return written;
  for (const NamedColumn& column : rows->columns) {
    if (UsesUnit(known, column.expression) || UsesHidden(known, column.expression)) {
      return std::nullopt;
    }
  }
  const sql::Select* part = PlainPart(written);
  if (part == nullptr) return std::nullopt;
  sql::Select select = *part;
  select.distinct = false;
  for (const sql::SelectItem& item : select.items) select.group_by.push_back(item.expression);
  sql::QueryNode node = *written;
  node.body = std::move(select);
  return sql::Query(std::move(node));
}

}  // namespace

std::string ExampleForSets(const Known& known, const sql::SetOperation& written, const Source& left,
                           const Source& right) {
  const auto names_people = [&](const Source& source) {
    const auto* rows = std::get_if<ProtectedRows>(&source);
    return rows != nullptr && rows->columns.size() == 1 &&
           NamesUnit(known, rows->columns[0].expression);
  };
  const bool is_union = written.set_operator == sql::SetOperator::kUnion;
  if (!is_union && names_people(left) && names_people(right)) return PeopleByIn(written);
  const std::optional<sql::Query> one = Grouped(known, written.left, left);
  const std::optional<sql::Query> other = Grouped(known, written.right, right);
  if (!one || !other) return "";
  sql::QueryNode node;
  node.body = sql::SetOperation{written.set_operator, false, *one, *other};
  return sql::PrintCanonical(sql::Query(std::move(node)));
}

}  // namespace tacit::analysis
