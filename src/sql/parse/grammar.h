#pragma once

#include <pg_query/pg_query.pb-c.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/tree.h"

// libpg_query's parse tree -> our tree. Internal to src/sql/parse.
namespace tacit::sql::grammar {

using Node = PgQuery__Node;

// Correct SQL that the tree has no place for. The name is the analyst's word for it.
Error Unsupported(const std::string& what, int position, std::string hint = "");
// SQL that PostgreSQL would not accept either.
Error Invalid(std::string message, int position, std::string hint = "");

// What one level of GROUP BY groups by.
using GroupingLevel = std::vector<Expression>;

// One conversion: the names that WITH has declared so far, and how deep we are.
class Converter {
 public:
  Result<Query> ConvertQuery(const Node* node);
  Result<Expression> ConvertExpression(const Node* node);

 private:
  // queries
  Result<Query> ConvertSelect(const PgQuery__SelectStmt& select);
  Result<Select> ConvertSelectBody(const PgQuery__SelectStmt& select);
  Result<Done> ConvertGroupBy(const PgQuery__SelectStmt& select, Select& body);
  Result<std::vector<GroupingLevel>> LevelsOf(const Node* item);
  Result<GroupingLevel> OneLevel(size_t count, Node* const* nodes);
  Result<Values> ConvertValues(const PgQuery__SelectStmt& select);
  Result<Done> ConvertWith(const PgQuery__WithClause& with, std::vector<CommonTable>& tables);
  Result<Relation> ConvertRelation(const Node* node);
  Result<Relation> ConvertJoin(const PgQuery__JoinExpr& join);
  Result<Relation> ConvertRangeFunction(const PgQuery__RangeFunction& range);
  Result<Relation> ConvertSeries(const PgQuery__FuncCall& call, Alias alias, bool numbered);
  Result<bool> ConvertSeriesItem(const PgQuery__ResTarget& target, Select& body);
  Result<Alias> ConvertAlias(const PgQuery__Alias* alias);
  Result<std::vector<OrderItem>> ConvertOrder(size_t count, Node* const* nodes);
  Result<Window> ConvertWindow(const PgQuery__WindowDef& window);

  // expressions
  Result<Expression> ConvertByKind(const Node* node);
  Result<Expression> ConvertCollate(const PgQuery__CollateClause& clause);
  Result<Expression> ConvertConstant(const PgQuery__AConst& constant);
  Result<Expression> ConvertColumn(const PgQuery__ColumnRef& column);
  Result<Expression> ConvertOperator(const PgQuery__AExpr& expression);
  Result<Expression> ConvertComparedList(const PgQuery__AExpr& expression);
  Result<Expression> ConvertBetween(const PgQuery__AExpr& expression);
  Result<Expression> ConvertRows(const PgQuery__AExpr& expression);
  Result<std::vector<Expression>> ConvertArray(const Node* node, int position);
  Result<Expression> ConvertMatch(const PgQuery__AExpr& expression, const std::string& symbol);
  Result<Expression> ConvertSimilar(const PgQuery__AExpr& expression);
  Result<Expression> ConvertLike(const PgQuery__AExpr& expression, bool case_insensitive);
  Result<Expression> ConvertLogical(const PgQuery__BoolExpr& expression);
  Result<Expression> ConvertFunction(const PgQuery__FuncCall& call);
  Result<Expression> ConvertMedian(const PgQuery__FuncCall& call, Expression argument);
  Result<Expression> ConvertMakeInterval(const PgQuery__FuncCall& call);
  Result<Expression> ConvertCase(const PgQuery__CaseExpr& expression);
  Result<Expression> ConvertCast(const PgQuery__TypeCast& cast);
  Result<Expression> ConvertSubquery(const PgQuery__SubLink& link);
  Result<std::vector<Expression>> ConvertList(size_t count, Node* const* nodes);

  std::vector<std::string> common_tables_;
  std::vector<std::string> read_names_;  // of those, each time that one is read
  int depth_ = 0;
  int subquery_depth_ = 0;
  bool in_exists_ = false;  // the next SELECT is that of an EXISTS
};

// What a type name in a cast says; `length` is n of varchar(n), or -1.
struct NamedType {
  Type type;
  int length = -1;
  bool padded = false;       // char(n), in which blanks at the end mean nothing
  int interval_fields = -1;  // PostgreSQL's mask of INTERVAL '3' DAY, or -1
};
Result<NamedType> ConvertTypeName(const PgQuery__TypeName& name);

// A cast of a string literal to a date, timestamp or interval is that literal, checked here so that
// no engine ever has to parse it.
Result<Expression> ConvertTypedString(const std::string& text, const NamedType& type, int position);

// There is one database, whatever a client calls it, and tables are in one schema of it: in
// clinic.public.visits.age what stands before the table says nothing further.
Result<Done> CheckSchema(const std::string& schema, int position);

Result<std::string> OperatorSymbol(const PgQuery__AExpr& expression);
bool IsKind(const Node* node, PgQuery__Node__NodeCase kind);
Expression Negated(Expression expression, bool negated);
// x ~ 'a' is regexp_like(x, 'a'), x !~* 'a' is NOT regexp_like(x, 'a', 'i').
Expression MatchOf(const std::string& symbol, Expression operand, Expression pattern,
                   Position position);

// The words of a qualified name; empty when a part is not a plain name.
std::vector<std::string> NameParts(size_t count, Node* const* nodes);

bool IsAggregateName(std::string_view name);
bool IsWindowOnlyName(std::string_view name);

}  // namespace tacit::sql::grammar
