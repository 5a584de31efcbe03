#pragma once

#include "base/time/time_zone.h"
#include "catalog/translate/plan.h"
#include "catalog/translate/translate.h"

// The functions of this folder that call each other: one for each kind of node, over one value
// that says what the translation knows so far.

namespace tacit::catalog {

using Node = PgQuery__Node;
using Expressions = std::vector<Expression>;

struct CommonTable {
  std::string name;
  std::vector<RangeColumn> columns;
};

struct Translating {
  const Surroundings& around;
  std::vector<CommonTable> common_tables = {};  // of WITH, the innermost last
  std::vector<Oid> parameters = {};             // their types so far; 0: not decided
  std::vector<Answer::Change> changes = {};     // that set_config asked for
  std::vector<std::string> path = {};           // schemas that are searched
  int depth = 0;
};
Translating BeginTranslating(const Surroundings& surroundings);  // session_calls.cc

// ---- queries (select.cc)
Result<Plan> TranslateSelect(Translating& in, const PgQuery__SelectStmt& select,
                             const Scope* outer);
// Decides what is still untyped, then prints. `wanted` are the types a set operation agreed on.
Result<std::string> Print(Translating& in, Plan plan, const std::vector<Oid>& wanted = {});
Result<std::string> TranslateOrder(Translating& in, size_t count, Node* const* items,
                                   const std::vector<Target>& targets, const Scope* scope);
std::vector<RangeColumn> ColumnsOf(const Plan& plan);

// ---- FROM (from.cc), and the relations that are made of the session (session_relations.cc)
Result<std::string> TranslateFrom(Translating& in, const Node* node, Scope& scope);
Result<std::optional<std::vector<Row>>> SessionRows(Translating& in, const Relation& relation);
std::string Replacements(Translating& in, const Relation& relation);

// ---- expressions (expression.cc, operators.cc)
Result<Expression> TranslateExpression(Translating& in, const Node* node, const Scope& scope);
Result<Expressions> TranslateList(Translating& in, size_t count, Node* const* nodes,
                                  const Scope& scope);
Result<Expression> TranslateOperator(Translating& in, const PgQuery__AExpr& expression,
                                     const Scope& scope);
Result<Expression> ApplyOperator(Translating& in, const std::string& symbol, Expression left,
                                 Expression right, int position);

// ---- types (casts.cc)
Result<Expression> TranslateCast(Translating& in, const PgQuery__TypeCast& cast,
                                 const Scope& scope);
Result<Expression> CastTo(Translating& in, Expression expression, Oid type, int32_t modifier);
// Gives an untyped expression a type; a typed one stays as it is.
Result<Expression> Settle(Translating& in, Expression expression, Oid type);
// Settles all of them to one type, which is returned.
Result<Oid> Unify(Translating& in, Expressions& expressions);
Result<std::string> AsText(Translating& in, Expression expression);
// A parameter's type, decided by its first use.
Result<Expression> BindParameter(Translating& in, int number, Oid type);

// ---- functions (calls.cc, session_calls.cc)
Result<Expression> TranslateCall(Translating& in, const PgQuery__FuncCall& call,
                                 const Scope& scope);
Result<std::optional<Expression>> CallSession(Translating& in, const std::string& name,
                                              const Expressions& arguments, int position);
Result<Expression> TranslateSessionValue(Translating& in, const PgQuery__SQLValueFunction& value);
std::string SettingOf(const Translating& in, const std::string& name);
std::shared_ptr<const TimeZone> ZoneOf(const Translating& in);  // the session's
// aclexplode (privileges.cc): a row for each privilege in a list of them, and its columns.
Result<Expression> ExplodePrivileges(Translating& in, Expression list);
const std::vector<RangeColumn>& PrivilegeColumns();
// What can be longer than its parts, with its limit: the engine counts no such memory.
std::string BoundedText(const std::string& sql);
std::string BoundedConcat(const std::string& left, const std::string& right);  // of arrays

// ---- words (names.cc, bound_values.cc)
// `sql` with its parameters numbered without gaps; `used` says which they were.
std::string NumberParameters(const std::string& sql, std::vector<int>& used);
// The name that PostgreSQL gives to a column without an alias.
std::string OutputName(const PgQuery__Node* node);
// '{a,"b c",NULL}' into its elements; nothing when it is not an array of one dimension.
std::optional<std::vector<Cell>> ParseArray(std::string_view text);
// The word of a name node; names of several parts are joined by the callers.
std::string WordOf(const PgQuery__Node* node);
// 'text' in DuckDB's quotes.
std::string Quoted(std::string_view text);

Error UndefinedError(const std::string& message, const char* rule, int position);
Error UnsupportedError(const std::string& what, int position);
Error BadTextError(const std::string& text, Oid type);

}  // namespace tacit::catalog
