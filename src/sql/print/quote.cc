#include "sql/print/quote.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/quoted.h"

namespace tacit::sql {
namespace {

// PostgreSQL 15's reserved words, and those reserved except as a function or type name; sorted.
constexpr std::array<std::string_view, 100> kReserved = {"all",
                                                         "analyse",
                                                         "analyze",
                                                         "and",
                                                         "any",
                                                         "array",
                                                         "as",
                                                         "asc",
                                                         "asymmetric",
                                                         "authorization",
                                                         "binary",
                                                         "both",
                                                         "case",
                                                         "cast",
                                                         "check",
                                                         "collate",
                                                         "collation",
                                                         "column",
                                                         "concurrently",
                                                         "constraint",
                                                         "create",
                                                         "cross",
                                                         "current_catalog",
                                                         "current_date",
                                                         "current_role",
                                                         "current_schema",
                                                         "current_time",
                                                         "current_timestamp",
                                                         "current_user",
                                                         "default",
                                                         "deferrable",
                                                         "desc",
                                                         "distinct",
                                                         "do",
                                                         "else",
                                                         "end",
                                                         "except",
                                                         "false",
                                                         "fetch",
                                                         "for",
                                                         "foreign",
                                                         "freeze",
                                                         "from",
                                                         "full",
                                                         "grant",
                                                         "group",
                                                         "having",
                                                         "ilike",
                                                         "in",
                                                         "initially",
                                                         "inner",
                                                         "intersect",
                                                         "into",
                                                         "is",
                                                         "isnull",
                                                         "join",
                                                         "lateral",
                                                         "leading",
                                                         "left",
                                                         "like",
                                                         "limit",
                                                         "localtime",
                                                         "localtimestamp",
                                                         "natural",
                                                         "not",
                                                         "notnull",
                                                         "null",
                                                         "offset",
                                                         "on",
                                                         "only",
                                                         "or",
                                                         "order",
                                                         "outer",
                                                         "overlaps",
                                                         "placing",
                                                         "primary",
                                                         "references",
                                                         "returning",
                                                         "right",
                                                         "select",
                                                         "session_user",
                                                         "similar",
                                                         "some",
                                                         "symmetric",
                                                         "table",
                                                         "tablesample",
                                                         "then",
                                                         "to",
                                                         "trailing",
                                                         "true",
                                                         "union",
                                                         "unique",
                                                         "user",
                                                         "using",
                                                         "variadic",
                                                         "verbose",
                                                         "when",
                                                         "where",
                                                         "window",
                                                         "with"};

// Words that are names in most places but not in every one; quoting them never hurts.
constexpr std::array<std::string_view, 20> kAwkward = {
    "between", "bigint",   "boolean", "char",    "character", "coalesce", "date",
    "decimal", "exists",   "extract", "float",   "greatest",  "int",      "integer",
    "least",   "interval", "nullif",  "numeric", "position",  "values"};

bool IsPlain(const std::string& name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::string QuoteIdentifierIfNeeded(const std::string& name) {
  const bool plain = IsPlain(name) &&
                     std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end() &&
                     std::find(kAwkward.begin(), kAwkward.end(), name) == kAwkward.end();
  return plain ? name : QuoteIdentifier(name);
}

std::string QuoteIdentifier(std::string_view name) { return Doubled(name, '"'); }

std::string QuoteString(std::string_view text) { return Doubled(text, '\''); }

}  // namespace tacit::sql
