#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "sql/bind/bind.h"
#include "sql/bind/scope.h"
#include "sql/print/dialect.h"
#include "sql/tree.h"

namespace tacit::sql {

// Why 1 MiB: guards repeat their operand, so text can double per level of nesting; no query that a
// person writes comes near.
inline constexpr size_t kPrintedBytesMax = 1024 * 1024;

struct PrintedQuery {
  std::string text;
  std::vector<TypedColumn> columns;  // names and PostgreSQL types of the output
  std::set<size_t> nulls = {};       // columns that are a bare NULL: texts, or what stands beside
};

// A whole query in an engine's SQL, with PostgreSQL's meaning, on tables that are known. Every
// name is quoted, every column qualified, every conversion explicit; the same for both sides of the
// frontier.
Result<PrintedQuery> PrintQuery(const Query& query, const KnownTables& tables,
                                const Dialect& dialect);

// One expression, without subqueries.
Result<std::string> PrintExpression(const Bound& bound, const Dialect& dialect);

// The output columns alone.
Result<std::vector<TypedColumn>> ColumnsOf(const Query& query, const KnownTables& tables);

}  // namespace tacit::sql
