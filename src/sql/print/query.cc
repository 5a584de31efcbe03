// Longer than most files: the clauses of one SELECT share its scope, and read best side by side.
#include "sql/print/query.h"

#include <map>

#include "sql/print/expand_stars.h"
#include "sql/print/expression_printer.h"
#include "sql/print/grouped.h"
#include "sql/walk.h"

namespace tacit::sql {
namespace {

Error Wrong(std::string message, Position position) {
  return Error{
      .code = ErrorCode::kInvalidQuery,
      .public_message = std::move(message),
      .hint = "",
      .position = position.offset >= 0 ? std::optional<int>(position.offset) : std::nullopt,
      .private_detail = ""};
}

struct CommonTableColumns {
  std::string name;
  std::vector<TypedColumn> columns;
};

// What printing a relation yields: its text, and the names it brings into scope.
struct PrintedRelation {
  std::string text;
  std::vector<ScopeColumn> columns;
};

class QueryPrinter {
 public:
  QueryPrinter(const KnownTables& tables, const Dialect& dialect)
      : tables_(tables), dialect_(dialect) {}

  Result<PrintedQuery> Print(const Query& query, const Scope* outer);

 private:
  Result<PrintedQuery> PrintSelect(const Query& query, const Select& select, const Scope* outer);
  Result<PrintedQuery> PrintSetOperation(const Query& query, const SetOperation& operation,
                                         const Scope* outer);
  Result<PrintedQuery> PrintValues(const Values& values, const Scope* outer);
  Result<std::string> PrintWith(const Query& query, const Scope* outer);
  Result<std::string> PrintLimits(const Query& query);
  Result<std::string> PrintSelectOrder(const Query& query, const Select& select,
                                       const std::vector<SelectItem>& items, const Scope& scope,
                                       const std::vector<Bound>* group_keys);
  Result<std::string> PrintFrom(const Select& select, Scope& scope, const Scope* outer);
  Result<PrintedRelation> PrintRelation(const Relation& relation, const Scope* outer);
  Result<PrintedRelation> PrintJoin(const Join& join, const Scope* outer);
  Result<PrintedRelation> Aliased(const std::string& text, std::vector<TypedColumn> columns,
                                  const Alias& alias, const std::string& own_name,
                                  Position position);

  BindContext ContextFor(const std::vector<NamedWindow>* windows) {
    return {.scalar_type = [this](const Query& query, const Scope& scope) -> Result<Type> {
              TACIT_TRY(PrintedQuery printed, Print(query, &scope));
              if (printed.columns.size() != 1) {
                return Wrong("a subquery here must have one column", query->position);
              }
              const Type type = printed.columns[0].type;
              typed_[{query.get(), &scope}] = std::move(printed.text);
              return type;
            },
            .windows = windows};
  }

  // Binds and prints in one go; subqueries are printed with `scope` around them.
  Result<std::string> PrintIn(const Bound& bound, const Scope& scope) {
    const ExpressionPrinter printer(dialect_, [&](const Query& query) -> Result<std::string> {
      if (auto typed = typed_.extract({query.get(), &scope})) return std::move(typed.mapped());
      TACIT_TRY(PrintedQuery printed, Print(query, &scope));
      return std::move(printed.text);
    });
    return printer.Print(bound);
  }
  Result<std::string> PrintCondition(const Expression& condition, const Scope& scope,
                                     const BindContext& context) {
    TACIT_TRY(const Bound bound, BindAs(condition, Simple(TypeKind::kBoolean), scope, context));
    return PrintIn(bound, scope);
  }

  const KnownTables& tables_;
  const Dialect& dialect_;
  std::vector<CommonTableColumns> common_tables_;
  // Subqueries that were printed to learn their type, until their expression is printed: without it
  // the work would double at each level of nesting.
  std::map<std::pair<const QueryNode*, const Scope*>, std::string> typed_;
};

Result<std::string> QueryPrinter::PrintWith(const Query& query, const Scope* outer) {
  std::string text;
  for (const CommonTable& table : query->with) {
    TACIT_TRY(PrintedQuery printed, Print(table.query, outer));
    std::vector<TypedColumn> columns = printed.columns;
    if (table.columns.size() > columns.size()) {
      return Wrong("\"" + table.name + "\" names more columns than it has", table.position);
    }
    for (size_t i = 0; i < table.columns.size(); ++i) columns[i].name = table.columns[i];
    text += (text.empty() ? "WITH " : ", ") + dialect_.Identifier(table.name) + "(";
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
    if (literal == nullptr || literal->kind != LiteralKind::kInteger ||
        literal->text.starts_with('-')) {
      return Wrong(std::string(word) + " must be a whole number that is not negative",
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
    Result<PrintedQuery> body = Wrong("", {});
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
      return Wrong("the query becomes too long for the engine", query->position);
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
  }
  printed.text += from;
  if (select.where) {
    if (HasAggregate(select.where)) {
      return Wrong("aggregate functions are not allowed in WHERE", select.where->position);
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
  for (size_t i = 0; i < keys.size(); ++i) {
    TACIT_TRY(Bound bound, Bind(keys[i], scope, context));
    group_keys.push_back(bound);
    TACIT_TRY(bound,
              ConvertTo(bound, bound->type.kind == TypeKind::kUnknown ? Simple(TypeKind::kText)
                                                                      : bound->type));
    TACIT_TRY(const std::string text, PrintIn(bound, scope));
    printed.text += (i == 0 ? " GROUP BY (" : ", (") + text + ")";
  }
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
        return Wrong("with SELECT DISTINCT, ORDER BY takes output columns only",
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

Result<PrintedQuery> QueryPrinter::PrintSetOperation(const Query& query,
                                                     const SetOperation& operation,
                                                     const Scope* outer) {
  TACIT_TRY(const PrintedQuery left, Print(operation.left, outer));
  TACIT_TRY(const PrintedQuery right, Print(operation.right, outer));
  if (left.columns.size() != right.columns.size()) {
    return Wrong("the two sides of a set operation must have the same number of columns",
                 operation.right->position);
  }
  PrintedQuery printed;
  std::vector<Type> types;
  for (size_t i = 0; i < left.columns.size(); ++i) {
    const std::optional<Type> common = CommonType(left.columns[i].type, right.columns[i].type);
    if (!common) {
      return Wrong("column " + std::to_string(i + 1) + " of the set operation mixes " +
                       ToString(left.columns[i].type) + " and " + ToString(right.columns[i].type),
                   operation.right->position);
    }
    types.push_back(*common);
    printed.columns.push_back({left.columns[i].name, *common});
  }
  // Each side converted to the common types under its own column numbers.
  const auto side = [&](const PrintedQuery& branch) {
    std::string list;
    std::string names;
    for (size_t i = 0; i < types.size(); ++i) {
      const std::string column = dialect_.Identifier("c" + std::to_string(i + 1));
      const bool same = branch.columns[i].type == types[i];
      list += (i == 0 ? "" : ", ") +
              (same ? column : dialect_.Cast(column, branch.columns[i].type, types[i])) + " AS " +
              dialect_.Identifier(printed.columns[i].name);
      names += (i == 0 ? "" : ", ") + column;
    }
    return "SELECT " + list + " FROM (" + branch.text + ") AS \"branch\"(" + names + ")";
  };
  const char* word = operation.set_operator == SetOperator::kUnion       ? " UNION "
                     : operation.set_operator == SetOperator::kIntersect ? " INTERSECT "
                                                                         : " EXCEPT ";
  printed.text =
      "(" + side(left) + ")" + word + (operation.all ? "ALL " : "") + "(" + side(right) + ")";
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
      return Wrong("ORDER BY of a set operation takes output columns only",
                   item.expression->position);
    }
    order_text += (order_text.empty() ? " ORDER BY " : ", ") + key +
                  (item.descending ? " DESC" : " ASC") +
                  (item.nulls_first ? " NULLS FIRST" : " NULLS LAST");
  }
  printed.text += order_text;
  return printed;
}

Result<PrintedQuery> QueryPrinter::PrintValues(const Values& values, const Scope* outer) {
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
      return Wrong("column " + std::to_string(i + 1) + " of VALUES mixes types",
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
    return Wrong("the alias names more columns than the table has", position);
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
    if (columns == nullptr) return Wrong("table \"" + table->name + "\" does not exist", position);
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
    return Wrong("table \"" + common->name + "\" does not exist", position);
  }
  if (const auto* derived = As<DerivedTable>(relation)) {
    TACIT_TRY(const PrintedQuery printed, Print(derived->query, outer));
    if (derived->alias.name.empty()) return Wrong("a subquery in FROM needs an alias", position);
    // Column names are given here, so that the insides may call them anything.
    Alias alias = derived->alias;
    if (alias.columns.size() > printed.columns.size()) {
      return Wrong("the alias names more columns than the subquery has", position);
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
    return Wrong("NATURAL JOIN of tables that share no column", join.left->position);
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
      return Wrong("column \"" + name + "\" of USING is not on both sides", join.left->position);
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

}  // namespace

Result<PrintedQuery> PrintQuery(const Query& query, const KnownTables& tables,
                                const Dialect& dialect) {
  return QueryPrinter(tables, dialect).Print(query, nullptr);
}

Result<std::vector<TypedColumn>> ColumnsOf(const Query& query, const KnownTables& tables) {
  TACIT_TRY(PrintedQuery printed, PrintQuery(query, tables, DuckDbDialect()));
  return std::move(printed.columns);
}

}  // namespace tacit::sql
