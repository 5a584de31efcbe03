#include "owner/prepare.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "owner/data/change.h"
#include "owner/keys/deployment_key.h"
#include "policy/load.h"
#include "tacit/commands.h"
#include "tacit/terminal/progress_bar.h"

// tacit prepare: the copy of the data that queries are fast on.

namespace tacit::app {
namespace {

struct PrepareFlags {
  std::string path;
  std::string dsn;
  std::string password;
};

Result<std::vector<std::string>> Prepare(const PrepareFlags& flags) {
  TACIT_TRY(const policy::Policy policy, owner::LoadDeployment(flags.path));
  TACIT_TRY(const SecretBytes key, owner::ReadDeploymentKey(policy));
  const auto* server = std::get_if<policy::PostgresSettings>(&policy.engine);
  if (server == nullptr && !(flags.dsn + flags.password).empty()) {
    return InvalidArgument("--dsn and --password are of tables that a PostgreSQL server holds");
  }
  if (server != nullptr) {
    if (flags.dsn.empty()) {
      return InvalidArgument("tables of a PostgreSQL server are prepared by a role that owns them",
                             "name it: --dsn \"host=db user=clinic_owner dbname=clinic\"");
    }
    TACIT_TRY(const policy::PostgresSettings writer,
              policy::MakePostgresSettings(flags.dsn, flags.password, server->schema,
                                           std::filesystem::current_path().string()));
    return owner::PrepareOnServer(policy, writer, key, InterruptibleProgress());
  }
  return owner::Prepare(policy, key, InterruptibleProgress());
}

// Names and time only: how many rows there are is for `SELECT count(*)`, at a price.
int RunPrepare(const PrepareFlags& flags) {
  const auto started = std::chrono::steady_clock::now();
  const Result<std::vector<std::string>> tables = Prepare(flags);
  ClearProgress();
  if (!tables.ok()) return Report(tables.error());
  std::string list;
  for (const std::string& table : *tables) list += (list.empty() ? "" : ", ") + table;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  std::printf("prepared %s in %.1f s\n", list.c_str(), took.count());
  return kExitDone;
}

}  // namespace

void AddPrepareCommand(Command app) {
  auto flags = std::make_shared<PrepareFlags>();
  Command prepare =
      app.Subcommand("prepare", "Store the data as queries need it; again after each change");
  prepare.Footer(
      "Examples:\n"
      "  tacit prepare clinic\n"
      "  tacit prepare clinic --dsn 'host=db user=clinic_owner dbname=clinic' --password "
      "env:OWNER\n\n"
      "Makes a copy beside the database: clustered by privacy unit, with the ranks that caps go "
      "by\n"
      "and clamped sums. It serves as long as policy, data and data_version stay as they are, and "
      "is\n"
      "not used after that. Answers are the same without it, only slower. Safe to interrupt.\n\n"
      "Where a PostgreSQL server holds the tables the copy is made there, in the schema that\n"
      "engine: prepared names, by a role that owns them.");
  prepare.Value("DIR", flags->path, "The deployment's folder, or a policy file").Required();
  prepare.Value("--dsn", flags->dsn, "Of PostgreSQL: who writes the copy, without a password");
  prepare.Value("--password", flags->password, "Of --dsn: env:NAME or file:PATH");
  prepare.Action([flags] { return RunPrepare(*flags); });
}

}  // namespace tacit::app
