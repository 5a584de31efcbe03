#include "engine/trino/catalog/catalog.h"

#include <map>

#include "sql/print/quote.h"

namespace tacit::engine::trino {
namespace {

using sql::QuoteIdentifier;
using sql::QuoteString;

Error Unreadable(const std::string& why) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the catalog of the Trino cluster cannot be read",
               .hint = "try again; `tacit check` says what the cluster answers",
               .position = std::nullopt,
               .private_detail = why};
}

std::string ListOfNames(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? "" : ", ") + QuoteString(policy::FoldedName(name));
  }
  return list;
}

// Three statements instead of one that joins them: each is answered by the coordinator alone, in a
// tenth of the time.
struct CatalogSql {
  std::string columns;
  std::string tables;
  std::string views;  // materialized ones: they are tables to information_schema
};
CatalogSql SqlOf(const policy::TrinoSettings& settings, const std::vector<std::string>& names) {
  const std::string schema = QuoteIdentifier(settings.catalog) + ".information_schema.";
  const std::string listed = names.empty() ? "" : " IN (" + ListOfNames(names) + ")";
  const std::string where = " WHERE table_schema = " + QuoteString(settings.schema) +
                            (names.empty() ? "" : " AND table_name" + listed);
  return {.columns = "SELECT table_name, column_name, data_type, is_nullable FROM " + schema +
                     "columns" + where + " ORDER BY table_name, ordinal_position",
          .tables = "SELECT table_name, table_type FROM " + schema + "tables" + where,
          .views =
              "SELECT name, 'MATERIALIZED VIEW' FROM system.metadata.materialized_views WHERE "
              "catalog_name = " +
              QuoteString(settings.catalog) + " AND schema_name = " + QuoteString(settings.schema) +
              (names.empty() ? "" : " AND name" + listed)};
}

// Rows of so many texts each.
Result<std::vector<std::vector<std::string>>> TextsOf(Connection& connection,
                                                      const std::string& sql, size_t width,
                                                      const TimeLimits& limits) {
  Reply reply;
  if (const auto failure = connection.Query(sql, limits.catalog, reply)) {
    return Unreadable(failure->text);
  }
  std::vector<std::vector<std::string>> rows;
  for (const std::vector<Cell>& row : reply.rows) {
    std::vector<std::string>& texts = rows.emplace_back();
    for (const Cell& cell : row) {
      const auto* text = std::get_if<std::string>(&cell);
      if (text == nullptr || row.size() != width) return Unreadable("it has another shape");
      texts.push_back(*text);
    }
  }
  return rows;
}

// By the name of a table, as Trino has it.
Result<std::map<std::string, std::string>> KindsOf(Connection& connection, const CatalogSql& sql,
                                                   const TimeLimits& limits) {
  std::map<std::string, std::string> kinds;
  for (const std::string& statement : {sql.tables, sql.views}) {
    TACIT_TRY(const auto rows, TextsOf(connection, statement, 2, limits));
    for (const std::vector<std::string>& row : rows) kinds[row[0]] = row[1];
  }
  return kinds;
}

enum Place : size_t { kTable, kColumn, kType, kNullable, kPlaces };

std::string WhyNot(const std::string& kind) {
  if (kind == "BASE TABLE") return "";
  if (kind == "VIEW") return "is a view, and a view can mix people";
  if (kind == "MATERIALIZED VIEW") return "is a materialized view, and a view can mix people";
  return "is no ordinary table";
}

bool IsUnique(const policy::TrinoSettings& settings, const std::string& table,
              const std::string& column) {
  for (const policy::ColumnOfTable& one : settings.unique) {
    if (policy::SameName(one.table, table) && policy::SameName(one.column, column)) return true;
  }
  return false;
}

}  // namespace

Result<Catalog> ReadCatalog(Connection& connection, const policy::TrinoSettings& settings,
                            const std::vector<std::string>& names, const TimeLimits& limits) {
  const CatalogSql sql = SqlOf(settings, names);
  TACIT_TRY(const auto kinds, KindsOf(connection, sql, limits));
  TACIT_TRY(const auto rows, TextsOf(connection, sql.columns, kPlaces, limits));
  Catalog catalog{.schema = settings.schema, .tables = {}, .refused = {}};
  for (const std::vector<std::string>& row : rows) {
    const std::string& table = row[kTable];
    const std::string folded = policy::FoldedName(table);
    const auto kind = kinds.find(table);
    if (const std::string why = WhyNot(kind == kinds.end() ? "" : kind->second); !why.empty()) {
      catalog.refused[folded] = why;
      continue;
    }
    if (catalog.tables.empty() || catalog.tables.back().name != table) {
      catalog.tables.push_back({.name = table, .is_partitioned = false, .columns = {}});
    }
    const std::string& column = row[kColumn];
    const std::string& type = row[kType];
    const auto form = FormOf(type, QuoteIdentifier(column));
    if (!form) {
      catalog.refused[folded] = "has the column " + column + " of type " + type +
                                ", by which no row can be told from another";
      continue;
    }
    catalog.tables.back().columns.push_back({.seen = {.name = column,
                                                      .type = form->type,
                                                      .unique = IsUnique(settings, table, column),
                                                      .without_rule = form->without_rule,
                                                      .not_null = row[kNullable] == "NO"},
                                             .type = type,
                                             .read = form->read,
                                             .stored = form->stored});
  }
  server::RefuseTwins(catalog);
  return catalog;
}

Result<Done> CheckUnique(Connection& connection, const policy::TrinoSettings& settings,
                         const Catalog& catalog, const TimeLimits& limits) {
  for (const policy::ColumnOfTable& one : settings.unique) {
    const std::string name = one.table + "." + one.column;
    const CatalogTable* table = catalog.Find(one.table);
    const CatalogColumn* column = table != nullptr ? table->Find(one.column) : nullptr;
    if (column == nullptr) {
      return InvalidArgument("engine: unique names " + name + ", which is not there",
                             "name columns of the policy's tables as TABLE.COLUMN");
    }
    Reply reply;
    const auto failure = connection.Query(
        "SELECT 1 FROM " + QuoteIdentifier(settings.catalog) + "." +
            QuoteIdentifier(settings.schema) + "." + QuoteIdentifier(table->name) + " WHERE " +
            QuoteIdentifier(column->seen.name) + " IS NOT NULL GROUP BY " + column->read +
            " HAVING count(*) > 1 LIMIT 1",
        limits.statement, reply);
    if (failure) return Unreadable(failure->text);
    if (reply.rows.empty()) continue;
    return InvalidArgument(
        name + " holds a value twice, and engine: unique says that it does not",
        "take it out of unique, or the rows that are too many out of the table: a key of people "
        "that leads to two of them protects neither");
  }
  return Done{};
}

}  // namespace tacit::engine::trino
