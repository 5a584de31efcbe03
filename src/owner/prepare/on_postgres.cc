#include "owner/prepare/on_postgres.h"

#include "engine/postgres/engine.h"
#include "engine/postgres/prepared/copies.h"
#include "engine/row_key.h"
#include "engine/server/statement.h"
#include "owner/check.h"
#include "owner/prepare.h"
#include "policy/stored_types.h"
#include "sql/print/quote.h"

// What is written, and in which transaction: engine/postgres/prepared/copies.md says why so.
namespace tacit::owner {
namespace {

namespace pg = engine::postgres;
using sql::QuoteIdentifier;
using sql::QuoteString;

// Why a day: nobody waits for a copy longer than that.
constexpr std::chrono::hours kCopyMax{24};

struct Text {
  std::string table;  // as the policy has it
  pg::CopyText copy;
  std::string fingerprint;
};

Error CannotWrite(const std::string& what, const pg::Failure& failure) {
  const bool in_use = failure.text == "SQLSTATE 55P03";
  return InvalidArgument(
      "cannot prepare " + what + ": " + failure.text,
      in_use ? "somebody else is at work on it, or holds a lock: run tacit prepare again"
             : "--dsn has to name a role that owns the tables and may create the schema of engine: "
               "prepared, in a database with the language plpgsql");
}

class Writing {
 public:
  Writing(pg::Connection connection, const policy::PostgresSettings& settings)
      : connection_(std::move(connection)),
        schema_(settings.schema),
        name_(settings.prepared),
        in_(QuoteIdentifier(settings.prepared) + ".") {}

  Result<Done> Execute(const std::string& what, const std::string& sql) {
    if (const auto failure = connection_.Execute(sql)) return CannotWrite(what, *failure);
    return Done{};
  }

  Result<std::vector<std::vector<std::string>>> Ask(
      const std::string& what, const std::string& sql,
      const std::vector<pg::Connection::Parameter>& parameters = {}) {
    std::optional<pg::Reply> reply;
    if (const auto failure = connection_.Query(sql, parameters, &reply)) {
      return CannotWrite(what, *failure);
    }
    std::vector<std::vector<std::string>> rows(reply ? reply->rows() : 0);
    for (size_t row = 0; row < rows.size(); ++row) {
      for (size_t i = 0; i < reply->columns(); ++i) rows[row].emplace_back(reply->Bytes(row, i));
    }
    return rows;
  }

  // The schema and what is in it but for copies; `reader` is the gateway's role.
  Result<Done> MakeSchema(const std::string& reader) {
    const std::string to = " TO " + QuoteIdentifier(reader);
    TACIT_CHECK(Execute("the tables", "SET default_transaction_read_only = off"));
    return Execute(
        "the schema " + name_,
        "CREATE SCHEMA IF NOT EXISTS " + QuoteIdentifier(name_) + "; CREATE TABLE IF NOT EXISTS " +
            in_ + "tacit_changes (relation oid NOT NULL); CREATE TABLE IF NOT EXISTS " + in_ +
            "tacit_copies (table_name text PRIMARY KEY, copy text NOT NULL, fingerprint text NOT "
            "NULL, roots oid[] NOT NULL, state text NOT NULL, grids integer[] NOT NULL); CREATE OR "
            "REPLACE FUNCTION " +
            in_ +
            "tacit_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = "
            "pg_catalog, pg_temp AS " +
            QuoteString("BEGIN INSERT INTO " + in_ +
                        "tacit_changes VALUES (TG_RELID); RETURN NULL; END") +
            "; GRANT USAGE ON SCHEMA " + QuoteIdentifier(name_) + to + "; GRANT SELECT ON " + in_ +
            "tacit_copies, " + in_ + "tacit_changes" + to);
  }

  // A trigger that is new saw nothing of what came before it: what was copied before is stale.
  Result<Done> MakeTriggers(const std::vector<std::string>& roots) {
    TACIT_TRY(const auto parts,
              Ask("the tables",
                  "SELECT part.relid::bigint::text, part.relid::regclass::text FROM "
                  "(" +
                      pg::PartsOfTables(ArrayOf(roots)) + ") AS part WHERE NOT EXISTS (" +
                      pg::TriggerSql("part.relid") + ")",
                  {{name_}}));
    const std::string trigger = QuoteIdentifier("tacit_changed_" + name_);
    for (const std::vector<std::string>& part : parts) {
      const std::string& table = part[1];
      TACIT_CHECK(
          Execute("the table " + table,
                  "DROP TRIGGER IF EXISTS " + trigger + " ON " + table + "; CREATE TRIGGER " +
                      trigger + " AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON " + table +
                      " FOR EACH STATEMENT EXECUTE FUNCTION " + in_ +
                      "tacit_changed(); ALTER TABLE " + table + " ENABLE ALWAYS TRIGGER " +
                      trigger + "; INSERT INTO " + in_ + "tacit_changes VALUES (" + part[0] + ")"));
    }
    return Done{};
  }

  // Locks come first, so that the snapshot, which the first query takes, is of what is locked.
  Result<Done> Begin(const std::vector<std::string>& roots) {
    std::string locks;
    for (const std::string& root : roots) locks += "; LOCK TABLE " + Named(root) + kRead;
    return Execute("the tables", "BEGIN ISOLATION LEVEL REPEATABLE READ, READ WRITE; LOCK TABLE " +
                                     in_ + "tacit_copies IN EXCLUSIVE MODE" + locks);
  }

  // The changes that this snapshot sees are in what is copied now; later ones stay.
  Result<std::string> ForgetChanges() {
    TACIT_TRY(const auto number, Ask("the tables", "SELECT pg_current_xact_id()::text"));
    TACIT_CHECK(Execute(
        "the tables", "DELETE FROM " + in_ + "tacit_changes; DELETE FROM " + in_ + "tacit_copies"));
    return number.at(0).at(0);
  }

  // The state is written down before the rows are read: a partition that comes in between is not
  // in it.
  Result<Done> Store(const Text& text, const std::string& copy, const std::string& key,
                     const std::string& reader) {
    std::string grids;
    for (const size_t i : text.copy.grids) {
      grids += (grids.empty() ? "" : ",") + std::to_string(i);
    }
    TACIT_CHECK(
        Ask("table " + text.table,
            "INSERT INTO " + in_ + "tacit_copies SELECT $1, $2, $3, source.roots, (" +
                pg::StateOfTables("source.roots") + "), CAST($4 AS integer[]) FROM (SELECT " +
                ArrayOf(text.copy.roots) + " AS roots) AS source",
            {{policy::FoldedName(text.table)}, {copy}, {text.fingerprint}, {"{" + grids + "}"}}));
    const std::string name = in_ + QuoteIdentifier(copy);
    std::vector<pg::Connection::Parameter> parameters;
    if (text.copy.uses_key) parameters.push_back({"\\x" + engine::server::MarkedHex(key)});
    TACIT_CHECK(
        Ask("table " + text.table, "CREATE TABLE " + name + " AS " + text.copy.select, parameters));
    return Execute("table " + text.table, "ANALYZE " + name + "; REVOKE ALL ON " + name +
                                              " FROM PUBLIC; GRANT SELECT ON " + name + " TO " +
                                              QuoteIdentifier(reader));
  }

  // Copies that no row speaks of. A question may still read one: it is left for the next time.
  void RemoveOldCopies() {
    const auto old =
        Ask("old copies",
            "SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = "
            "c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r' AND "
            "starts_with(c.relname::text, 'tacit_copy_') AND NOT EXISTS (SELECT 1 FROM " +
                in_ + "tacit_copies AS kept WHERE kept.copy = c.relname::text)",
            {{name_}});
    if (!old.ok()) return;
    for (const std::vector<std::string>& one : *old) {
      (void)connection_.Execute("DROP TABLE " + in_ + QuoteIdentifier(one.at(0)));
    }
  }

 private:
  static constexpr char kRead[] = " IN ACCESS SHARE MODE";

  std::string Named(const std::string& table) const {
    return QuoteIdentifier(schema_) + "." + QuoteIdentifier(table);
  }
  std::string ArrayOf(const std::vector<std::string>& tables) const {
    std::string list;
    for (const std::string& table : tables) {
      list += (list.empty() ? "" : ", ") + QuoteString(Named(table)) + "::regclass::oid";
    }
    return "ARRAY[" + list + "]";
  }

  pg::Connection connection_;
  std::string schema_;
  std::string name_;
  std::string in_;
};

Result<std::string> RoleOf(const policy::PostgresSettings& settings) {
  TACIT_TRY(pg::Connection connection, pg::Connection::Open(settings, {}));
  std::optional<pg::Reply> reply;
  const auto failure = connection.Query("SELECT current_user::text", {}, &reply);
  if (failure || !reply || reply->rows() != 1) {
    return InvalidArgument("the role of engine: dsn cannot be told");
  }
  return std::string(reply->Bytes(0, 0));
}

Result<std::shared_ptr<const pg::Catalog>> CatalogFor(const policy::Policy& policy,
                                                      const policy::PostgresSettings& settings) {
  std::vector<std::string> names;
  for (const policy::Table& table : policy.tables) names.push_back(table.name);
  TACIT_TRY(const auto catalog, pg::FindTables(settings, names));
  TACIT_CHECK(policy::CheckUnruledColumns(policy, catalog->Seen()));
  TACIT_CHECK(policy::CheckKeyTypes(policy, catalog->Seen()));
  return catalog;
}

Result<std::vector<Text>> TextsOf(const policy::Policy& policy, const pg::Catalog& catalog,
                                  const pg::WantedCopies& wanted) {
  std::vector<Text> texts;
  for (const policy::Table& table : policy.tables) {
    if (!wanted.fingerprints.contains(policy::FoldedName(table.name))) continue;
    TACIT_TRY(pg::CopyText copy, pg::PrintCopy(policy, table, catalog));
    texts.push_back({.table = table.name,
                     .copy = std::move(copy),
                     .fingerprint = wanted.fingerprints.at(policy::FoldedName(table.name))});
  }
  return texts;
}

}  // namespace

// proof: engine/postgres/prepared/copies.md#a-fresh-copy
Result<std::vector<std::string>> PrepareOnServer(const policy::Policy& policy,
                                                 const policy::PostgresSettings& writer,
                                                 std::string_view deployment_key,
                                                 const Progress& progress) {
  const auto* settings = std::get_if<policy::PostgresSettings>(&policy.engine);
  if (settings == nullptr || settings->prepared.empty()) {
    return InvalidArgument("engine: names no schema for what is prepared",
                           "write  engine: {kind: postgres, ..., prepared: tacit_prepared}");
  }
  TACIT_TRY(const std::shared_ptr<const pg::Catalog> catalog, CatalogFor(policy, *settings));
  TACIT_TRY(const std::vector<Text> texts,
            TextsOf(policy, *catalog, pg::WantCopies(policy, *settings, *catalog, deployment_key)));
  TACIT_TRY(const std::string reader, RoleOf(*settings));
  TACIT_TRY(pg::Connection connection,
            pg::Connection::Open(writer, {.catalog = kCopyMax, .statement = kCopyMax}));
  Writing writing(std::move(connection), *settings);
  std::vector<std::string> roots;
  for (const Text& text : texts) {
    for (const std::string& root : text.copy.roots) {
      if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
    }
  }
  if (texts.empty()) return std::vector<std::string>();
  TACIT_CHECK(writing.MakeSchema(reader));
  TACIT_CHECK(writing.MakeTriggers(roots));
  TACIT_CHECK(writing.Begin(roots));
  TACIT_TRY(const std::string number, writing.ForgetChanges());
  const std::string key = engine::RowKey(deployment_key);
  std::vector<std::string> names;
  for (const Text& text : texts) {
    const double done =
        100.0 * static_cast<double>(names.size()) / static_cast<double>(texts.size());
    if (progress && !progress(text.table, done)) {
      return Interrupted("no copy was changed, and nothing is left behind",
                         "run tacit prepare again");
    }
    const std::string copy = "tacit_copy_" + number + "_" + std::to_string(names.size() + 1);
    TACIT_CHECK(writing.Store(text, copy, key, reader));
    names.push_back(text.table);
  }
  TACIT_CHECK(writing.Execute("the tables", "COMMIT"));
  writing.RemoveOldCopies();
  // As a gateway would find it: another database behind --dsn, or a table that is written to
  // without pause, is not found out by a question.
  if (!IsPreparedOnServer(policy, *settings, deployment_key)) {
    return InvalidArgument(
        "the gateway's role finds no fresh copies: a table was changed while it was copied, or "
        "--dsn leads to another database than engine: dsn",
        "run tacit prepare when nobody writes, and let both lead to one database");
  }
  return names;
}

bool IsPreparedOnServer(const policy::Policy& policy, const policy::PostgresSettings& settings,
                        std::string_view deployment_key) {
  const auto catalog = CatalogFor(policy, settings);
  if (!catalog.ok()) return false;
  pg::Catalog wanted = **catalog;
  const Result<pg::Copies> copies = pg::FindCopies(policy, settings, deployment_key, wanted);
  return copies.ok() && wanted.copies && copies->size() == wanted.copies->fingerprints.size();
}

}  // namespace tacit::owner
