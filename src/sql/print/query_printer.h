#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sql/print/expression_printer.h"
#include "sql/print/query.h"

// Internal to src/sql/print: one query on its way into an engine's words. query.cc has its clauses,
// relation.cc what stands in FROM.
namespace tacit::sql {

// What PostgreSQL would not accept either.
Error WrongQuery(std::string message, Position position);

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
  Result<std::string> PrintConverted(const std::string& name, const Type& from, const Type& to);
  Result<PrintedQuery> PrintValues(const Values& written, const Scope* outer);
  Result<std::vector<TypedColumn>> NamedBy(const CommonTable& table,
                                           std::vector<TypedColumn> columns);
  Result<PrintedQuery> PrintRecursive(const CommonTable& table, const Scope* outer);
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
                return WrongQuery("a subquery here must have one column", query->position);
              }
              const Type type = printed.columns[0].type;
              typed_[{query.get(), &scope}] = std::move(printed.text);
              return type;
            },
            .windows = windows,
            .zone = tables_.Zone()};
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

}  // namespace tacit::sql
