#include "policy/load.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/whole_file.h"
#include "policy/read/sections.h"
#include "policy/schema.h"

namespace tacit::policy {
namespace {

namespace fs = std::filesystem;
using yaml::Node;
using yaml::Words;

Error CannotRead(const std::string& path, const std::string& why) {
  return InvalidArgument("cannot read the policy " + path + ": " + why,
                         "name a folder that `tacit init` made, or a policy file");
}

Result<std::string> ReadFile(const std::string& path) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) {
    return CannotRead(path, failure ? failure.message() : "it is not a file");
  }
  std::optional<std::string> text = WholeFile(path, static_cast<size_t>(kPolicyBytesMax));
  if (text) return std::move(*text);
  return CannotRead(path, errno == EIO ? "the disk failed" : std::strerror(errno));
}

// One file under both names would be opened by two libraries.
Result<Done> CheckFilesDiffer(const Policy& policy, const Node& place) {
  const auto* engine = std::get_if<DuckdbSettings>(&policy.engine);
  const auto* ledger = std::get_if<SqliteLedger>(&policy.ledger);
  if (engine == nullptr || ledger == nullptr || engine->path != ledger->path) return Done{};
  return yaml::ErrorAt(policy.file, place.place, "the engine and the ledger name the same file",
                       "give each its own path");
}

Result<Policy> ReadPolicy(const Node& root, const std::string& file) {
  TACIT_TRY(const Words words, Words::Of(root, file, "the policy",
                                         {"tacit", "data_version", "engine", "ledger", "privacy",
                                          "tables", "server", "analysts"}));
  Policy policy;
  policy.file = file;
  policy.folder = fs::absolute(fs::path(file)).lexically_normal().parent_path().string();

  TACIT_TRY(const int64_t format, words.NeedWhole("tacit", "tacit: 1", 1, INT64_MAX));
  if (format != 1) {
    return yaml::ErrorAt(file, words.Find("tacit")->place,
                         "this policy is written for format " + std::to_string(format) +
                             ", and this program reads format 1",
                         "use a newer tacit");
  }
  TACIT_TRY(policy.data_version, words.Whole("data_version", 1, INT64_MAX, 1));
  TACIT_TRY(const Node* engine, words.Need("engine", "engine: {kind: duckdb, path: data.duckdb}"));
  TACIT_TRY(policy.engine, read::ReadEngine(*engine, file, policy.folder));
  TACIT_TRY(const Node* ledger,
            words.Need("ledger", "ledger: {kind: sqlite, path: ledger.sqlite}"));
  TACIT_TRY(policy.ledger, read::ReadLedger(*ledger, file, policy.folder));
  TACIT_CHECK(CheckFilesDiffer(policy, *ledger));
  TACIT_TRY(const Node* privacy, words.Need("privacy", "docs/policy_reference.md shows"));
  TACIT_TRY(policy.privacy, read::ReadPrivacy(*privacy, file));
  TACIT_TRY(const Node* tables, words.Need("tables", "docs/policy_reference.md shows"));
  TACIT_TRY(policy.tables, read::ReadTables(*tables, file));
  if (const Node* server = words.Find("server")) {
    TACIT_TRY(policy.server, read::ReadServer(*server, file, policy.folder));
  }
  if (const Node* analysts = words.Find("analysts")) {
    TACIT_TRY(policy.analysts, read::ReadAnalysts(*analysts, file, policy.folder));
  }
  return policy;
}

}  // namespace

Result<Policy> Parse(std::string_view text, const std::string& file) {
  if (text.size() > static_cast<size_t>(kPolicyBytesMax)) {
    return InvalidArgument(
        file + " is larger than " + std::to_string(kPolicyBytesMax >> 20) + " MiB",
        "put long key lists in a public table: keys: {table: TABLE.COLUMN}");
  }
  TACIT_TRY(const Node root, yaml::ParseTree(text, file));
  return ReadPolicy(root, file);
}

Result<Policy> Load(const std::string& path) {
  std::error_code ignored;
  const std::string file =
      fs::is_directory(path, ignored) ? (fs::path(path) / "tacit.yaml").string() : path;
  TACIT_TRY(const std::string text, ReadFile(file));
  return Parse(text, file);
}

}  // namespace tacit::policy
