#include "engine/postgres/prepared/copies.h"

#include <charconv>

#include "base/secrets/digest.h"
#include "sql/print/quote.h"

namespace tacit::engine::postgres {
namespace {

constexpr char kFormat[] = "tacit postgres copy 1";

Error CopiesUnreadable(const std::string& why) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message =
                   "what was prepared in the PostgreSQL database cannot be read; "
                   "nothing was charged",
               .hint = "try again; the owner finds more with `tacit check`",
               .position = std::nullopt,
               .private_detail = why};
}

// Fields with their lengths in front: no two tables write the same text.
void Write(std::string& text, const std::string& field) {
  text += std::to_string(field.size()) + ":" + field;
}

void Write(std::string& text, const CatalogTable& table) {
  Write(text, table.name);
  for (const CatalogColumn& column : table.columns) {
    for (const std::string& field : {column.seen.name, column.type, column.read}) {
      Write(text, field);
    }
    Write(text, column.seen.unique ? "unique" : "");
  }
}

// Whether the schema's two tables are there and may be read: without asking them, which would end
// the transaction.
constexpr char kThereSql[] =
    "SELECT count(*)::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
    "WHERE n.nspname = $1 AND c.relname IN ('tacit_copies', 'tacit_changes') AND c.relkind = 'r' "
    "AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')";

// Each part of a table has the trigger, and nothing was written since.
std::string FreshSql(const std::string& schema) {
  const std::string in = sql::QuoteIdentifier(schema) + ".";
  return "SELECT copy.table_name, copy.copy, copy.fingerprint, array_to_string(copy.grids, ',') "
         "FROM " +
         in + "tacit_copies AS copy WHERE copy.state = (" + StateOfTables("copy.roots") +
         ") AND NOT EXISTS (SELECT 1 FROM (" + PartsOfTables("copy.roots") +
         ") AS part WHERE NOT EXISTS (" + TriggerSql("part.relid") + ") OR EXISTS (SELECT 1 FROM " +
         in +
         "tacit_changes AS changed WHERE changed.relation = part.relid) OR EXISTS (SELECT 1 FROM "
         "pg_subscription_rel AS applied WHERE applied.srrelid = part.relid))";
}

std::vector<size_t> NumbersOf(std::string_view text) {
  std::vector<size_t> numbers;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    std::from_chars(one.data(), one.data() + one.size(), numbers.emplace_back());
    text.remove_prefix(std::min(text.size(), one.size() + 1));
  }
  return numbers;
}

}  // namespace

std::string CopyColumn(size_t place) { return "c" + std::to_string(place); }
std::string GridOfCopy(size_t place) { return "g" + std::to_string(place); }

std::string PartsOfTables(const std::string& roots) {
  return "SELECT root.relid FROM unnest(" + roots +
         ") AS root(relid) UNION SELECT tree.relid::oid FROM unnest(" + roots +
         ") AS root(relid) CROSS JOIN LATERAL pg_partition_tree(root.relid) AS tree";
}

// Another file: the table was emptied or written anew. Other parts: rows came or went with one.
std::string StateOfTables(const std::string& roots) {
  return "SELECT string_agg(part.relid || ':' || file.relfilenode, ',' ORDER BY part.relid) FROM "
         "(" +
         PartsOfTables(roots) + ") AS part JOIN pg_class AS file ON file.oid = part.relid";
}

// 60: after each statement of INSERT, DELETE, UPDATE and TRUNCATE.
std::string TriggerSql(const std::string& table) {
  return "SELECT 1 FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid JOIN pg_namespace AS "
         "n ON n.oid = p.pronamespace WHERE t.tgrelid = " +
         table +
         " AND t.tgenabled = 'A' AND t.tgtype = 60 AND t.tgqual IS NULL AND t.tgattr::text = '' "
         "AND p.proname = 'tacit_changed' AND n.nspname = $1";
}

WantedCopies WantCopies(const policy::Policy& policy, const policy::PostgresSettings& settings,
                        const Catalog& catalog, std::string_view deployment_key) {
  WantedCopies wanted{.schema = settings.prepared,
                      .fingerprints = {},
                      .may_read_tables = policy.server.unprepared == policy::Unprepared::kAllow};
  for (const policy::Table& table : policy.tables) {
    const CatalogTable* stored = catalog.Find(table.name);
    if (!table.IsCapped() || stored == nullptr) continue;
    // What has no copy because there are no words for its rank is refused at every question.
    if (!PrintCopy(policy, table, catalog).ok()) continue;
    std::string text;
    for (const std::string& field : {std::string(kFormat), policy::PolicyVersion(policy),
                                     std::to_string(policy.data_version), settings.schema}) {
      Write(text, field);
    }
    Write(text, *stored);
    for (const policy::UnitHop& hop : policy.PathOf(table).hops) {
      if (const CatalogTable* parent = catalog.Find(hop.to_table)) Write(text, *parent);
    }
    // The key stays secret: it is what the hash is keyed with.
    wanted.fingerprints[policy::FoldedName(table.name)] = HmacSha256Hex(deployment_key, text);
  }
  return wanted;
}

// proof: engine/postgres/prepared/copies.md#a-fresh-copy
Result<Copies> FindCopies(Connection& connection, const WantedCopies& wanted) {
  Copies copies;
  std::optional<Reply> reply;
  if (const auto failure = connection.Query(kThereSql, {{wanted.schema}}, &reply)) {
    return CopiesUnreadable(failure->text);
  }
  if (!reply || reply->rows() != 1 || reply->Bytes(0, 0) != "2") return copies;
  reply.reset();
  if (const auto failure = connection.Query(FreshSql(wanted.schema), {{wanted.schema}}, &reply)) {
    return CopiesUnreadable(failure->text);
  }
  if (!reply || reply->columns() != 4) return CopiesUnreadable("it has another shape");
  for (size_t row = 0; row < reply->rows(); ++row) {
    const auto cell = [&](size_t column) { return std::string(reply->Bytes(row, column)); };
    const auto asked = wanted.fingerprints.find(cell(0));
    if (asked == wanted.fingerprints.end() || asked->second != cell(2)) continue;
    copies[cell(0)] = {
        .relation = sql::QuoteIdentifier(wanted.schema) + "." + sql::QuoteIdentifier(cell(1)),
        .grids = NumbersOf(cell(3))};
  }
  return copies;
}

Result<Copies> FindCopies(const policy::Policy& policy, const policy::PostgresSettings& settings,
                          std::string_view deployment_key, Catalog& catalog) {
  if (settings.prepared.empty()) return Copies{};
  catalog.copies = WantCopies(policy, settings, catalog, deployment_key);
  TACIT_TRY(Connection connection, Connection::Open(settings, {}));
  return FindCopies(connection, *catalog.copies);
}

void MarkPrepared(const Copies& copies, policy::Schema& schema) {
  for (policy::SchemaTable& table : schema.tables) {
    table.prepared = copies.contains(policy::FoldedName(table.name));
  }
}

}  // namespace tacit::engine::postgres
