#include "attack/scene/invented_deployment.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/process/passing_folders.h"
#include "owner/init.h"
#include "owner/keys/deployment_key.h"
#include "owner/prepare.h"
#include "policy/load.h"

namespace tacit::attack {
namespace {

namespace fs = std::filesystem;

Error CannotMake(const std::string& what) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "cannot write " + what + ": " + std::strerror(errno),
               .hint = "set TMPDIR to a folder with space that you may write to",
               .position = std::nullopt,
               .private_detail = ""};
}

Result<Done> Write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return CannotMake(path);
  return Done{};
}

std::string PolicyText(const InventedPolicy& policy) {
  return "tacit: 1\n"
         "engine: {kind: duckdb, path: data.duckdb}\n"
         "ledger: {kind: sqlite, path: ledger.sqlite}\n"
         "privacy:\n"
         "  neighbours: add_remove\n"
         "  accounting: pure\n"
         "  budget: {epsilon: " +
         policy.budget_epsilon +
         ", delta: 0}\n"
         "  query: {epsilon: " +
         policy.query_epsilon + ", epsilon_max: " + policy.budget_epsilon +
         ", delta: 0}\n"
         "tables:\n"
         "  people:\n"
         "    unit: id\n"
         "    rows_per_unit: 1\n"
         "    columns: " +
         policy.columns + "\n";
}

}  // namespace

Result<InventedDeployment> MakeInventedDeployment(const std::string& csv,
                                                  const InventedPolicy& policy) {
  std::error_code failure;
  std::string root = (fs::temp_directory_path(failure) / "tacit-invented-XXXXXX").string();
  if (failure || ::mkdtemp(root.data()) == nullptr) return CannotMake(root);
  AddPassingFolder(root);
  std::shared_ptr<const std::string> folder(new std::string(root), [](const std::string* path) {
    RemovePassingFolder(*path);
    delete path;
  });
  TACIT_CHECK(Write(root + "/people.csv", csv));
  const Result<std::vector<std::string>> made =
      owner::Init({.folder = root + "/deployment",
                   .tables = {{"people", root + "/people.csv"}},
                   .units = {{"people", "id"}},
                   .progress = {}});
  if (!made.ok()) return made.error();
  TACIT_CHECK(Write(root + "/deployment/tacit.yaml", PolicyText(policy)));
  TACIT_TRY(policy::Policy loaded, policy::Load(root + "/deployment"));
  TACIT_TRY(const SecretBytes key, owner::ReadDeploymentKey(loaded));
  TACIT_CHECK(owner::Prepare(loaded, key, {}));  // hundreds of questions follow
  return InventedDeployment{.folder = std::move(folder), .policy = std::move(loaded)};
}

std::string CsvOf(const People& people) {
  std::string csv = "id,secret\n";
  for (size_t i = 0; i < people.size(); ++i) {
    csv += people.pins[i] + (people.has_secret[i] ? ",1\n" : ",0\n");
  }
  return csv;
}

}  // namespace tacit::attack
