#include "owner/rehearsal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/process/passing_folders.h"
#include "ledger/ledger.h"
#include "owner/keys/deployment_key.h"

namespace tacit::owner {
namespace {

Error CannotMake(const std::string& path) {
  return Error{
      .code = ErrorCode::kUnavailable,
      .public_message = "cannot make the temporary folder " + path + ": " + std::strerror(errno),
      .hint = "set TMPDIR to a folder with space that you may write to",
      .position = std::nullopt,
      .private_detail = ""};
}

// The deployment's own key, by a link and not as a copy, so that the secret stays in one place:
// with it the same rows are kept as in the deployment, and what `tacit prepare` stored can be used.
Result<SecretBytes> LinkKey(const policy::Policy& original, const std::string& path) {
  TACIT_TRY(SecretBytes text, ReadDeploymentKey(original));
  std::error_code failure;
  const std::filesystem::path key = std::filesystem::absolute(original.KeyPath(), failure);
  if (!failure) std::filesystem::create_symlink(key, path, failure);
  if (!failure) return text;
  errno = failure.value();
  return CannotMake(path);
}

// In memory where the system has such a folder: nothing of a rehearsal has to last, and its answers
// are better not on a disk. TMPDIR, where it is set, decides.
std::filesystem::path TemporaryRoot(std::error_code& failure) {
  constexpr char kInMemory[] = "/dev/shm";
  if (std::getenv("TMPDIR") == nullptr && ::access(kInMemory, W_OK | X_OK) == 0) return kInMemory;
  return std::filesystem::temp_directory_path(failure);
}

}  // namespace

Result<Rehearsal> Rehearsal::Make(const policy::Policy& original) {
  std::error_code failure;
  const std::filesystem::path root = TemporaryRoot(failure);
  if (failure) {
    errno = failure.value();
    return CannotMake("in TMPDIR");
  }
  std::string folder = (root / "tacit-rehearsal-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return CannotMake(folder);
  AddPassingFolder(folder);
  policy::Policy policy = original;
  policy.folder = folder;
  policy.ledger = policy::SqliteLedger{.path = folder + "/ledger.sqlite"};
  Rehearsal rehearsal(std::move(policy));  // from here on the folder is removed on every way out
  ledger::OpenOptions options;
  TACIT_TRY(const SecretBytes key, LinkKey(original, rehearsal.policy_.KeyPath()));
  options.key = key.view();
  TACIT_CHECK(ledger::Ledger::Create(folder + "/ledger.sqlite", options));
  return rehearsal;
}

Rehearsal::Rehearsal(Rehearsal&& other) noexcept : policy_(std::move(other.policy_)) {
  other.policy_.folder.clear();
}

Rehearsal& Rehearsal::operator=(Rehearsal&& other) noexcept {
  std::swap(policy_, other.policy_);
  return *this;
}

Rehearsal::~Rehearsal() {
  // What cannot be removed is for the owner alone (mode 0700).
  if (!policy_.folder.empty()) RemovePassingFolder(policy_.folder);
}

}  // namespace tacit::owner
