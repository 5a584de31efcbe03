#include "engine/duckdb/prepare/prepared_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/secrets/digest.h"
#include "base/whole_file.h"
#include "engine/duckdb/files/found_tables.h"

namespace tacit::engine::duckdb {
namespace {

constexpr char kFormat[] = "tacit prepared 5";

std::string ManifestPath(const std::string& data_path) {
  return PreparedPath(data_path) + ".manifest";
}

Error CannotWrite(const std::string& path) {
  return InvalidArgument("cannot write " + path + ": " + std::strerror(errno),
                         "the folder of the database must be writable and have space");
}

Result<Done> Sync(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return CannotWrite(path);
  const bool good = ::fsync(file) == 0;
  ::close(file);
  if (!good) return CannotWrite(path);
  return Done{};
}

Result<Done> MoveInto(const std::string& from, const std::string& path) {
  TACIT_CHECK(Sync(from));
  if (std::rename(from.c_str(), path.c_str()) != 0) return CannotWrite(path);
  return Sync(std::filesystem::path(path).parent_path().string());
}

}  // namespace

std::string PreparedPath(const std::string& data_path) { return data_path + "-prepared"; }

bool HasManifest(const std::string& data_path) {
  return ::access(ManifestPath(data_path).c_str(), F_OK) == 0;
}

std::optional<std::string> PreparedFingerprint(const policy::Policy& policy,
                                               const std::string& data_path,
                                               std::string_view deployment_key) {
  const std::optional<std::string> identity = IdentityOfData(policy, data_path);
  if (!identity) return std::nullopt;
  std::string text = std::string(kFormat) + "\n" + policy::PolicyVersion(policy) + "\n" +
                     std::to_string(policy.data_version) + "\n" + *identity + "\n";
  // The key itself stays secret: the manifest holds a hash of all this.
  return Sha256Hex(text + Sha256Hex("tacit prepare " + std::string(deployment_key)));
}

std::optional<PreparedCopy> FindPreparedCopy(const policy::Policy& policy,
                                             const std::string& data_path,
                                             std::string_view deployment_key) {
  const std::string manifest = WholeFile(ManifestPath(data_path)).value_or("");
  const std::vector<std::string_view> lines = LinesOf(manifest);
  // The format, what it was made of, which file it is, and then a public key a line.
  constexpr size_t kFirstKey = 3;
  if (lines.size() < kFirstKey || lines[0] != kFormat) return std::nullopt;
  if (PreparedFingerprint(policy, data_path, deployment_key) != lines[1]) return std::nullopt;
  const std::string path = PreparedPath(data_path);
  const std::string identity(lines[2]);
  if (FileIdentity(path) != identity) return std::nullopt;
  PreparedCopy copy{.path = path, .identity = identity, .unique_columns = {}};
  for (size_t i = kFirstKey; i < lines.size(); ++i) {
    const size_t tab = lines[i].find('\t');
    if (tab == std::string_view::npos) return std::nullopt;
    copy.unique_columns.push_back({.table = std::string(lines[i].substr(0, tab)),
                                   .column = std::string(lines[i].substr(tab + 1))});
  }
  return copy;
}

void MarkPrepared(const PreparedCopy& copy, const policy::Policy& policy, policy::Schema& schema) {
  for (policy::SchemaTable& stored : schema.tables) {
    const policy::Table* table = policy.Find(stored.name);
    stored.prepared = table != nullptr;
    if (table == nullptr || !table->is_public) continue;
    for (policy::SchemaColumn& column : stored.columns) {
      for (const UniqueColumn& key : copy.unique_columns) {
        if (key.table == stored.name && key.column == column.name) column.unique = true;
      }
    }
  }
}

Result<Done> InstallPreparedCopy(const std::string& finished, const std::string& data_path,
                                 const std::string& fingerprint,
                                 const std::vector<UniqueColumn>& unique_columns) {
  const std::string path = PreparedPath(data_path);
  if (::chmod(finished.c_str(), S_IRUSR | S_IWUSR) != 0) return CannotWrite(finished);
  TACIT_CHECK(MoveInto(finished, path));
  const std::optional<std::string> identity = FileIdentity(path);
  if (!identity) return CannotWrite(path);
  const std::string fresh = finished + ".manifest";
  {
    std::ofstream file(fresh, std::ios::trunc);
    file << kFormat << "\n" << fingerprint << "\n" << *identity << "\n";
    for (const UniqueColumn& key : unique_columns) file << key.table << '\t' << key.column << '\n';
    if (!file.flush()) return CannotWrite(fresh);
  }
  if (::chmod(fresh.c_str(), S_IRUSR | S_IWUSR) != 0) return CannotWrite(fresh);
  return MoveInto(fresh, ManifestPath(data_path));
}

}  // namespace tacit::engine::duckdb
