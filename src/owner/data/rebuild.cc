#include "owner/data/rebuild.h"

#include <algorithm>
#include <map>

#include "engine/duckdb/values/read_schema.h"
#include "owner/import/import_table.h"
#include "owner/prepare/parent_keys.h"
#include "owner/progress.h"

namespace tacit::owner {
namespace {

using engine::ResultTable;
using engine::Value;
using engine::duckdb::Connection;
using engine::duckdb::Database;
using engine::duckdb::Failure;
using engine::duckdb::QuoteLiteral;
using engine::duckdb::QuoteName;

// Why: far above the tables and indexes of any database.
constexpr int64_t kObjectsMax = 100'000;

Error CannotChange(const Failure& failure) {
  if (WasInterrupted(failure)) {
    return Interrupted("nothing was changed, and nothing is left behind");
  }
  return InvalidArgument("the data cannot be changed: " + failure.text.substr(0, 600),
                         "nothing was changed");
}

bool Holds(const std::vector<TableFile>& files, const std::string& table) {
  return std::any_of(files.begin(), files.end(),
                     [&](const TableFile& f) { return policy::SameName(f.table, table); });
}

bool Holds(const std::vector<std::string>& names, const std::string& table) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return policy::SameName(name, table); });
}

struct StoredTable {
  std::string schema;
  std::string name;
  std::string In(const char* database) const {
    return std::string(database) + "." + QuoteName(schema) + "." + QuoteName(name);
  }
};

class Rebuilding {
 public:
  Rebuilding(Connection& connection, const policy::Policy& policy, const ChangeRequest& request)
      : connection_(connection), policy_(policy), request_(request) {}

  Result<std::vector<std::string>> Run(const std::string& data_path) {
    TACIT_CHECK(Execute("ATTACH " + QuoteLiteral(data_path) + " AS tacit_old (READ_ONLY)"));
    TACIT_TRY(const std::vector<StoredTable> tables, Tables());
    TACIT_CHECK(CheckNames(tables));
    TACIT_CHECK(CheckPeople());
    TACIT_CHECK(Execute("COPY FROM DATABASE tacit_old TO changed (SCHEMA)"));
    for (size_t i = 0; i < tables.size(); ++i) TACIT_CHECK(Carry(tables[i], i, tables.size()));
    std::vector<TableFile> files = request_.replace;
    files.insert(files.end(), request_.add.begin(), request_.add.end());
    const std::vector<double> weights(files.size(), 1);
    for (size_t i = 0; i < files.size(); ++i) {
      TACIT_CHECK(Import(files[i], PartOf(Between(request_.progress, 50, 75), weights, i)));
    }
    // First: a schema is read of everything that the session sees.
    TACIT_CHECK(Execute("DETACH tacit_old"));
    TACIT_TRY(const policy::Schema schema, engine::duckdb::ReadSchema(connection_));
    TACIT_TRY(const std::vector<std::string> kept, KeepKeysUnique(schema, connection_));
    for (const std::string& column : kept) {
      notes_.push_back(column + " is unique, and the database keeps it so from now on");
    }
    TACIT_CHECK(Execute("CHECKPOINT"));
    return std::move(notes_);
  }

 private:
  Result<Done> Execute(const std::string& sql) {
    if (const auto failure = connection_.Execute(sql)) return CannotChange(*failure);
    return Done{};
  }

  // Those that others refer to come first, as they were made.
  Result<std::vector<StoredTable>> Tables() {
    ResultTable rows;
    const auto failure = connection_.Query(
        {.sql = "SELECT schema_name, table_name FROM duckdb_tables() WHERE "
                "database_name = 'tacit_old' AND NOT internal ORDER BY table_oid"},
        kObjectsMax, &rows);
    if (failure) return CannotChange(*failure);
    std::vector<StoredTable> tables;
    for (const std::vector<Value>& row : rows.rows) {
      tables.push_back({ToText(row[0]), ToText(row[1])});
    }
    return tables;
  }

  Result<Done> CheckNames(const std::vector<StoredTable>& tables) const {
    const auto is_there = [&](const std::string& name) {
      return std::any_of(tables.begin(), tables.end(), [&](const StoredTable& table) {
        return table.schema == "main" && policy::SameName(table.name, name);
      });
    };
    for (const TableFile& file : request_.add) {
      if (!is_there(file.table)) continue;
      return InvalidArgument("there is a table " + file.table + " already",
                             "tacit table replace exchanges its rows");
    }
    std::vector<std::string> needed = request_.drop;
    for (const TableFile& file : request_.replace) needed.push_back(file.table);
    for (const std::string& name : needed) {
      if (is_there(name)) continue;
      return InvalidArgument("there is no table " + name + " in the database",
                             "tacit table add makes one");
    }
    return Done{};
  }

  // A name that nobody has is a typing mistake more often than not.
  Result<Done> CheckPeople() {
    for (const std::string& person : request_.people) {
      bool found = false;
      for (const policy::Table& table : policy_.tables) {
        const std::string theirs = RowsOfPeople(policy_, table, {person});
        if (theirs.empty() || found) continue;
        ResultTable rows;
        const auto failure =
            connection_.Query({.sql = "SELECT 1 FROM tacit_old.main." + QuoteName(table.name) +
                                      " WHERE " + theirs + " LIMIT 1"},
                              1, &rows);
        if (failure) return CannotChange(*failure);
        found = !rows.rows.empty();
      }
      if (found) continue;
      return InvalidArgument("no table holds a row of '" + person.substr(0, 100) + "'",
                             "give the value of the unit as the table holds it; nothing was "
                             "changed");
    }
    for (const policy::Table& table : policy_.tables) {
      if (request_.people.empty() || table.is_public) continue;
      if (!std::holds_alternative<policy::UnitIsRow>(table.unit)) continue;
      notes_.push_back("table " + table.name +
                       " has one row a person and no name for them: look for their row yourself");
    }
    return Done{};
  }

  Result<Done> Carry(const StoredTable& table, size_t index, size_t count) {
    const bool is_main = table.schema == "main";
    if (is_main && (Holds(request_.drop, table.name) || Holds(request_.replace, table.name))) {
      TACIT_CHECK(KeepIndexes(table));
      return Execute("DROP TABLE " + table.In("changed"));
    }
    std::string sql =
        "INSERT INTO " + table.In("changed") + " SELECT * FROM " + table.In("tacit_old");
    const policy::Table* declared = is_main ? policy_.Find(table.name) : nullptr;
    if (!request_.people.empty() && declared == nullptr) {
      notes_.push_back("table " + table.name +
                       " is not in the policy: whether it holds rows of them, look yourself");
    }
    if (declared != nullptr) {
      const std::string theirs = RowsOfPeople(policy_, *declared, request_.people);
      if (!theirs.empty()) sql += " WHERE (" + theirs + ") IS NOT TRUE";
    }
    const double share = 50.0 / static_cast<double>(count);
    const double from = share * static_cast<double>(index);
    const auto failure = RunWithProgress(connection_, {.sql = sql}, table.name,
                                         Between(request_.progress, from, from + share));
    if (failure) return CannotChange(*failure);
    return Done{};
  }

  // Of a table whose rows are exchanged: they are made again when those are there.
  Result<Done> KeepIndexes(const StoredTable& table) {
    ResultTable rows;
    const auto failure = connection_.Query(
        {.sql = "SELECT sql FROM duckdb_indexes() WHERE database_name = 'tacit_old' AND "
                "schema_name = 'main' AND table_name = " +
                QuoteLiteral(table.name)},
        kObjectsMax, &rows);
    if (failure) return CannotChange(*failure);
    for (const std::vector<Value>& row : rows.rows) {
      indexes_[policy::FoldedName(table.name)].push_back(ToText(row[0]));
    }
    return Done{};
  }

  std::string UnitOf(const std::string& table) const {
    for (const UnitColumn& unit : request_.units) {
      if (policy::SameName(unit.table, table)) return unit.column;
    }
    const policy::Table* declared = policy_.Find(table);
    if (declared == nullptr || declared->is_public) return "";
    if (const auto* unit = std::get_if<policy::UnitIsColumn>(&declared->unit)) return unit->column;
    const auto* reached = std::get_if<policy::UnitIsReached>(&declared->unit);
    return reached == nullptr ? "" : reached->via;
  }

  Result<Done> Import(const TableFile& file, const Progress& progress) {
    TACIT_TRY(const std::vector<std::string> said,
              ImportTable(connection_, file, UnitOf(file.table), request_.dialect, progress));
    notes_.insert(notes_.end(), said.begin(), said.end());
    for (const std::string& sql : indexes_[policy::FoldedName(file.table)]) {
      // One that is there already was made with the table.
      const auto failure = connection_.Execute(sql);
      if (!failure || failure->text.find("already exists") != std::string::npos) continue;
      notes_.push_back("an index of " + file.table +
                       " does not fit its new rows and is gone: " + sql);
    }
    return Done{};
  }

  Connection& connection_;
  const policy::Policy& policy_;
  const ChangeRequest& request_;
  std::map<std::string, std::vector<std::string>> indexes_;  // by folded table
  std::vector<std::string> notes_;
};

}  // namespace

Result<std::vector<std::string>> RebuildDatabase(const policy::Policy& policy,
                                                 const std::string& data_path,
                                                 const std::string& fresh,
                                                 const ChangeRequest& request) {
  TACIT_TRY(const Database database, Database::OpenForImport(fresh, {}));
  TACIT_TRY(Connection connection, database.Connect());
  return Rebuilding(connection, policy, request).Run(data_path);
}

}  // namespace tacit::owner
