#include "sql/print/query.h"

#include <algorithm>

#include "sql/constants/zone.h"
#include "sql/error_at.h"
#include "sql/print/expand_stars.h"
#include "sql/print/grouped.h"
#include "sql/print/query_printer.h"
#include "sql/walk.h"

namespace tacit::sql {

Error WrongQuery(std::string message, Position position) {
  return ErrorAt(ErrorCode::kInvalidQuery, position, std::move(message));
}

Result<std::vector<TypedColumn>> QueryPrinter::NamedBy(const CommonTable& table,
                                                       std::vector<TypedColumn> columns) {
  if (table.columns.size() > columns.size()) {
    return WrongQuery("\"" + table.name + "\" names more columns than it has", table.position);
  }
  for (size_t i = 0; i < table.columns.size(); ++i) columns[i].name = table.columns[i];
  return columns;
}

// What names itself has the columns of its beginning.
Result<PrintedQuery> QueryPrinter::PrintRecursive(const CommonTable& table, const Scope* outer) {
  const auto* operation = As<SetOperation>(table.query);
  if (operation == nullptr) return WrongQuery("a recursive query must be a UNION", table.position);
  TACIT_TRY(const PrintedQuery beginning, Print(operation->left, outer));
  TACIT_TRY(std::vector<TypedColumn> columns, NamedBy(table, beginning.columns));
  common_tables_.push_back({table.name, std::move(columns)});
  Result<PrintedQuery> printed = PrintSetOperation(table.query, *operation, outer);
  common_tables_.pop_back();
  if (!printed.ok()) return printed;
  for (size_t i = 0; i < beginning.columns.size(); ++i) {
    if (printed->columns[i].type == beginning.columns[i].type) continue;
    return WrongQuery("column " + std::to_string(i + 1) + " of \"" + table.name + "\" begins as " +
                          ToString(beginning.columns[i].type) + " and goes on as " +
                          ToString(printed->columns[i].type),
                      table.position);
  }
  return printed;
}

Result<std::string> QueryPrinter::PrintWith(const Query& query, const Scope* outer) {
  std::string text;
  const bool recursive = std::any_of(query->with.begin(), query->with.end(),
                                     [](const CommonTable& table) { return table.recursive; });
  for (const CommonTable& table : query->with) {
    TACIT_TRY(const PrintedQuery printed,
              table.recursive ? PrintRecursive(table, outer) : Print(table.query, outer));
    TACIT_TRY(std::vector<TypedColumn> columns, NamedBy(table, printed.columns));
    text += !text.empty() ? ", " : recursive ? "WITH RECURSIVE " : "WITH ";
    text += dialect_.Identifier(table.name) + "(";
    for (size_t i = 0; i < columns.size(); ++i) {
      text += (i == 0 ? "" : ", ") + dialect_.Identifier(columns[i].name);
    }
    text += ") AS (" + printed.text + ")";
    common_tables_.push_back({table.name, std::move(columns)});
  }
  return text.empty() ? text : text + " ";
}

Result<std::string> QueryPrinter::PrintLimits(const Query& query) {
  std::string text;
  const auto add = [&text](const char* word, const Expression& count) -> Result<Done> {
    if (!count) return Done{};
    const auto* cast = As<Cast>(count);  // LIMIT 10::bigint
    const auto* literal =
        As<Literal>(cast != nullptr && cast->type.IsInteger() ? cast->operand : count);
    if (literal != nullptr && literal->kind == LiteralKind::kNull) return Done{};  // LIMIT $1
    const bool whole =
        literal != nullptr &&
        (literal->kind == LiteralKind::kInteger ||
         (literal->kind == LiteralKind::kString && !literal->text.empty() &&  // LIMIT '10'
          literal->text.size() < 19 &&
          literal->text.find_first_not_of("0123456789") == std::string::npos));
    if (!whole || literal->text.starts_with('-')) {
      return WrongQuery(std::string(word) + " must be a whole number that is not negative",
                        count->position);
    }
    text += std::string(" ") + word + " " + literal->text;
    return Done{};
  };
  TACIT_CHECK(add("LIMIT", query->limit));
  TACIT_CHECK(add("OFFSET", query->offset));
  return text;
}

Result<PrintedQuery> QueryPrinter::Print(const Query& query, const Scope* outer) {
  const size_t outer_tables = common_tables_.size();
  Result<PrintedQuery> result = [&]() -> Result<PrintedQuery> {
    TACIT_TRY(const std::string with, PrintWith(query, outer));
    Result<PrintedQuery> body = WrongQuery("", {});
    if (const auto* select = As<Select>(query)) {
      body = PrintSelect(query, *select, outer);
    } else if (const auto* operation = As<SetOperation>(query)) {
      body = PrintSetOperation(query, *operation, outer);
    } else {
      body = PrintValues(*As<Values>(query), outer);
    }
    TACIT_TRY(PrintedQuery printed, std::move(body));
    TACIT_TRY(const std::string limits, PrintLimits(query));
    printed.text = with + printed.text + limits;
    if (printed.text.size() > kPrintedBytesMax) {
      return WrongQuery("the query becomes too long for the engine", query->position);
    }
    return printed;
  }();
  common_tables_.resize(outer_tables);
  return result;
}

Result<PrintedQuery> QueryPrinter::PrintSelect(const Query& query, const Select& select,
                                               const Scope* outer) {
  Scope scope{.columns = {}, .parent = outer};
  TACIT_TRY(const std::string from, PrintFrom(select, scope, outer));
  const BindContext context = ContextFor(&select.windows);
  TACIT_TRY(const std::vector<SelectItem> items, ExpandStars(select, scope));
  PrintedQuery printed{.text = "SELECT ", .columns = {}};
  if (select.distinct) printed.text += "DISTINCT ";
  if (!select.distinct_on.empty()) {
    std::string keys;
    std::vector<OrderItem> wrapped;
    for (const Expression& key : select.distinct_on) wrapped.push_back({key, false, false});
    TACIT_TRY(const std::vector<OrderItem> resolved, ResolveOrderBy(wrapped, items));
    for (const OrderItem& key : resolved) {
      TACIT_TRY(const Bound bound, Bind(key.expression, scope, context));
      TACIT_TRY(const std::string text, PrintIn(bound, scope));
      keys += (keys.empty() ? "" : ", ") + text;
    }
    printed.text += "DISTINCT ON (" + keys + ") ";
  }
  std::vector<Bound> shown;
  for (size_t i = 0; i < items.size(); ++i) {
    TACIT_TRY(Bound bound, Bind(items[i].expression, scope, context));
    shown.push_back(bound);
    if (bound->type.kind == TypeKind::kUnknown) {
      TACIT_TRY(bound, ConvertTo(bound, Simple(TypeKind::kText)));
    }
    TACIT_TRY(const std::string text, PrintIn(bound, scope));
    const std::string name = OutputName(items[i]);
    printed.text += (i == 0 ? "" : ", ") + text + " AS " + dialect_.Identifier(name);
    printed.columns.push_back({name, bound->type});
    const auto* literal = As<Literal>(items[i].expression);
    if (literal != nullptr && literal->kind == LiteralKind::kNull) printed.nulls.insert(i);
  }
  printed.text += from;
  if (select.where) {
    if (HasAggregate(select.where)) {
      return WrongQuery("aggregate functions are not allowed in WHERE", select.where->position);
    }
    TACIT_TRY(const std::string where, PrintCondition(select.where, scope, context));
    printed.text += " WHERE " + where;
  }
  Select expanded = select;
  expanded.items = items;
  TACIT_TRY(
      const std::vector<Expression> keys,
      ResolveGroupBy(expanded, {[&scope](const std::string& name) { return scope.Has(name); }}));
  std::vector<Bound> group_keys;
  std::vector<std::string> key_texts;
  for (const Expression& key : keys) {
    TACIT_TRY(Bound bound, Bind(key, scope, context));
    group_keys.push_back(bound);
    TACIT_TRY(bound,
              ConvertTo(bound, bound->type.kind == TypeKind::kUnknown ? Simple(TypeKind::kText)
                                                                      : bound->type));
    TACIT_TRY(key_texts.emplace_back(), PrintIn(bound, scope));
  }
  printed.text += GroupByText(key_texts, select.grouping_sets);
  const bool grouped = IsGrouped(*query, select, items);
  if (grouped) {
    if (select.having) {
      TACIT_TRY(shown.emplace_back(), Bind(select.having, scope, context));
    }
    for (const Bound& bound : shown) {
      if (const auto error = UngroupedColumn(bound, group_keys, scope)) return *error;
    }
  }
  if (select.having) {
    TACIT_TRY(const std::string having, PrintCondition(select.having, scope, context));
    printed.text += " HAVING " + having;
  }
  TACIT_TRY(const std::string order,
            PrintSelectOrder(query, select, items, scope, grouped ? &group_keys : nullptr));
  printed.text += order;
  return printed;
}

// An item that is an output column goes by its position, so that DISTINCT and aliases need no rules
// of their own.
Result<std::string> QueryPrinter::PrintSelectOrder(const Query& query, const Select& select,
                                                   const std::vector<SelectItem>& items,
                                                   const Scope& scope,
                                                   const std::vector<Bound>* group_keys) {
  TACIT_TRY(const std::vector<OrderItem> resolved, ResolveOrderBy(query->order_by, items));
  std::string text;
  for (const OrderItem& item : resolved) {
    std::string key;
    for (size_t i = 0; i < items.size() && key.empty(); ++i) {
      if (items[i].expression == item.expression) key = std::to_string(i + 1);
    }
    if (key.empty()) {
      if (select.distinct) {
        return WrongQuery("with SELECT DISTINCT, ORDER BY takes output columns only",
                          item.expression->position);
      }
      TACIT_TRY(const Bound bound, Bind(item.expression, scope, ContextFor(&select.windows)));
      if (group_keys != nullptr) {
        if (const auto error = UngroupedColumn(bound, *group_keys, scope)) return *error;
      }
      TACIT_TRY(key, PrintIn(bound, scope));
    }
    text += (text.empty() ? " ORDER BY " : ", ") + key + (item.descending ? " DESC" : " ASC") +
            (item.nulls_first ? " NULLS FIRST" : " NULLS LAST");
  }
  return text;
}

// A column of one side, as the type of both. Times become instants by the session's clocks.
Result<std::string> QueryPrinter::PrintConverted(const std::string& name, const Type& from,
                                                 const Type& to) {
  const std::string column = dialect_.Identifier(name);
  if (from == to) return column;
  const bool shown = from.kind == TypeKind::kDate || from.kind == TypeKind::kTimestamp;
  if (!shown || to.kind != TypeKind::kTimestampTz || tables_.Zone().empty()) {
    return dialect_.Cast(column, from, to);
  }
  const Scope scope{.columns = {{.table = "", .column = {name, from}}}, .parent = nullptr};
  const Expression converted =
      MakeExpression(sql::Cast{MakeExpression(ColumnReference{"", name}), to});
  TACIT_TRY(const Bound bound, Bind(converted, scope, ContextFor(nullptr)));
  return PrintIn(bound, scope);
}

Result<PrintedQuery> QueryPrinter::PrintSetOperation(const Query& query,
                                                     const SetOperation& operation,
                                                     const Scope* outer) {
  TACIT_TRY(const PrintedQuery left, Print(operation.left, outer));
  TACIT_TRY(const PrintedQuery right, Print(operation.right, outer));
  if (left.columns.size() != right.columns.size()) {
    return WrongQuery("the two sides of a set operation must have the same number of columns",
                      operation.right->position);
  }
  PrintedQuery printed;
  std::vector<Type> types;
  for (size_t i = 0; i < left.columns.size(); ++i) {
    const bool left_null = left.nulls.contains(i);
    const bool right_null = right.nulls.contains(i);
    if (left_null && right_null) printed.nulls.insert(i);
    const std::optional<Type> common =
        left_null    ? right.columns[i].type
        : right_null ? left.columns[i].type
                     : CommonType(left.columns[i].type, right.columns[i].type);
    if (!common) {
      return WrongQuery("column " + std::to_string(i + 1) + " of the set operation mixes " +
                            ToString(left.columns[i].type) + " and " +
                            ToString(right.columns[i].type),
                        operation.right->position);
    }
    types.push_back(*common);
    printed.columns.push_back({left.columns[i].name, *common});
  }
  // Each side converted to the common types under its own column numbers.
  const auto side = [&](const PrintedQuery& branch) -> Result<std::string> {
    std::string list;
    std::string names;
    for (size_t i = 0; i < types.size(); ++i) {
      const std::string name = "c" + std::to_string(i + 1);
      TACIT_TRY(const std::string column, PrintConverted(name, branch.columns[i].type, types[i]));
      list += (i == 0 ? "" : ", ") + column + " AS " + dialect_.Identifier(printed.columns[i].name);
      names += (i == 0 ? "" : ", ") + dialect_.Identifier(name);
    }
    return "SELECT " + list + " FROM (" + branch.text + ") AS \"branch\"(" + names + ")";
  };
  const char* word = operation.set_operator == SetOperator::kUnion       ? " UNION "
                     : operation.set_operator == SetOperator::kIntersect ? " INTERSECT "
                                                                         : " EXCEPT ";
  TACIT_TRY(const std::string one, side(left));
  TACIT_TRY(const std::string other, side(right));
  printed.text = "(" + one + ")" + word + (operation.all ? "ALL " : "") + "(" + other + ")";
  std::vector<SelectItem> items;
  for (const TypedColumn& column : printed.columns) {
    items.push_back({MakeExpression(ColumnReference{"", column.name}), column.name});
  }
  TACIT_TRY(const std::vector<OrderItem> order, ResolveOrderBy(query->order_by, items));
  std::string order_text;
  for (const OrderItem& item : order) {
    std::string key;
    for (size_t i = 0; i < items.size() && key.empty(); ++i) {
      if (items[i].expression == item.expression) key = std::to_string(i + 1);
    }
    if (key.empty()) {
      return WrongQuery("ORDER BY of a set operation takes output columns only",
                        item.expression->position);
    }
    order_text += (order_text.empty() ? " ORDER BY " : ", ") + key +
                  (item.descending ? " DESC" : " ASC") +
                  (item.nulls_first ? " NULLS FIRST" : " NULLS LAST");
  }
  printed.text += order_text;
  return printed;
}

Result<PrintedQuery> QueryPrinter::PrintValues(const Values& written, const Scope* outer) {
  const Values values = WithInstants(written);
  const Scope scope{.columns = {}, .parent = outer};
  const BindContext context = ContextFor(nullptr);
  const size_t width = values.rows.front().size();
  std::vector<std::vector<Bound>> rows;
  std::vector<std::vector<Type>> types(width);
  for (const std::vector<Expression>& row : values.rows) {
    std::vector<Bound>& bound_row = rows.emplace_back();
    for (size_t i = 0; i < width; ++i) {
      TACIT_TRY(bound_row.emplace_back(), Bind(row[i], scope, context));
      types[i].push_back(bound_row.back()->type);
    }
  }
  PrintedQuery printed{.text = "SELECT * FROM (VALUES ", .columns = {}};
  for (size_t i = 0; i < width; ++i) {
    const std::optional<Type> common = CommonType(types[i]);
    if (!common) {
      return WrongQuery("column " + std::to_string(i + 1) + " of VALUES mixes types",
                        values.rows.front()[i]->position);
    }
    printed.columns.push_back({"column" + std::to_string(i + 1), *common});
  }
  for (size_t r = 0; r < rows.size(); ++r) {
    printed.text += r == 0 ? "(" : ", (";
    for (size_t i = 0; i < width; ++i) {
      TACIT_TRY(const Bound value, ConvertTo(rows[r][i], printed.columns[i].type));
      TACIT_TRY(const std::string text, PrintIn(value, scope));
      printed.text += (i == 0 ? "" : ", ") + text;
    }
    printed.text += ")";
  }
  printed.text += ") AS \"rows\"(";
  for (size_t i = 0; i < width; ++i) {
    printed.text += (i == 0 ? "" : ", ") + dialect_.Identifier(printed.columns[i].name);
  }
  printed.text += ")";
  return printed;
}

Result<PrintedQuery> PrintQuery(const Query& query, const KnownTables& tables,
                                const Dialect& dialect) {
  return QueryPrinter(tables, dialect).Print(query, nullptr);
}

Result<std::vector<TypedColumn>> ColumnsOf(const Query& query, const KnownTables& tables) {
  TACIT_TRY(PrintedQuery printed, PrintQuery(query, tables, DuckDbDialect()));
  return std::move(printed.columns);
}

}  // namespace tacit::sql
