#include <algorithm>

#include "sql/print/query_printer.h"

namespace tacit::sql {

Result<std::string> QueryPrinter::PrintFrom(const Select& select, Scope& scope,
                                            const Scope* outer) {
  std::string text;
  for (const Relation& relation : select.from) {
    TACIT_TRY(PrintedRelation printed, PrintRelation(relation, outer));
    text += (text.empty() ? " FROM " : ", ") + printed.text;
    for (ScopeColumn& column : printed.columns) scope.columns.push_back(std::move(column));
  }
  return text;
}

Result<PrintedRelation> QueryPrinter::Aliased(const std::string& text,
                                              std::vector<TypedColumn> columns, const Alias& alias,
                                              const std::string& own_name, Position position) {
  if (alias.columns.size() > columns.size()) {
    return WrongQuery("the alias names more columns than the table has", position);
  }
  for (size_t i = 0; i < alias.columns.size(); ++i) columns[i].name = alias.columns[i];
  const std::string name = alias.name.empty() ? own_name : alias.name;
  PrintedRelation printed{.text = text + " AS " + dialect_.Identifier(name), .columns = {}};
  if (!alias.columns.empty()) {
    printed.text += "(";
    for (size_t i = 0; i < columns.size(); ++i) {
      printed.text += (i == 0 ? "" : ", ") + dialect_.Identifier(columns[i].name);
    }
    printed.text += ")";
  }
  for (TypedColumn& column : columns) {
    printed.columns.push_back({.table = name, .column = std::move(column)});
  }
  return printed;
}

Result<PrintedRelation> QueryPrinter::PrintRelation(const Relation& relation, const Scope* outer) {
  const Position position = relation->position;
  if (const auto* table = As<TableReference>(relation)) {
    const std::vector<TypedColumn>* columns = tables_.Find(table->schema, table->name);
    if (columns == nullptr)
      return WrongQuery("table \"" + table->name + "\" does not exist", position);
    const std::string schema =
        table->schema.empty() ? "" : dialect_.Identifier(table->schema) + ".";
    return Aliased(schema + dialect_.Identifier(table->name), *columns, table->alias, table->name,
                   position);
  }
  if (const auto* common = As<CommonTableReference>(relation)) {
    for (auto it = common_tables_.rbegin(); it != common_tables_.rend(); ++it) {
      if (it->name != common->name) continue;
      return Aliased(dialect_.Identifier(common->name), it->columns, common->alias, common->name,
                     position);
    }
    return WrongQuery("table \"" + common->name + "\" does not exist", position);
  }
  if (const auto* derived = As<DerivedTable>(relation)) {
    TACIT_TRY(const PrintedQuery printed, Print(derived->query, outer));
    if (derived->alias.name.empty())
      return WrongQuery("a subquery in FROM needs an alias", position);
    // Column names are given here, so that the insides may call them anything.
    Alias alias = derived->alias;
    if (alias.columns.size() > printed.columns.size()) {
      return WrongQuery("the alias names more columns than the subquery has", position);
    }
    for (size_t i = alias.columns.size(); i < printed.columns.size(); ++i) {
      alias.columns.push_back(printed.columns[i].name);
    }
    return Aliased("(" + printed.text + ")", printed.columns, alias, alias.name, position);
  }
  return PrintJoin(*As<Join>(relation), outer);
}

Result<PrintedRelation> QueryPrinter::PrintJoin(const Join& join, const Scope* outer) {
  TACIT_TRY(PrintedRelation left, PrintRelation(join.left, outer));
  TACIT_TRY(PrintedRelation right, PrintRelation(join.right, outer));
  const char* word = join.kind == JoinKind::kInner   ? " INNER JOIN "
                     : join.kind == JoinKind::kLeft  ? " LEFT JOIN "
                     : join.kind == JoinKind::kRight ? " RIGHT JOIN "
                     : join.kind == JoinKind::kFull  ? " FULL JOIN "
                                                     : " CROSS JOIN ";
  const bool nested = As<Join>(join.right) != nullptr;
  PrintedRelation printed{
      .text = left.text + word + (nested ? "(" : "") + right.text + (nested ? ")" : ""),
      .columns = {}};
  std::vector<std::string> shared = join.using_columns;
  for (const ScopeColumn& column : left.columns) {
    const auto same = [&](const ScopeColumn& other) {
      return !other.merged && other.column.name == column.column.name;
    };
    if (join.natural && !column.merged &&
        std::any_of(right.columns.begin(), right.columns.end(), same)) {
      shared.push_back(column.column.name);
    }
  }
  if (join.natural && shared.empty()) {
    return WrongQuery("NATURAL JOIN of tables that share no column", join.left->position);
  }
  for (const std::string& name : shared) {
    bool in_left = false;
    bool in_right = false;
    for (ScopeColumn& column : left.columns) {
      if (FitsWithoutCase(column.column.name, name) && !column.merged)
        in_left = column.shared = true;
    }
    for (ScopeColumn& column : right.columns) {
      if (FitsWithoutCase(column.column.name, name) && !column.merged)
        in_right = column.merged = true;
    }
    if (!in_left || !in_right) {
      return WrongQuery("column \"" + name + "\" of USING is not on both sides",
                        join.left->position);
    }
  }
  printed.columns = std::move(left.columns);
  for (ScopeColumn& column : right.columns) printed.columns.push_back(std::move(column));
  if (!shared.empty()) {
    printed.text += " USING (";
    for (size_t i = 0; i < shared.size(); ++i) {
      printed.text += (i == 0 ? "" : ", ") + dialect_.Identifier(shared[i]);
    }
    printed.text += ")";
  }
  if (join.on) {
    const Scope scope{.columns = printed.columns, .parent = outer};
    TACIT_TRY(const std::string on, PrintCondition(join.on, scope, ContextFor(nullptr)));
    printed.text += " ON " + on;
  }
  return printed;
}

}  // namespace tacit::sql
