#include "engine/trino/catalog/catalog.h"

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

// A row for each column. Materialized views are tables to information_schema.
std::string ColumnsSql(const policy::TrinoSettings& settings,
                       const std::vector<std::string>& names) {
  const std::string schema = QuoteIdentifier(settings.catalog) + ".information_schema.";
  const std::string in_schema = "table_schema = " + QuoteString(settings.schema);
  const std::string named = names.empty() ? "" : " AND table_name IN (" + ListOfNames(names) + ")";
  const std::string columns =
      "SELECT table_name, column_name, data_type, is_nullable, ordinal_position FROM " + schema +
      "columns WHERE " + in_schema + named;
  const std::string tables =
      "SELECT table_name, table_type FROM " + schema + "tables WHERE " + in_schema + named;
  const std::string views =
      "SELECT name FROM system.metadata.materialized_views WHERE "
      "catalog_name = " +
      QuoteString(settings.catalog) + " AND schema_name = " + QuoteString(settings.schema);
  return "SELECT c.table_name, CASE WHEN v.name IS NOT NULL THEN 'MATERIALIZED VIEW' ELSE "
         "t.table_type END, c.column_name, c.data_type, c.is_nullable FROM (" +
         columns + ") AS c JOIN (" + tables + ") AS t ON t.table_name = c.table_name LEFT JOIN (" +
         views + ") AS v ON v.name = c.table_name ORDER BY c.table_name, c.ordinal_position";
}

enum Place : size_t { kTable, kKind, kColumn, kType, kNullable, kPlaces };

const std::string* TextAt(const std::vector<Cell>& row, Place place) {
  return std::get_if<std::string>(&row[place]);
}

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
  Reply reply;
  if (const auto failure = connection.Query(ColumnsSql(settings, names), limits.catalog, reply)) {
    return Unreadable(failure->text);
  }
  Catalog catalog{.schema = settings.schema, .tables = {}, .refused = {}};
  for (const std::vector<Cell>& row : reply.rows) {
    for (const Place place : {kTable, kKind, kColumn, kType, kNullable}) {
      if (row.size() != kPlaces || TextAt(row, place) == nullptr) {
        return Unreadable("it has another shape");
      }
    }
    const std::string& table = *TextAt(row, kTable);
    const std::string folded = policy::FoldedName(table);
    if (const std::string why = WhyNot(*TextAt(row, kKind)); !why.empty()) {
      catalog.refused[folded] = why;
      continue;
    }
    if (catalog.tables.empty() || catalog.tables.back().name != table) {
      catalog.tables.push_back({.name = table, .is_partitioned = false, .columns = {}});
    }
    const std::string& column = *TextAt(row, kColumn);
    const std::string& type = *TextAt(row, kType);
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
                                                      .not_null = *TextAt(row, kNullable) == "NO"},
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
