#include "owner/init.h"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <set>

#include "engine/duckdb/values/read_schema.h"
#include "ledger/ledger.h"
#include "owner/files.h"
#include "owner/import/import_table.h"
#include "owner/import/reader.h"
#include "owner/in_place/declare.h"
#include "owner/init/read_server.h"
#include "owner/init/write_policy.h"
#include "owner/keys/deployment_key.h"
#include "owner/prepare/parent_keys.h"

namespace tacit::owner {
namespace {

namespace fs = std::filesystem;

Result<SecretBytes> WriteKey(const std::string& path) {
  char key[kKeyBytes];
  if (::getrandom(key, sizeof key, 0) != static_cast<ssize_t>(sizeof key)) return CannotWrite(path);
  const Result<Done> written = WriteNewFile(path, std::string_view(key, sizeof key), 0600);
  SecretBytes text = KeyText(std::string_view(key, sizeof key));
  ::explicit_bzero(key, sizeof key);
  if (!written.ok()) return written.error();
  return text;
}

// Removes the half-made folder unless it was renamed into place.
class HalfMadeFolder {
 public:
  static Result<HalfMadeFolder> BesideOf(const fs::path& folder) {
    std::string pattern = folder.string() + ".init-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr || ::chmod(pattern.c_str(), S_IRWXU) != 0) {
      return CannotWrite(folder.parent_path().string());
    }
    return HalfMadeFolder(pattern);
  }
  explicit HalfMadeFolder(std::string path) : path_(std::move(path)) {}
  HalfMadeFolder(HalfMadeFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  HalfMadeFolder& operator=(HalfMadeFolder&&) = delete;
  ~HalfMadeFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }

  Result<Done> MoveTo(const fs::path& folder) {
    TACIT_CHECK(SyncFolder(path_));
    // Over an empty folder rename() is allowed; anything in it makes it fail.
    if (::rename(path_.c_str(), folder.c_str()) != 0) return CannotWrite(folder.string());
    path_.clear();
    return SyncFolder(folder.parent_path().string());
  }

 private:
  std::string path_;
};

Result<fs::path> CheckFolder(const std::string& text) {
  if (text.empty()) return InvalidArgument("the folder has no name", "like tacit init clinic ...");
  fs::path folder = fs::absolute(text).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  std::error_code failure;
  const fs::file_status status = fs::status(folder, failure);
  if (fs::exists(status)) {
    for (const char* name : {"tacit.yaml", "ledger.sqlite", "tacit.key", "data.duckdb"}) {
      if (!fs::exists(folder / name, failure)) continue;
      return InvalidArgument(folder.string() + " has a " + name + " already",
                             "budgets follow people, not files: init never replaces a deployment. "
                             "Name a new folder");
    }
    if (!fs::is_directory(status) || !fs::is_empty(folder, failure)) {
      return InvalidArgument(folder.string() + " is there and is not an empty folder",
                             "name a new folder");
    }
  }
  if (!fs::is_directory(folder.parent_path(), failure)) {
    return InvalidArgument("there is no folder " + folder.parent_path().string(), "make it first");
  }
  return folder;
}

Result<Done> CheckNames(const InitRequest& request) {
  if (request.server) return Done{};
  if (request.tables.empty()) {
    return InvalidArgument("init needs at least one table", "give --table NAME=FILE");
  }
  std::set<std::string> names;
  for (const TableFile& source : request.tables) {
    if (source.table.empty() || source.table.size() > 63 ||
        source.table.find_first_of("\n\r\t") != std::string::npos) {
      return InvalidArgument("'" + source.table.substr(0, 70) + "' cannot be a table's name",
                             "a name has 1 to 63 bytes in one line");
    }
    if (!names.insert(policy::FoldedName(source.table)).second) {
      return InvalidArgument("table " + source.table + " is given twice (case is ignored)",
                             "give every table another name");
    }
  }
  std::set<std::string> with_unit;
  for (const UnitColumn& unit : request.units) {
    if (!names.contains(policy::FoldedName(unit.table))) {
      return InvalidArgument("--unit names table " + unit.table + ", which no --table gives");
    }
    if (with_unit.insert(policy::FoldedName(unit.table)).second) continue;
    return InvalidArgument("--unit is given twice for table " + unit.table,
                           "one column names the person of a row");
  }
  return Done{};
}

// Names that the engine's statements use for themselves.
Result<Done> CheckColumnNames(const policy::Schema& schema) {
  for (const policy::SchemaTable& table : schema.tables) {
    for (const policy::SchemaColumn& column : table.columns) {
      if (!policy::FoldedName(column.name).starts_with("tacit_")) continue;
      return InvalidArgument("the column " + column.name + " of table " + table.name +
                                 " has a name that begins with tacit_",
                             "such names are Tacit's own: rename the column in the file");
    }
  }
  return Done{};
}

Result<policy::Schema> StoreTables(const InitRequest& request, const std::string& path,
                                   std::vector<std::string>& notes) {
  using engine::duckdb::Connection;
  using engine::duckdb::Database;
  TACIT_TRY(const Database database, Database::OpenForImport(path, {}));
  TACIT_TRY(Connection connection, database.Connect());
  std::vector<double> weights;
  for (const TableFile& source : request.tables) {
    std::error_code unknown;  // of several files at once
    const uintmax_t bytes = fs::file_size(source.file, unknown);
    weights.push_back(unknown ? 1e6 : 1000 + static_cast<double>(bytes));
  }
  for (size_t i = 0; i < request.tables.size(); ++i) {
    const TableFile& source = request.tables[i];
    std::string cluster_by;
    for (const UnitColumn& unit : request.units) {
      if (policy::SameName(unit.table, source.table)) cluster_by = unit.column;
    }
    TACIT_TRY(std::vector<std::string> said,
              ImportTable(connection, source, cluster_by, request.dialect,
                          PartOf(request.progress, weights, i)));
    notes.insert(notes.end(), said.begin(), said.end());
  }
  TACIT_TRY(policy::Schema schema, engine::duckdb::ReadSchema(connection));
  TACIT_CHECK(CheckColumnNames(schema));
  TACIT_TRY(const std::vector<std::string> kept, KeepKeysUnique(schema, connection));
  for (const std::string& column : kept) {
    notes.push_back(column + " is unique, and the database keeps it so from now on");
  }
  if (const auto failure = connection.Execute("CHECKPOINT")) {
    return InvalidArgument("cannot write " + path + ": " + failure->text);
  }
  return schema;
}

struct Started {
  std::string policy;  // its text
  std::vector<std::string> notes;
};

Result<Started> StartWithDatabase(const InitRequest& request, const std::string& folder) {
  Started started;
  const std::string database = folder + "/data.duckdb";
  TACIT_TRY(const policy::Schema schema, StoreTables(request, database, started.notes));
  // Rows of people: for the owner alone.
  if (::chmod(database.c_str(), 0600) != 0) return CannotWrite(database);
  started.policy = WritePolicy(schema, request.units);
  return started;
}

Result<Started> StartOnServer(const InitRequest& request) {
  Started started;
  TACIT_TRY(const policy::Schema schema, ReadServer(*request.server, request.units, started.notes));
  started.policy = WritePolicy(schema, request.units, *request.server);
  return started;
}

Result<Started> StartInPlace(const InitRequest& request) {
  Result<DeclaredFiles> read = DeclareFiles(request.tables);
  if (!read.ok()) {
    // The owner is at the keyboard.
    Error error = read.error();
    if (!error.private_detail.empty()) error.public_message += ": " + error.private_detail;
    return error;
  }
  DeclaredFiles declared = std::move(read).value();
  for (const UnitColumn& unit : request.units) {
    if (declared.schema.Find(unit.table, unit.column) != nullptr) continue;
    std::vector<std::string> names;
    for (const policy::SchemaColumn& column : declared.schema.Find(unit.table)->columns) {
      names.push_back(column.name);
    }
    return InvalidArgument("--unit: table " + unit.table + " has no column " + unit.column +
                               "; its columns are: " + Joined(names).substr(0, 300),
                           "name one of them as TABLE.COLUMN");
  }
  return Started{
      .policy = WritePolicy(declared.schema, request.units, EngineSection(declared.tables)),
      .notes = std::move(declared.notes)};
}

}  // namespace

Result<std::vector<std::string>> Init(const InitRequest& request) {
  TACIT_CHECK(CheckNames(request));
  TACIT_TRY(const fs::path folder, CheckFolder(request.folder));
  TACIT_TRY(HalfMadeFolder half_made, HalfMadeFolder::BesideOf(folder));
  TACIT_TRY(Started started, request.server     ? StartOnServer(request)
                             : request.in_place ? StartInPlace(request)
                                                : StartWithDatabase(request, half_made.path()));
  TACIT_CHECK(WriteNewFile(half_made.path() + "/tacit.yaml", started.policy, 0644));
  // The ledger belongs to the key from its first record on.
  ledger::OpenOptions options;
  TACIT_TRY(const SecretBytes key, WriteKey(half_made.path() + "/tacit.key"));
  options.key = key.view();
  TACIT_CHECK(ledger::Ledger::Create(half_made.path() + "/ledger.sqlite", options));
  TACIT_CHECK(half_made.MoveTo(folder));
  return std::move(started.notes);
}

}  // namespace tacit::owner
