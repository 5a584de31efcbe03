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
  std::string schema = "public";
};

// --engine postgres: names of tables, and no files.
Result<owner::ServerTables> ReadServerTables(const InitFlags& flags) {
  if (flags.dsn.empty()) {
    return InvalidArgument("--engine postgres needs --dsn",
                           "like --dsn \"host=db user=tacit dbname=clinic\"");
  }
  TACIT_TRY(policy::PostgresSettings settings,
            policy::MakePostgresSettings(flags.dsn, flags.password, flags.schema, flags.folder));
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
  if (flags.engine != "duckdb" || !flags.dsn.empty() || !flags.password.empty()) {
    return InvalidArgument(
        "--engine is duckdb or postgres, and --dsn and --password are postgres's");
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
      "      --password env:CLINIC_PASSWORD --table patients --unit patients.ssn\n\n"
      "How a CSV file is written is found and told; flags say what cannot be found. They hold for\n"
      "all files of the command: tacit table add reads another one with other flags.\n"
      "Columns get types from the files, bounds and keys never: those are the owner's to declare.");
  init.Value("DIR", flags->folder, "The folder to make").Required();
  init.Value("--table", flags->tables,
             "NAME=FILE: .csv, .tsv, .jsonl (also .gz), .parquet (also with *), .duckdb; with "
             "--engine postgres NAME alone, and all tables where there is none")
      .OneAtATime();
  init.Switch("--in-place", flags->in_place,
              "import nothing: read Parquet and DuckDB files where they are");
  init.Value("--engine", flags->engine, "duckdb, which reads the files in, or postgres");
  init.Value("--dsn", flags->dsn, "Of --engine postgres: where it is, without a password");
  init.Value("--password", flags->password, "Of --engine postgres: env:NAME or file:PATH");
  init.Value("--schema", flags->schema, "Of --engine postgres: the schema of the tables");
  AddImportFlags(init, flags->import);
  init.Action([flags] { return RunInit(*flags); });
}

}  // namespace tacit::app
