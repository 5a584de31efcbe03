#pragma once

#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/objects.h"
#include "catalog/store.h"
#include "catalog/translate/plan.h"

namespace tacit::catalog {

// What a translation needs beside the query. All of it outlives the translator.
struct Surroundings {
  const Objects& objects;
  const Store& store;
  const policy::Policy& policy;
  const Session& session;
  bool running = false;  // else only the shape is wanted, and no callback is called
  std::vector<Oid> parameter_types;
  std::vector<std::optional<std::string>> parameters;
};

struct Translation {
  std::string sql;
  std::vector<Column> columns;
  std::vector<Oid> parameters;
  std::vector<int> used_parameters;  // which of them are $1, $2, ... in `sql`
  std::vector<Answer::Change> changes;
  bool public_is_searched = true;
};

// What can be longer than its parts, with its limit (calls.cc): the engine counts no such memory.
std::string BoundedText(const std::string& sql);
std::string BoundedConcat(const std::string& left, const std::string& right);  // of arrays

// PostgreSQL's tree of a catalog query into DuckDB's SQL over the store. What leaves here was put
// together from known pieces: names in quotes, literals in quotes, and the functions and operators
// that have a rule. What has no rule is an error; nothing of the query's text is copied.
class Translator {
 public:
  explicit Translator(const Surroundings& surroundings);
  Result<Translation> Translate(const PgQuery__SelectStmt& select);

 private:
  using Node = PgQuery__Node;
  using Expressions = std::vector<Expression>;

  // queries (select.cc)
  Result<Plan> TranslateSelect(const PgQuery__SelectStmt& select, const Scope* outer);
  Result<Plan> TranslateBody(const PgQuery__SelectStmt& select, const Scope* outer);
  Result<Plan> TranslateSimple(const PgQuery__SelectStmt& select, const Scope* outer);
  Result<Plan> TranslateValues(const PgQuery__SelectStmt& select, const Scope* outer);
  Result<Plan> TranslateSetOperation(const PgQuery__SelectStmt& select, const Scope* outer);
  Result<std::string> TranslateWith(const PgQuery__WithClause& with, const Scope* outer);
  Result<Done> AddTargets(const PgQuery__ResTarget& target, const Scope& scope,
                          std::vector<Target>& targets);
  Result<std::string> TranslateDistinct(const PgQuery__SelectStmt& select,
                                        const std::vector<Target>& targets, const Scope& scope);
  Result<std::string> TranslateOrder(size_t count, Node* const* items,
                                     const std::vector<Target>& targets, const Scope* scope);
  Result<std::string> TranslateGroup(const PgQuery__SelectStmt& select,
                                     const std::vector<Target>& targets, const Scope& scope);
  Result<std::string> TranslateLimit(const PgQuery__SelectStmt& select);
  // Decides what is still untyped, then prints. `wanted` are the types a set operation agreed on.
  Result<std::string> Print(Plan plan, const std::vector<Oid>& wanted = {});
  static std::vector<RangeColumn> ColumnsOf(const Plan& plan);

  // FROM (from.cc)
  Result<std::string> TranslateFrom(const Node* node, Scope& scope);
  Result<std::string> TranslateTable(const PgQuery__RangeVar& table, Scope& scope);
  Result<std::string> TranslateJoin(const PgQuery__JoinExpr& join, Scope& scope);
  Result<std::string> TranslateSubquery(const PgQuery__RangeSubselect& subquery, Scope& scope);
  Result<std::string> TranslateFunction(const PgQuery__RangeFunction& function, Scope& scope);
  Result<std::string> RelationSql(const Relation& relation);

  // relations that the session makes (session_relations.cc)
  Result<std::optional<std::vector<Row>>> SessionRows(const Relation& relation);
  std::vector<Row> SettingRows(const Relation& relation);
  std::vector<Row> RoleRows(const Relation& relation);
  Result<std::vector<Row>> BudgetRows(const Relation& relation);
  Result<std::vector<Row>> LedgerRows(const Relation& relation);
  std::vector<Row> TacitSettingRows(const Relation& relation);
  std::string Replacements(const Relation& relation);

  // expressions (expression.cc)
  Result<Expression> TranslateExpression(const Node* node, const Scope& scope);
  Result<Expression> TranslateByKind(const Node* node, const Scope& scope);
  Result<Expression> TranslateConstant(const PgQuery__AConst& constant);
  Result<Expression> TranslateColumn(const PgQuery__ColumnRef& column, const Scope& scope);
  Result<Expression> TranslateParameter(const PgQuery__ParamRef& parameter);
  Result<Expression> TranslateLogical(const PgQuery__BoolExpr& logical, const Scope& scope);
  Result<Expression> TranslateCase(const PgQuery__CaseExpr& expression, const Scope& scope);
  Result<Expression> TranslateSubLink(const PgQuery__SubLink& link, const Scope& scope);
  Result<Expression> TranslateIndirection(const PgQuery__AIndirection& path, const Scope& scope);
  Result<Expression> TranslateSessionValue(const PgQuery__SQLValueFunction& value);
  Result<Expressions> TranslateList(size_t count, Node* const* nodes, const Scope& scope);
  Result<Expression> TranslateArray(const PgQuery__AArrayExpr& array, const Scope& scope);

  // operators (operators.cc)
  Result<Expression> TranslateOperator(const PgQuery__AExpr& expression, const Scope& scope);
  Result<Expression> ApplyOperator(const std::string& symbol, Expression left, Expression right,
                                   int position);
  Result<Expression> CompareWithArray(const PgQuery__AExpr& expression, const Scope& scope);
  Result<Expression> TranslateIn(const PgQuery__AExpr& expression, const Scope& scope);
  Result<Expression> TranslateLike(const PgQuery__AExpr& expression, const Scope& scope);

  // types (casts.cc)
  struct CastTarget {
    Oid type = 0;
    int32_t modifier = -1;
  };
  Result<CastTarget> ReadTypeName(const PgQuery__TypeName& name);
  Result<Expression> TranslateCast(const PgQuery__TypeCast& cast, const Scope& scope);
  Result<Expression> CastTo(Expression expression, Oid type, int32_t modifier);
  // Gives an untyped expression a type; a typed one stays as it is.
  Result<Expression> Settle(Expression expression, Oid type);
  Result<Expression> SettleLiteral(const std::string& text, Oid type);
  // Settles all of them to one type, which is returned.
  Result<Oid> Unify(Expressions& expressions);
  Result<std::string> AsText(Expression expression);

  // functions (calls.cc, session_calls.cc)
  Result<Expression> TranslateCall(const PgQuery__FuncCall& call, const Scope& scope);
  Result<Expression> TranslateAggregate(const std::string& name, const PgQuery__FuncCall& call,
                                        const Scope& scope);
  Result<std::string> TranslateWindow(const PgQuery__WindowDef& window, const Scope& scope);
  Result<std::optional<Expression>> CallSession(const std::string& name,
                                                const Expressions& arguments, int position);
  Result<std::optional<Expression>> CallArray(const std::string& name, Expressions& arguments);
  Result<Expression> CallRule(const std::string& name, Expressions arguments, int position);
  Result<Expression> CallFormat(const std::string& pattern, const Expressions& arguments,
                                int position);
  Result<Expression> SetConfig(const Expressions& arguments, int position);
  Result<std::string> ConstantText(const Expression& expression, int position) const;
  std::string Setting(const std::string& name) const;
  std::vector<std::string> SearchPath(bool implicit) const;

  // A parameter's type, decided by its first use.
  Result<Expression> BindParameter(int number, Oid type);

  const Surroundings& around_;
  struct CommonTable {
    std::string name;
    std::vector<RangeColumn> columns;
  };
  std::vector<CommonTable> common_tables_;
  std::vector<Oid> parameters_;
  std::vector<Answer::Change> changes_;
  std::vector<std::string> path_;
  int depth_ = 0;
};

// The client's values of $1, $2, ... as the engine binds them: every one a text that the statement
// casts, arrays rewritten as DuckDB's lists, names of registry types as numbers.
Result<std::vector<engine::Value>> BoundValues(const Objects& objects,
                                               const Surroundings& surroundings,
                                               const Translation& translation);

// `sql` with its parameters numbered without gaps; `used` says which they were.
std::string NumberParameters(const std::string& sql, std::vector<int>& used);

// The name that PostgreSQL gives to a column without an alias.
std::string OutputName(const PgQuery__Node* node);

// '{a,"b c",NULL}' into its elements; nothing when it is not an array of one dimension.
std::optional<std::vector<Cell>> ParseArray(std::string_view text);

Error UndefinedError(const std::string& message, const char* rule, int position);
Error UnsupportedError(const std::string& what, int position);
Error BadTextError(const std::string& text, Oid type);

// The word of a name node; names of several parts are joined by the callers.
std::string WordOf(const PgQuery__Node* node);
// 'text' in DuckDB's quotes.
std::string Quoted(std::string_view text);

}  // namespace tacit::catalog
