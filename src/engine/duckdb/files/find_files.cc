#include "engine/duckdb/files/find_files.h"

#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

namespace tacit::engine::duckdb {
namespace {

namespace fs = std::filesystem;

constexpr char kAnyFolders[] = "**";
constexpr char kWildcards[] = "*?[";

bool HasWildcard(const std::string& text) { return text.find_first_of(kWildcards) != text.npos; }

bool IsHiddenName(const std::string& name) {
  return name.starts_with('.') || name.starts_with('_');
}

bool MatchesName(const std::string& pattern, const std::string& name) {
  if (IsHiddenName(name) && pattern.front() != name.front()) return false;
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

class FileSearch {
 public:
  explicit FileSearch(const std::string& pattern) : pattern_(pattern) {
    for (const fs::path& part : fs::path(pattern).relative_path()) {
      if (!part.empty()) parts_.push_back(part.string());
    }
  }

  Result<std::set<std::string>> Run() {
    TACIT_CHECK(In("/", 0));
    return std::move(found_);
  }

 private:
  // What the parts from `at` on mean inside the folder.
  Result<Done> In(const fs::path& folder, size_t at) {
    const std::string& part = parts_[at];
    if (part == kAnyFolders) return InAnyFolder(folder, at);
    if (!HasWildcard(part)) return Take(folder / part, at);
    TACIT_TRY(const std::vector<std::string> names, NamesIn(folder));
    for (const std::string& name : names) {
      if (MatchesName(part, name)) TACIT_CHECK(Take(folder / name, at));
    }
    return Done{};
  }

  Result<Done> Take(const fs::path& path, size_t at) {
    TACIT_TRY(const fs::file_status status, StatusOf(path));
    if (at + 1 < parts_.size()) {
      return fs::is_directory(status) ? In(path, at + 1) : Result<Done>(Done{});
    }
    // A link that leads nowhere is not passed over: rows would be missing without a word.
    std::error_code failure;
    if (!fs::exists(status) && !fs::is_symlink(path, failure)) return Done{};
    found_.insert(path.string());
    if (found_.size() <= kFilesMax) return Done{};
    return InvalidArgument(pattern_ + " matches more than " + std::to_string(kFilesMax) + " files",
                           "write larger files, or import them: tacit init without --in-place");
  }

  Result<Done> InAnyFolder(const fs::path& folder, size_t at) {
    if (at + 1 < parts_.size()) TACIT_CHECK(In(folder, at + 1));
    TACIT_TRY(const std::vector<std::string> names, NamesIn(folder));
    for (const std::string& name : names) {
      std::error_code failure;
      const fs::path inner = folder / name;
      // A link may lead back to where it stands.
      if (IsHiddenName(name) || fs::is_symlink(inner, failure)) continue;
      TACIT_TRY(const fs::file_status status, StatusOf(inner));
      if (fs::is_directory(status)) TACIT_CHECK(InAnyFolder(inner, at));
    }
    return Done{};
  }

  // What is not there has a status too; what may not be looked at is an error.
  static Result<fs::file_status> StatusOf(const fs::path& path) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (fs::status_known(status)) return status;
    return InvalidArgument(path.string() + " cannot be looked at: " + failure.message(),
                           "give the user who runs this program the right to");
  }

  static Result<std::vector<std::string>> NamesIn(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code failure;
    for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
         it.increment(failure)) {
      names.push_back(it->path().filename().string());
    }
    if (failure && failure != std::errc::no_such_file_or_directory &&
        failure != std::errc::not_a_directory) {
      return InvalidArgument(
          "the folder " + folder.string() + " cannot be listed: " + failure.message(),
          "give the user who runs this program the right to read it");
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  const std::string& pattern_;
  std::vector<std::string> parts_;
  std::set<std::string> found_;
};

Result<Done> CheckFoundFile(const std::string& path,
                            std::map<std::pair<dev_t, ino_t>, std::string>& known) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) {
    return InvalidArgument("the file " + path + " cannot be looked at: " + std::strerror(errno),
                           "correct the name, or remove the link that leads nowhere");
  }
  if (!S_ISREG(status.st_mode)) {
    return InvalidArgument(path + " is not a file",
                           "name files, like FOLDER/*.parquet for all of a folder");
  }
  if (::access(path.c_str(), R_OK) != 0) {
    return InvalidArgument("the file " + path + " cannot be read: " + std::strerror(errno),
                           "give the user who runs this program the right to read it");
  }
  // Whoever may write it decides what is answered.
  if ((status.st_mode & S_IWOTH) != 0) {
    return InvalidArgument("everybody on this machine may write to the file " + path,
                           "chmod o-w " + path);
  }
  const bool odd = std::any_of(path.begin(), path.end(), [](unsigned char c) {
    return c < 32 || std::strchr(kWildcards, c);
  });
  if (odd) {
    return InvalidArgument("the name of the file " + path + " holds *, ?, [ or a line break",
                           "rename it: the engine would take it for a pattern");
  }
  const auto [other, is_new] = known.emplace(std::pair(status.st_dev, status.st_ino), path);
  if (is_new) return Done{};
  return InvalidArgument(path + " and " + other->second + " are one file under two names",
                         "let the pattern match one of them, or its rows count twice");
}

}  // namespace

Result<std::vector<std::string>> FindFiles(const std::string& pattern) {
  FileSearch search(pattern);
  TACIT_TRY(const std::set<std::string> found, search.Run());
  if (found.empty()) {
    return HasWildcard(pattern)
               ? InvalidArgument("no file matches " + pattern,
                                 "correct the pattern; a table without rows is a file without rows")
               : InvalidArgument("there is no file " + pattern, "correct the name");
  }
  std::map<std::pair<dev_t, ino_t>, std::string> known;
  for (const std::string& path : found) TACIT_CHECK(CheckFoundFile(path, known));
  return std::vector<std::string>(found.begin(), found.end());
}

}  // namespace tacit::engine::duckdb
