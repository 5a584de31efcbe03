#include "owner/prepare.h"

#include <chrono>
#include <cstdio>
#include <memory>

#include "owner/data/change.h"
#include "owner/keys/deployment_key.h"
#include "tacit/commands.h"
#include "tacit/terminal/progress_bar.h"

// tacit prepare: the copy of the data that queries are fast on.

namespace tacit::app {
namespace {

Result<std::vector<std::string>> Prepare(const std::string& path) {
  TACIT_TRY(const policy::Policy policy, owner::LoadDeployment(path));
  TACIT_TRY(const SecretBytes key, owner::ReadDeploymentKey(policy));
  return owner::Prepare(policy, key, InterruptibleProgress());
}

// Names and time only: how many rows there are is for `SELECT count(*)`, at a price.
int RunPrepare(const std::string& path) {
  const auto started = std::chrono::steady_clock::now();
  const Result<std::vector<std::string>> tables = Prepare(path);
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
  auto path = std::make_shared<std::string>();
  Command prepare =
      app.Subcommand("prepare", "Store the data as queries need it; again after each change");
  prepare.Footer(
      "Examples:\n"
      "  tacit prepare clinic\n\n"
      "Makes a copy beside the database: clustered by privacy unit, with the ranks that caps go "
      "by\n"
      "and clamped sums. It serves as long as policy, data and data_version stay as they are, and "
      "is\n"
      "not used after that. Answers are the same without it, only slower. Safe to interrupt.");
  prepare.Value("DIR", *path, "The deployment's folder, or a policy file").Required();
  prepare.Action([path] { return RunPrepare(*path); });
}

}  // namespace tacit::app
