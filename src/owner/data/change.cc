#include "owner/data/change.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/whole_file.h"
#include "engine/duckdb/values/read_schema.h"
#include "owner/check.h"
#include "owner/data/exchange.h"
#include "owner/data/rebuild.h"
#include "owner/files.h"
#include "owner/init/write_policy.h"
#include "owner/open_ledger.h"
#include "owner/prepare.h"
#include "owner/progress.h"
#include "owner/working_folder.h"
#include "policy/edit.h"
#include "policy/load.h"

namespace tacit::owner {
namespace {

namespace fs = std::filesystem;
using engine::duckdb::Connection;
using engine::duckdb::Database;

// For the record: which tables, and never which people.
std::string WhatHappened(const ChangeRequest& request) {
  std::string text;
  const auto say = [&](const char* what, const std::string& name) {
    text += (text.empty() ? "" : "; ") + std::string(what) + name;
  };
  for (const TableFile& file : request.add) say("table added: ", file.table);
  for (const TableFile& file : request.replace) say("table replaced: ", file.table);
  for (const std::string& name : request.drop) say("table dropped: ", name);
  if (!request.people.empty()) say("people deleted", "");
  return text.substr(0, 1000);
}

// What a database has written and not yet moved into its file would be found beside the new one.
Result<Done> Checkpoint(const std::string& data_path) {
  std::error_code failure;
  if (!fs::exists(data_path + ".wal", failure)) return Done{};
  TACIT_TRY(const Database database, Database::OpenForImport(data_path, {.threads = 1}));
  TACIT_TRY(Connection connection, database.Connect());
  if (connection.Execute("CHECKPOINT")) {
    return InvalidArgument("the database " + data_path + " is open elsewhere, with changes",
                           "stop what writes to it");
  }
  return Done{};
}

Result<policy::Schema> SchemaOf(const std::string& path) {
  TACIT_TRY(const Database database, Database::OpenReadOnly(path, {.threads = 1}));
  TACIT_TRY(Connection connection, database.Connect());
  return engine::duckdb::ReadSchema(connection);
}

Result<std::string> ReadText(const std::string& path) {
  std::optional<std::string> text = WholeFile(path);
  if (!text) return InvalidArgument("cannot read " + path + " to its end");
  return std::move(*text);
}

bool IsNamed(const std::vector<std::string>& names, const std::string& table) {
  for (const std::string& name : names) {
    if (policy::SameName(name, table)) return true;
  }
  return false;
}

// The policy's text for the changed data. What only the owner can decide is left to them: a policy
// with an open decision does not load, and would stop everything else.
Result<std::string> ChangedPolicy(const policy::Policy& policy, const policy::Schema& schema,
                                  const ChangeRequest& request, ChangeReport& report) {
  TACIT_TRY(const std::string before, ReadText(policy.file));
  TACIT_TRY(std::string text, policy::WithDataVersion(before, report.data_version));
  for (const TableFile& file : request.add) {
    const policy::SchemaTable* table = schema.Find(file.table);
    if (policy.Find(file.table) != nullptr || table == nullptr) continue;
    const bool is_public = IsNamed(request.public_tables, file.table);
    const std::string entry = WriteTableEntry(*table, request.units, is_public);
    const bool decided = is_public || std::any_of(request.units.begin(), request.units.end(),
                                                  [&](const UnitColumn& unit) {
                                                    return policy::SameName(unit.table, file.table);
                                                  });
    if (!decided) {
      report.undecided += entry;
      continue;
    }
    TACIT_TRY(text, policy::WithEntry(text, "tables", entry));
  }
  for (const std::string& name : request.drop) {
    if (policy.Find(name) == nullptr) continue;
    TACIT_TRY(text, policy::WithoutEntry(text, "tables", name));
  }
  return text;
}

// With the owner and mode of the file that it will replace.
Result<Done> WriteLike(const std::string& path, const std::string& text, const std::string& like) {
  struct stat status {};
  if (::stat(like.c_str(), &status) != 0) return CannotWrite(like);
  TACIT_CHECK(WriteNewFile(path, text, status.st_mode & 07777));
  if (::geteuid() == 0 && ::chown(path.c_str(), status.st_uid, status.st_gid) != 0) {
    return CannotWrite(path);
  }
  return Done{};
}

// The data is exchanged by then, whatever became of the copy: nobody should do it a second time.
Error NotPrepared(Error error, const ChangeReport& report, const std::string& folder) {
  constexpr std::string_view kInterrupted = "interrupted: ";
  const bool stopped = error.public_message.starts_with(kInterrupted);
  error.public_message = "the data is changed, and data_version is now " +
                         std::to_string(report.data_version) + ", but the tables are not prepared" +
                         (stopped ? ": that was interrupted" : ": " + error.public_message);
  error.hint = "tacit prepare " + folder;
  return error;
}

}  // namespace

Result<ChangeReport> ChangeData(const std::string& path, const ChangeRequest& request) {
  TACIT_TRY(const policy::Policy policy, LoadDeployment(path));
  const auto* duckdb = std::get_if<policy::DuckdbSettings>(&policy.engine);
  if (duckdb == nullptr) {
    return InvalidArgument("only the tables of a DuckDB database can be changed here",
                           "change them where they are, then raise data_version");
  }
  if (duckdb->ReadsFiles()) {
    return InvalidArgument("the tables of this policy stand in files of your own",
                           "change the files, raise data_version in " + policy.file +
                               ", and run tacit prepare " + policy.folder);
  }
  TACIT_TRY(OpenedLedger opened, OpenLedger(policy));
  TACIT_TRY(const WorkingFolder working_folder,
            WorkingFolder::Enter(duckdb->path + "-changing", "tacit"));
  TACIT_CHECK(Checkpoint(duckdb->path));
  const std::string ready = working_folder.FileNamed("ready");
  if (::mkdir(ready.c_str(), S_IRWXU) != 0) return CannotWrite(ready);
  const std::string fresh = working_folder.FileNamed("changed.duckdb");

  ChangeReport report;
  report.data_version = policy.data_version + 1;
  TACIT_TRY(report.notes, RebuildDatabase(policy, duckdb->path, fresh, request));
  TACIT_TRY(const policy::Schema schema, SchemaOf(fresh));
  TACIT_TRY(const std::string text, ChangedPolicy(policy, schema, request, report));
  if (::chmod(fresh.c_str(), S_IRUSR | S_IWUSR) != 0) return CannotWrite(fresh);
  TACIT_CHECK(SyncFile(fresh));
  // As if it were in place already.
  TACIT_TRY(policy::Policy changed, policy::Parse(text, policy.file));
  std::get<policy::DuckdbSettings>(changed.engine).path = fresh;
  TACIT_CHECK(RefuseErrors(changed));
  if (request.progress && !request.progress("", 75)) {
    return Interrupted("nothing was changed, and nothing is left behind");
  }

  TACIT_CHECK(MoveFile(fresh, ready + "/" + Exchange::kData));
  TACIT_CHECK(WriteLike(ready + "/" + Exchange::kPolicy, text, policy.file));
  TACIT_CHECK(opened.ledger.RecordChange(
      {.data_version = report.data_version, .what = WhatHappened(request)}));
  TACIT_CHECK(BeginExchange(ready, duckdb->path));
  TACIT_CHECK(FinishExchange(duckdb->path, policy.file));
  TACIT_TRY(const policy::Policy now, policy::Load(policy.file));
  Result<std::vector<std::string>> prepared =
      Prepare(now, opened.key, Between(request.progress, 75, 100));
  if (!prepared.ok()) return NotPrepared(std::move(prepared).error(), report, policy.folder);
  report.prepared = std::move(prepared).value();
  return report;
}

}  // namespace tacit::owner
