#include <algorithm>

#include "sql/print/canonical/canonical.h"
#include "sql/print/canonical/canonical_parts.h"
#include "sql/print/quote.h"

namespace tacit::sql {
namespace {

std::string NameList(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "(" : ", ") + QuoteIdentifierIfNeeded(name);
  }
  return text.empty() ? "" : text + ")";
}

std::string AliasText(const Alias& alias) {
  if (alias.name.empty()) return "";
  return " AS " + QuoteIdentifierIfNeeded(alias.name) + NameList(alias.columns);
}

std::string RelationText(const Relation& relation);

std::string JoinText(const Join& join) {
  const char* word = join.kind == JoinKind::kInner   ? " JOIN "
                     : join.kind == JoinKind::kLeft  ? " LEFT JOIN "
                     : join.kind == JoinKind::kRight ? " RIGHT JOIN "
                     : join.kind == JoinKind::kFull  ? " FULL JOIN "
                                                     : " CROSS JOIN ";
  const bool nested = As<Join>(join.right) != nullptr;
  std::string text = RelationText(join.left) + (join.natural ? " NATURAL" : "") + word +
                     (nested ? "(" : "") + RelationText(join.right) + (nested ? ")" : "");
  if (join.on) text += " ON " + PrintCanonical(join.on);
  if (!join.using_columns.empty()) text += " USING " + NameList(join.using_columns);
  return text;
}

std::string RelationText(const Relation& relation) {
  if (const auto* table = As<TableReference>(relation)) {
    const std::string schema =
        table->schema.empty() ? "" : QuoteIdentifierIfNeeded(table->schema) + ".";
    return schema + QuoteIdentifierIfNeeded(table->name) + AliasText(table->alias);
  }
  if (const auto* common = As<CommonTableReference>(relation)) {
    return QuoteIdentifierIfNeeded(common->name) + AliasText(common->alias);
  }
  if (const auto* derived = As<DerivedTable>(relation)) {
    return "(" + PrintCanonical(derived->query) + ")" + AliasText(derived->alias);
  }
  return JoinText(*As<Join>(relation));
}

std::string GroupByList(const Select& select) {
  if (select.grouping_sets.empty()) return canonical::List(select.group_by);
  std::string text;
  for (const std::vector<size_t>& set : select.grouping_sets) {
    std::vector<Expression> level;
    for (const size_t i : set) level.push_back(select.group_by[i]);
    text += (text.empty() ? "(" : ", (") + canonical::List(level) + ")";
  }
  return "GROUPING SETS (" + text + ")";
}

std::string SelectText(const Select& select) {
  std::string text = "SELECT ";
  if (select.distinct) text += "DISTINCT ";
  if (!select.distinct_on.empty()) {
    text += "DISTINCT ON (" + canonical::List(select.distinct_on) + ") ";
  }
  bool first = true;
  for (const SelectItem& item : select.items) {
    if (!first) text += ", ";
    first = false;
    text += PrintCanonical(item.expression);
    if (!item.alias.empty()) text += " AS " + QuoteIdentifierIfNeeded(item.alias);
  }
  first = true;
  for (const Relation& relation : select.from) {
    text += (first ? " FROM " : ", ") + RelationText(relation);
    first = false;
  }
  if (select.where) text += " WHERE " + PrintCanonical(select.where);
  if (!select.group_by.empty()) text += " GROUP BY " + GroupByList(select);
  if (select.having) text += " HAVING " + PrintCanonical(select.having);
  first = true;
  for (const NamedWindow& named : select.windows) {
    text += (first ? " WINDOW " : ", ") + QuoteIdentifierIfNeeded(named.name) + " AS (" +
            canonical::WindowText(named.window) + ")";
    first = false;
  }
  return text;
}

// A branch of a set operation; in parentheses when it has clauses of its own.
std::string BranchText(const Query& query) {
  const bool plain = query->with.empty() && query->order_by.empty() && !query->limit &&
                     !query->offset && As<SetOperation>(query) == nullptr;
  return plain ? PrintCanonical(query) : "(" + PrintCanonical(query) + ")";
}

std::string BodyText(const Query& query) {
  if (const auto* select = As<Select>(query)) return SelectText(*select);
  if (const auto* operation = As<SetOperation>(query)) {
    const char* word = operation->set_operator == SetOperator::kUnion       ? " UNION"
                       : operation->set_operator == SetOperator::kIntersect ? " INTERSECT"
                                                                            : " EXCEPT";
    return BranchText(operation->left) + word + (operation->all ? " ALL " : " ") +
           BranchText(operation->right);
  }
  std::string text = "VALUES ";
  bool first = true;
  for (const std::vector<Expression>& row : As<Values>(query)->rows) {
    text += (first ? "(" : ", (") + canonical::List(row) + ")";
    first = false;
  }
  return text;
}

}  // namespace

std::string PrintCanonical(const Query& query) {
  std::string text;
  const bool recursive = std::any_of(query->with.begin(), query->with.end(),
                                     [](const CommonTable& table) { return table.recursive; });
  for (const CommonTable& table : query->with) {
    text += (!text.empty() ? ", "
             : recursive   ? "WITH RECURSIVE "
                           : "WITH ") +
            QuoteIdentifierIfNeeded(table.name) + NameList(table.columns) + " AS (" +
            PrintCanonical(table.query) + ")";
  }
  if (!text.empty()) text += " ";
  text += BodyText(query);
  if (!query->order_by.empty()) text += " " + canonical::OrderText(query->order_by);
  if (query->limit) text += " LIMIT " + PrintCanonical(query->limit);
  if (query->offset) text += " OFFSET " + PrintCanonical(query->offset);
  return text;
}

}  // namespace tacit::sql
