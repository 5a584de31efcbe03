#include <cstdio>
#include <memory>

#include "owner/data/change.h"
#include "tacit/commands.h"
#include "tacit/owner/import_flags.h"
#include "tacit/terminal/progress_bar.h"

// tacit table and tacit person: data that changes in the life of a deployment.

namespace tacit::app {
namespace {

struct TableFlags {
  std::string folder;
  std::vector<std::string> tables;
  std::vector<std::string> public_tables;
  ImportFlags import;
};

int Carry(const std::string& folder, owner::ChangeRequest request, const char* done) {
  request.progress = InterruptibleProgress();
  const Result<owner::ChangeReport> report = owner::ChangeData(folder, request);
  ClearProgress();
  if (!report.ok()) return Report(report.error());
  PrintNotes(report->notes);
  std::printf("%s: data_version is now %lld, and the tables are prepared\n", done,
              static_cast<long long>(report->data_version));
  if (!report->undecided.empty()) {
    std::printf(
        "Nobody can ask about it yet. Decide, and add this under tables: of the policy:\n\n%s\n",
        report->undecided.c_str());
  }
  std::printf("A running server goes on with the data it has until it is told: kill -HUP PID\n");
  return kExitDone;
}

Result<owner::ChangeRequest> RequestOf(const TableFlags& flags,
                                       std::vector<owner::TableFile> owner::ChangeRequest::*files) {
  owner::ChangeRequest request;
  for (const std::string& text : flags.tables) {
    TACIT_TRY((request.*files).emplace_back(), ReadTableFile("", text));
  }
  TACIT_TRY(request.units, ReadUnits(flags.import.units));
  TACIT_TRY(request.dialect, DialectOf(flags.import));
  request.public_tables = flags.public_tables;
  return request;
}

int Read(const TableFlags& flags, std::vector<owner::TableFile> owner::ChangeRequest::*files,
         const char* done) {
  Result<owner::ChangeRequest> request = RequestOf(flags, files);
  if (!request.ok()) return Report(request.error());
  return Carry(flags.folder, std::move(request).value(), done);
}

}  // namespace

void AddTableCommand(Command app) {
  auto flags = std::make_shared<TableFlags>();
  Command command = app.Subcommand("table", "Add, replace or drop tables of a deployment");
  command.NeedsSubcommand();
  command.Footer(
      "Examples:\n"
      "  tacit table add clinic labs=labs.csv --unit labs.patient_ssn\n"
      "  tacit table replace clinic visits='export/visits-*.parquet'\n"
      "  tacit table drop clinic labs\n\n"
      "Each raises data_version, prepares the tables and is recorded in the ledger. What was "
      "spent\n"
      "stays spent: budgets follow people, not files. It can be interrupted or killed at any\n"
      "moment: the data is then the old or the new, and never something between.");
  const char* kFiles = "NAME=FILE: .csv, .tsv, .jsonl (also .gz), .parquet (also with *), .duckdb";
  Command add = command.Subcommand("add", "Read files into new tables");
  add.Value("DIR", flags->folder, "The deployment's folder, or a policy file").Required();
  add.Value("TABLES", flags->tables, kFiles).Required();
  AddImportFlags(add, flags->import);
  add.Value("--public", flags->public_tables, "a new table that is nobody's: anyone may read it")
      .OneAtATime();
  add.Action([flags] { return Read(*flags, &owner::ChangeRequest::add, "added"); });
  Command replace = command.Subcommand("replace", "Exchange the rows of tables");
  replace.Value("DIR", flags->folder, "The deployment's folder, or a policy file").Required();
  replace.Value("TABLES", flags->tables, kFiles).Required();
  AddImportFlags(replace, flags->import);
  replace.Action([flags] { return Read(*flags, &owner::ChangeRequest::replace, "replaced"); });
  Command drop = command.Subcommand("drop", "Remove tables, and their entries in the policy");
  drop.Value("DIR", flags->folder, "The deployment's folder, or a policy file").Required();
  drop.Value("NAME", flags->tables, "tables to drop").Required();
  drop.Action([flags] {
    owner::ChangeRequest request;
    request.drop = flags->tables;
    return Carry(flags->folder, std::move(request), "dropped");
  });
}

void AddPersonCommand(Command app) {
  struct Flags {
    std::string folder;
    std::vector<std::string> people;
  };
  auto flags = std::make_shared<Flags>();
  Command command = app.Subcommand("person", "Remove people from the data");
  command.NeedsSubcommand();
  Command remove = command.Subcommand("delete", "Remove every row of these people");
  remove.Footer(
      "Examples:\n"
      "  tacit person delete clinic 117\n\n"
      "Rows are found as the policy finds people: by the unit's column, and down the foreign "
      "keys.\n"
      "The database is written anew, without them, and so is the prepared copy: nothing of them "
      "is\n"
      "left in free space of a file. Backups and the files that tables came from are yours to "
      "look\n"
      "after. The ledger records that people were deleted, and not who or how many.");
  remove.Value("DIR", flags->folder, "The deployment's folder, or a policy file").Required();
  remove.Value("VALUE", flags->people, "values of the unit, as the table holds them").Required();
  remove.Action([flags] {
    owner::ChangeRequest request;
    request.people = flags->people;
    return Carry(flags->folder, std::move(request), "deleted");
  });
}

}  // namespace tacit::app
