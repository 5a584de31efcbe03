#include "gateway/deployment.h"

#include <sys/stat.h>

#include <fstream>

#include "engine/duckdb/engine.h"
#include "gateway/catalog_file.h"
#include "ledger/of_policy.h"
#include "policy/load.h"

namespace tacit::gateway {
namespace {

constexpr size_t kKeyBytes = 32;

Error Unavailable(std::string message, std::string hint) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = ""};
}

// As hexadecimal text: statements bind texts.
Result<std::string> ReadKey(const std::string& path) {
  struct stat status = {};
  std::ifstream file(path, std::ios::binary);
  if (!file || ::stat(path.c_str(), &status) != 0) {
    return Unavailable("the deployment's key " + path + " cannot be read",
                       "restore it from a copy: with another key other rows would be kept, and a "
                       "new one is made by tacit init only");
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Unavailable("the deployment's key " + path + " can be read by others",
                       "chmod 600 " + path);
  }
  std::string bytes(kKeyBytes + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (file.gcount() != static_cast<std::streamsize>(kKeyBytes)) {
    return Unavailable("the deployment's key " + path + " is not 32 bytes long",
                       "restore it from a copy");
  }
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < kKeyBytes; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

Result<std::unique_ptr<Deployment>> Deployment::Open(const std::string& path) {
  TACIT_TRY(policy::Policy policy, policy::Load(path));
  return OpenWith(std::move(policy));
}

Result<std::unique_ptr<Deployment>> Deployment::OpenWith(policy::Policy policy) {
  const auto* duckdb = std::get_if<policy::DuckdbEngine>(&policy.engine);
  if (duckdb == nullptr) {
    return InvalidArgument("this program's only engine is DuckDB",
                           "write engine: {kind: duckdb, path: data.duckdb}");
  }
  TACIT_TRY(const std::string ledger_path, ledger::PathOf(policy));
  TACIT_TRY(ledger::Ledger ledger, ledger::Ledger::Open(ledger_path));
  TACIT_TRY(std::string key, ReadKey(policy.KeyPath()));
  const std::string data_path = duckdb->path;
  auto engine =
      std::make_unique<engine::duckdb::DuckdbEngine>(data_path, engine::duckdb::kExactLimits);
  auto deployment = std::unique_ptr<Deployment>(
      new Deployment(std::move(policy), std::move(ledger), std::move(key), std::move(engine)));
  TACIT_TRY(deployment->schema_, SchemaOf(data_path, *deployment->engine_));
  return deployment;
}

Services Deployment::ForThisThread() {
  return Services{.policy = policy_,
                  .schema = schema_,
                  .ledger = ledger_,
                  .engine = *engine_,
                  .entropy = Entropy::ForThisThread(),
                  .deployment_key = key_,
                  .shelf = shelf_};
}

}  // namespace tacit::gateway
