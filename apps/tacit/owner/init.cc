#include "owner/init.h"

#include <cstdio>
#include <memory>

#include "policy/load.h"
#include "tacit/commands.h"
#include "tacit/owner/import_flags.h"
#include "tacit/terminal/progress_bar.h"

// tacit init: a folder with the data, a policy to finish, a secret key and an empty ledger.

namespace tacit::app {
namespace {

struct InitFlags {
  std::string folder;
  std::vector<std::string> tables;
  ImportFlags import;
  bool in_place = false;
  std::string engine = "duckdb";
  std::string dsn;
  std::string password;
  std::string schema;
  policy::TrinoSettings trino;  // as it is written
  std::vector<std::string> unique;
};

// --engine postgres and trino: names of tables, and no files.
Result<owner::ServerTables> ReadCluster(const InitFlags& flags) {
  if (flags.trino.url.empty() || flags.trino.catalog.empty() || flags.schema.empty()) {
    return InvalidArgument("--engine trino needs --url, --catalog and --schema",
                           "like --url https://trino:8443 --catalog hive --schema clinic");
  }
  policy::TrinoSettings written = flags.trino;
  written.schema = flags.schema;
  written.password = flags.password;
  TACIT_TRY(policy::TrinoSettings settings,
            policy::MakeTrinoSettings(std::move(written), flags.folder));
  TACIT_TRY(const std::vector<owner::UnitColumn> unique, ReadUnits(flags.unique));
  for (const owner::UnitColumn& one : unique) settings.unique.push_back({one.table, one.column});
  return owner::ServerTables{.settings = std::move(settings),
                             .password = flags.password,
                             .tables = flags.tables,
                             .authorities = flags.trino.authorities};
}

Result<owner::ServerTables> ReadServerTables(const InitFlags& flags) {
  if (flags.dsn.empty()) {
    return InvalidArgument("--engine postgres needs --dsn",
                           "like --dsn \"host=db user=tacit dbname=clinic\"");
  }
  TACIT_TRY(
      policy::PostgresSettings settings,
      policy::MakePostgresSettings(flags.dsn, flags.password,
                                   flags.schema.empty() ? "public" : flags.schema, flags.folder));
  return owner::ServerTables{
      .settings = std::move(settings), .password = flags.password, .tables = flags.tables};
}

Result<owner::InitRequest> ReadRequest(const InitFlags& flags) {
  owner::InitRequest request;
  request.folder = flags.folder;
  TACIT_TRY(request.units, ReadUnits(flags.import.units));
  if (flags.engine == "postgres") {
    TACIT_TRY(request.server, ReadServerTables(flags));
    return request;
  }
  if (flags.engine == "trino") {
    TACIT_TRY(request.server, ReadCluster(flags));
    return request;
  }
  if (flags.engine != "duckdb" || !flags.dsn.empty() || !flags.password.empty() ||
      !flags.trino.url.empty()) {
    return InvalidArgument(
        "--engine is duckdb, postgres or trino; --dsn and --password are postgres's, --url and "
        "--password trino's");
  }
  for (const std::string& text : flags.tables) {
    TACIT_TRY(request.tables.emplace_back(), ReadTableFile("--table ", text));
  }
  TACIT_TRY(request.dialect, DialectOf(flags.import));
  request.in_place = flags.in_place;
  return request;
}

int RunInit(const InitFlags& flags) {
  Result<owner::InitRequest> request = ReadRequest(flags);
  if (!request.ok()) return Report(request.error());
  owner::InitRequest wanted = std::move(request).value();
  wanted.progress = InterruptibleProgress();
  const Result<std::vector<std::string>> notes = owner::Init(wanted);
  ClearProgress();
  if (!notes.ok()) return Report(notes.error());
  PrintNotes(*notes);
  if (wanted.server) {
    std::printf(
        "made %s: now decide in its tacit.yaml what is marked DECIDE, then run\n"
        "  tacit check %s\n",
        flags.folder.c_str(), flags.folder.c_str());
    return kExitDone;
  }
  std::printf(
      "made %s: now decide in its tacit.yaml what is marked DECIDE, then run\n"
      "  tacit check %s\n"
      "  tacit prepare %s      (queries are right without it, and many times faster with it)\n",
      flags.folder.c_str(), flags.folder.c_str(), flags.folder.c_str());
  return kExitDone;
}

}  // namespace

void AddInitCommand(Command app) {
  auto flags = std::make_shared<InitFlags>();
  Command init = app.Subcommand("init", "Make a folder with data, policy, key and ledger");
  init.Footer(
      "Examples:\n"
      "  tacit init clinic --table patients=patients.csv --unit patients.ssn\n"
      "  tacit init shop --table users=users.parquet --table orders='orders/*.parquet'\n"
      "  tacit init shop --table users=old.duckdb --table orders=export.csv.gz --delimiter ';'\n"
      "  tacit init lake --in-place --table visits='lake/visits/*/*.parquet' --unit "
      "visits.person\n\n"
      "  tacit init clinic --engine postgres --dsn 'host=db user=tacit dbname=clinic' \\\n"
      "      --password env:CLINIC_PASSWORD --table patients --unit patients.ssn\n"
      "  tacit init lake --engine trino --url https://trino:8443 --catalog hive --schema clinic "
      "\\\n"
      "      --password env:TRINO_PASSWORD --table patients --unit patients.ssn\n\n"
      "How a CSV file is written is found and told; flags say what cannot be found. They hold for\n"
      "all files of the command: tacit table add reads another one with other flags.\n"
      "Columns get types from the files, bounds and keys never: those are the owner's to declare.");
  init.Value("DIR", flags->folder, "The folder to make").Required();
  init.Value("--table", flags->tables,
             "NAME=FILE: .csv, .tsv, .jsonl (also .gz), .parquet (also with *), .duckdb; with "
             "--engine postgres or trino NAME alone, and all tables where there is none")
      .OneAtATime();
  init.Switch("--in-place", flags->in_place,
              "import nothing: read Parquet and DuckDB files where they are");
  init.Value("--engine", flags->engine, "duckdb, which reads the files in, postgres or trino");
  init.Value("--dsn", flags->dsn, "Of --engine postgres: where it is, without a password");
  init.Value("--password", flags->password, "Of a server: env:NAME or file:PATH");
  init.Value("--schema", flags->schema, "Of a server: the schema of the tables");
  init.Value("--url", flags->trino.url, "Of --engine trino: https, a host and a port");
  init.Value("--catalog", flags->trino.catalog, "Of --engine trino: the catalog of the tables");
  init.Value("--user", flags->trino.user, "Of --engine trino: who asks").ShowsDefault();
  init.Value("--ca", flags->trino.authorities,
             "Of --engine trino: a PEM file of who vouches for it");
  init.Value("--unique", flags->unique, "Of --engine trino: TABLE.COLUMN that holds no value twice")
      .OneAtATime();
  AddImportFlags(init, flags->import);
  init.Action([flags] { return RunInit(*flags); });
}

}  // namespace tacit::app
