#include "engine/postgres/catalog/catalog.h"

#include <charconv>

#include "engine/postgres/catalog/column_type.h"
#include "sql/print/quote.h"

namespace tacit::engine::postgres {
namespace {

// A row for each column. A table's own facts stand in each of its rows. All as texts, which are the
// same in every version of the protocol.
constexpr char kColumnsSql[] = R"sql(
SELECT c.relname::text,
  CASE
    WHEN c.relkind = 'v' THEN 'is a view, and a view can mix people'
    WHEN c.relkind = 'm' THEN 'is a materialized view, and a view can mix people'
    WHEN c.relkind = 'f' THEN 'is a foreign table: its rows are elsewhere, and no snapshot holds them'
    WHEN c.relkind = 'p' AND EXISTS (
      SELECT 1 FROM pg_partition_tree(c.oid) AS leaf JOIN pg_class AS part ON part.oid = leaf.relid
      WHERE leaf.isleaf AND part.relkind <> 'r')
      THEN 'has a partition that is a foreign table: no snapshot holds its rows'
    WHEN c.relkind = 'r' AND EXISTS (SELECT 1 FROM pg_inherits AS i WHERE i.inhparent = c.oid)
      THEN 'has tables that inherit from it, for whose rows its keys do not hold'
    WHEN row_security_active(c.oid)
      THEN 'has row-level security, which hides rows from this role'
    WHEN NOT has_table_privilege(c.oid, 'SELECT') AND EXISTS (
      SELECT 1 FROM pg_attribute AS every
      WHERE every.attrelid = c.oid AND every.attnum > 0 AND NOT every.attisdropped
        AND NOT has_column_privilege(c.oid, every.attnum, 'SELECT'))
      THEN 'cannot be read by this role: GRANT SELECT ON it'
    ELSE '' END,
  (c.relkind = 'p')::text,
  a.attname::text,
  CASE WHEN t.typtype = 'd' THEN base.oid ELSE t.oid END::bigint::text,
  CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END::bigint::text,
  CASE WHEN t.typtype = 'd' THEN format_type(base.oid, t.typtypmod)
       ELSE format_type(a.atttypid, a.atttypmod) END,
  (coalesce(base.typtype, t.typtype) = 'e')::text,
  (t.typtype = 'd')::text,
  ((coalesce(base.typnamespace, t.typnamespace) = 'pg_catalog'::regnamespace)
    AND coalesce(base.typtype, t.typtype) IN ('b', 'r', 'm'))::text,
  a.attnotnull::text,
  EXISTS (
    SELECT 1 FROM pg_index AS i
    WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indimmediate
      AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnkeyatts = 1
      AND i.indkey[0] = a.attnum)::text
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type AS t ON t.oid = a.atttypid
LEFT JOIN pg_type AS base ON t.typtype = 'd' AND base.oid = t.typbasetype
WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND (cardinality($2::text[]) = 0 OR lower(c.relname::text COLLATE "C") = ANY ($2::text[]))
ORDER BY c.relname::text COLLATE "C", a.attnum
)sql";

enum Cell : size_t {
  kTable,
  kWhyNot,
  kIsPartitioned,
  kColumn,
  kNumber,
  kModifier,
  kWords,
  kIsEnum,
  kIsDomain,
  kIsBuiltIn,
  kNotNull,
  kUnique
};

int64_t WholeNumber(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// {"patients","visits"}, folded.
std::string ArrayOf(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    std::string quoted;
    for (const char c : policy::FoldedName(name)) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    text += (text.empty() ? "\"" : ",\"") + quoted + "\"";
  }
  return "{" + text + "}";
}

}  // namespace

Result<Catalog> ReadCatalog(Connection& connection, const std::string& schema,
                            const std::vector<std::string>& names) {
  std::optional<Reply> reply;
  const auto failure = connection.Query(kColumnsSql, {{schema}, {ArrayOf(names)}}, &reply);
  if (failure || !reply || reply->columns() != kUnique + 1) {
    return Error{.code = ErrorCode::kUnavailable,
                 .public_message = "the catalog of the PostgreSQL database cannot be read",
                 .hint = "try again; `tacit check` says what the server answers",
                 .position = std::nullopt,
                 .private_detail = failure ? failure->text : "it has another shape"};
  }
  Catalog catalog{.schema = schema, .tables = {}, .refused = {}};
  for (size_t row = 0; row < reply->rows(); ++row) {
    const auto cell = [&](Cell one) { return std::string(reply->Bytes(row, one)); };
    const auto is = [&](Cell one) { return cell(one) == "true"; };
    const std::string table = cell(kTable);
    const std::string folded = policy::FoldedName(table);
    if (const std::string why = cell(kWhyNot); !why.empty()) {
      catalog.refused[folded] = why;
      continue;
    }
    if (catalog.tables.empty() || catalog.tables.back().name != table) {
      catalog.tables.push_back(
          {.name = table, .is_partitioned = is(kIsPartitioned), .columns = {}});
    }
    const AttributeType type{.number = WholeNumber(cell(kNumber)),
                             .modifier = WholeNumber(cell(kModifier)),
                             .words = cell(kWords),
                             .is_enum = is(kIsEnum),
                             .is_domain = is(kIsDomain),
                             .is_built_in = is(kIsBuiltIn)};
    const std::string column = cell(kColumn);
    const auto form = FormOf(type, sql::QuoteIdentifier(column));
    if (!form) {
      catalog.refused[folded] = "has the column " + column + " of type " + type.words +
                                ", which PostgreSQL does not bring along: what it does with a row "
                                "is not known";
      continue;
    }
    catalog.tables.back().columns.push_back({.seen = {.name = column,
                                                      .type = form->type,
                                                      .unique = is(kUnique) && IsReadApart(*form),
                                                      .without_rule = form->without_rule,
                                                      .not_null = is(kNotNull)},
                                             .type = type.words,
                                             .read = form->read,
                                             .stored = form->stored});
  }
  RefuseTwins(catalog);
  return catalog;
}

}  // namespace tacit::engine::postgres
